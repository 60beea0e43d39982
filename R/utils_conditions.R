# Every error of the package has class "pnmf_error" and no call: the message itself names the argument.
stop_pnmf <- function(...) {
    condition <- errorCondition(paste0(...), class = "pnmf_error", call = NULL)
    stop(condition)
}

warn_pnmf <- function(..., class = NULL) {
    condition <- warningCondition(paste0(...), class = c(class, "pnmf_warning"), call = NULL)
    warning(condition)
}

inform_pnmf <- function(...) {
    condition <- structure(
        class = c("pnmf_message", "message", "condition"),
        list(message = paste0(..., "\n"), call = NULL)
    )
    message(condition)
}

# Fits need not converge to be compared, and their settings were chosen before: no warnings, no messages.
quietly <- function(expression) {
    withCallingHandlers(expression,
                        pnmf_warning = function(w) invokeRestart("muffleWarning"),
                        pnmf_message = function(m) invokeRestart("muffleMessage"))
}

# Describes a value in a few words, for an error message.
describe <- function(x) {
    if (is.null(x)) return("NULL")
    if (is.function(x)) return("a function")
    if (is.matrix(x) || is(x, "Matrix")) {
        kind <- if (is.matrix(x) && !is.numeric(x)) paste(typeof(x), "matrix") else class(x)[1]
        return(paste(with_article(nrow(x)), "x", ncol(x), kind))
    }
    if (is.object(x)) return(sprintf("an object of class '%s'", class(x)[1]))
    if (is.list(x)) return(if (is.null(names(x))) "a list without names" else "a list")
    if (length(x) == 0L) return(sprintf("an empty %s vector", typeof(x)))
    if (length(x) == 1L) {
        return(if (is.character(x)) sprintf("\"%s\"", x) else format(x, digits = 15))
    }
    kind <- if (is.double(x)) "numeric" else typeof(x)
    paste(with_article(kind), "vector of length", length(x))
}

# "a 7", "an 8", "an integer"
with_article <- function(word) {
    paste(if (grepl("^([aeio]|8|1[18]$|1[18][0-9]{3}$)", word)) "an" else "a", word)
}

# "1 sweep", "2 sweeps"; n may be numbers or their text.
counted <- function(n, what) paste0(n, " ", what, ifelse(n == 1L, "", "s"))

# "1 2 3", or the first and the last of many: "1 2 ... 9 10"
abbreviated <- function(x, max_length = 8L) {
    if (length(x) <= max_length) return(paste(x, collapse = " "))
    half <- max_length %/% 2L
    paste(c(utils::head(x, half), "...", utils::tail(x, half)), collapse = " ")
}

# "1, 2 or 3"
any_of <- function(x) sub(", ([^,]*)$", " or \\1", toString(x))

quoted_name <- function(path) paste0("\"", basename(path), "\"")
