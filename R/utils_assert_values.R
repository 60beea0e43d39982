# Validators of single arguments. Each returns the value in its canonical type or stops, naming the argument.

assert_number <- function(x, name, min = -Inf, max = Inf, above = NULL) {
    fits <- is.numeric(x) && !is.object(x) && length(x) == 1L && is.finite(x) && x >= min && x <= max
    if (fits && !is.null(above)) fits <- x > above
    if (!fits) {
        stop_pnmf("'", name, "' must be ", number_range(min, max, above), ", not ", describe(x))
    }
    as.numeric(x)
}

number_range <- function(min, max, above) {
    if (!is.null(above)) return(sprintf("a finite number above %s", format(above)))
    if (is.finite(max)) return(sprintf("a number between %s and %s", format(min), format(max)))
    sprintf("a finite number of at least %s", format(min))
}

assert_count <- function(x, name, min = 1, max = .Machine$integer.max) {
    fits <- is.numeric(x) && !is.object(x) && length(x) == 1L && is.finite(x) &&
        x >= min && x <= max && x == round(x)
    if (!fits) {
        range <- if (max < .Machine$integer.max) {
            sprintf("between %s and %s", format(min), format(max))
        } else {
            sprintf("of at least %s", format(min))
        }
        stop_pnmf("'", name, "' must be a whole number ", range, ", not ", describe(x))
    }
    as.integer(x)
}

assert_flag <- function(x, name) {
    if (!is.logical(x) || length(x) != 1L || is.na(x)) {
        stop_pnmf("'", name, "' must be TRUE or FALSE, not ", describe(x))
    }
    x
}

assert_string <- function(x, name) {
    if (missing(x)) stop_pnmf("'", name, "' must be a single string, but is missing")
    if (!is.character(x) || length(x) != 1L || is.na(x) || !nzchar(x)) {
        stop_pnmf("'", name, "' must be a single string, not ", describe(x))
    }
    x
}

# match.arg() with the error class of this package; the default vector means its first entry.
assert_choice <- function(x, choices, name) {
    if (identical(x, choices)) return(choices[1])
    if (!is.character(x) || length(x) != 1L || is.na(x) || !(x %in% choices)) {
        stop_pnmf("'", name, "' must be one of ", paste0("\"", choices, "\"", collapse = ", "),
                  ", not ", describe(x))
    }
    x
}

# Whole numbers in 1..n, such as a set of scales.
assert_indices <- function(x, name, n) {
    fits <- is.numeric(x) && !is.object(x) && length(x) > 0L && all(is.finite(x)) &&
        all(x == round(x)) && all(x >= 1) && all(x <= n)
    if (!fits) {
        came <- if (is.numeric(x) && length(x) > 1L) {
            bad <- x[!(is.finite(x) & x == round(x) & x >= 1 & x <= n)]
            format(bad[1])
        } else {
            describe(x)
        }
        stop_pnmf("'", name, "' must be whole numbers between 1 and ", n, ", not ", came)
    }
    as.integer(x)
}

assert_class <- function(x, class, name, made_by) {
    if (!is(x, class)) {
        stop_pnmf("'", name, "' must be a ", class, " object, as ", made_by, " returns, not ", describe(x))
    }
    x
}

assert_seed <- function(x, name = "seed") {
    if (is.null(x)) return(NULL)
    assert_count(x, name, min = 0)
}

assert_readable_file <- function(path, name) {
    path <- assert_string(path, name)
    if (!file.exists(path) || dir.exists(path)) {
        stop_pnmf("'", name, "' must be a file that exists, not \"", path, "\"")
    }
    if (file.access(path, 4L) != 0L) {
        stop_pnmf("'", name, "' must be a file that can be read, but \"", path, "\" cannot")
    }
    path
}

assert_backend <- function(BPPARAM) {
    if (!is.null(BPPARAM) && !is(BPPARAM, "BiocParallelParam")) {
        stop_pnmf("'BPPARAM' must be NULL or a BiocParallelParam object such as BiocParallel::SerialParam(), not ",
                  describe(BPPARAM))
    }
}

# Stops unless every package is installed. `purpose` begins the error "... needs the package".
assert_installed <- function(packages, purpose) {
    missing <- packages[!vapply(packages, requireNamespace, logical(1), quietly = TRUE)]
    if (length(missing) > 0L) {
        stop_pnmf(purpose, " needs the package", if (length(missing) > 1L) "s", " ", paste(missing, collapse = ", "),
                  ": install ", if (length(missing) > 1L) "them" else "it", " first")
    }
    invisible(TRUE)
}

# The name of a file to write: how it ends, one of `kinds`.
assert_export <- function(file, kinds, overwrite) {
    file <- assert_string(file, "file")
    kind <- kinds[endsWith(tolower(basename(file)), paste0(".", kinds))]
    if (length(kind) != 1L) stop_pnmf("'file' must end in ", any_of(paste0(".", kinds)), ", not ", describe(file))
    if (!dir.exists(dirname(file))) stop_pnmf("'file' must be in an existing folder, not in ", describe(dirname(file)))
    if (file.exists(file) && !overwrite) {
        stop_pnmf("'file' already exists: ", describe(file), "; choose another name, or use overwrite = TRUE")
    }
    kind
}
