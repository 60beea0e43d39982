#' Simulate concentric circles in many dimensions, as in the paper
#'
#' Draws points on concentric circles in three dimensions, each circle in its
#' own plane with a random normal. Every coordinate has Gaussian noise. Further
#' dimensions of pure noise are added, and all values are shifted to be
#' nonnegative.
#'
#' @param n_circles Number of circles.
#' @param n_per_circle Points per circle.
#' @param n_noise Number of noise dimensions, in addition to the three of the
#'   circles.
#' @param radii Radii, one per circle; by default 5, 10, 20, 50 for up to four
#'   circles and 5, 10, 20, 40, 80, ... for more.
#' @param noise Standard deviation of the noise.
#' @param seed Seed. The random numbers of the session are not changed.
#' @return A matrix, dimensions x points, with the circle of each point
#'   (1 is the innermost) in the attribute `"circle"`.
#' @examples
#' x <- simulate_circles(seed = 1)
#' dim(x)
#' table(attr(x, "circle"))
#' @export
simulate_circles <- function(n_circles = 4, n_per_circle = 20, n_noise = 97, radii = NULL, noise = 1, seed = 1) {
    n_circles <- assert_count(n_circles, "n_circles")
    n_per_circle <- assert_count(n_per_circle, "n_per_circle")
    n_noise <- assert_count(n_noise, "n_noise", min = 0)
    noise <- assert_number(noise, "noise", min = 0)
    if (is.null(radii)) radii <- default_radii(n_circles)
    if (!is.numeric(radii) || length(radii) != n_circles || !all(is.finite(radii)) || any(radii <= 0)) {
        stop_pnmf("'radii' must be ", n_circles, " positive numbers, not ", describe(radii))
    }
    x <- with_random_state(assert_seed(seed), {
        circles <- do.call(cbind, lapply(radii, random_circle, n = n_per_circle))
        extra <- matrix(5 * noise, n_noise, ncol(circles))
        points <- rbind(circles, extra)
        points + stats::rnorm(length(points), sd = noise)
    })
    x <- x - pmin(apply(x, 1L, min), 0) # one shift per dimension keeps all distances
    dimnames(x) <- list(paste0("dim", seq_len(nrow(x))), paste0("point", seq_len(ncol(x))))
    structure(x, circle = rep(seq_len(n_circles), each = n_per_circle))
}

default_radii <- function(n) if (n <= 4L) c(5, 10, 20, 50)[seq_len(n)] else 5 * 2^(seq_len(n) - 1)

# n points evenly around a circle in a plane with a random normal.   Result: 3 x n
random_circle <- function(radius, n) {
    frame <- qr.Q(qr(matrix(stats::rnorm(9), 3, 3)))
    angle <- 2 * pi * seq_len(n) / n
    radius * (frame[, c(1L, 2L)] %*% rbind(cos(angle), sin(angle)))
}
