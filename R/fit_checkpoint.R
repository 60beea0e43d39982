# A run holds what checkpoints need in addition to the fit: when it began, its labels (strings, named by the arguments
# that change the result), and the state to resume from. NULL labels: there is no checkpoint.
new_run <- function(x, parameters, resume, begun) {
    control <- parameters$control
    run <- list(begun = begun)
    if (is.null(control$checkpoint) && is.null(resume)) return(run)
    run$labels <- run_labels(x, parameters)
    run$size <- c(parameters$rank, dim(x))
    if (!is.null(resume)) run$resumed <- resumed_state(resume, run$labels)
    assert_checkpoint_target(control$checkpoint, resume)
    run
}

# Scales are added after all other arguments are checked, because they may take long.
with_run_scales <- function(run, scales) {
    if (is.null(run$labels)) return(run)
    edges <- scales$edges
    run$labels[["scales"]] <- digest_cpp(list(as.numeric(scales$threshold), as.integer(edges$i), as.integer(edges$j),
                                              as.numeric(edges$length), as.numeric(scales$weight),
                                              as.numeric(scales$gap)))
    if (!is.null(run$resumed)) {
        assert_same_labels(run$resumed, run$labels["scales"])
        if (!run$resumed$started) return(run[names(run) != "resumed"])
        assert_state_size(run$resumed$size, c(length(scales$threshold), run$size))
    }
    run
}

run_labels <- function(x, parameters) {
    control <- parameters$control
    numbers <- c(parameters[c("rank", "lambda_graph", "lambda_smooth", "lambda_anchor", "alpha")], control["max_inner"])
    c(
        x = data_digest(x), solver = parameters$solver, vapply(numbers, number_label, ""),
        start = start_label(control$start), seed = seed_label(control),
        record = as.character(control$record), extrapolate = as.character(control$extrapolate),
        BPPARAM = if (isTRUE(parameters$sharded)) "workers" else "NULL"
    )
}

# NULL: solved from data and scales, which have labels of their own.
number_label <- function(number) if (is.null(number)) "NULL" else sprintf("%.17g", number)

# Sparse and dense data with the same values count as different, because their sums differ in the last digits.
data_digest <- function(x) {
    if (is_streamed(x)) return(streamed_digest(x))
    values <- if (is(x, "dgCMatrix")) list(x@i, x@p, x@x) else list(as.vector(x))
    digest_cpp(c(list(dim(x), rownames(x), colnames(x)), values))
}

start_label <- function(start) {
    if (is.character(start)) return(start)
    factors <- if (is(start, "pNMFPath")) list(start@W, all_embeddings(start)) else list(start$W, start$H)
    digest_cpp(lapply(unlist(lapply(factors, as_matrix_list), recursive = FALSE), as.numeric))
}

as_matrix_list <- function(factor) if (is.list(factor)) factor else list(factor)

# Only a random start uses the seed.
seed_label <- function(control) {
    if (identical(control$start, "random") && !is.null(control$seed)) sprintf("%d", control$seed) else "none"
}

resumed_state <- function(resume, labels) {
    resume <- normalizePath(assert_readable_file(resume, "resume"))
    found <- tryCatch(read_checkpoint_cpp(enc2native(resume)), pnmf_unusable_checkpoint = function(e) {
        stop_pnmf("'resume' must be a checkpoint of pnmf(), but ", quoted_name(resume), " ", conditionMessage(e))
    })
    assert_same_labels(found, labels)
    found$file <- resume
    found
}

# A digest means nothing to a reader.
label_text <- function(text) {
    number <- suppressWarnings(as.numeric(text))
    if (grepl("^[0-9a-f]{16}$", text)) return("other values")
    if (is.na(number)) unname(text) else format(number, digits = 15)
}

# Resolves links, because renaming a file onto a link would replace the link.
checkpoint_path <- function(file) {
    file <- path.expand(file)
    if (file.exists(file)) return(normalizePath(file))
    file.path(normalizePath(dirname(file), mustWork = FALSE), basename(file))
}

checkpoint_target <- function(control, run) {
    if (is.null(control$checkpoint)) return(NULL)
    list(file = enc2native(checkpoint_path(control$checkpoint)), every = control$every, labels = run$labels)
}

# The labels already agree, so only a forged file can fail here.
assert_state_size <- function(found, expected) {
    if (!identical(as.numeric(found), as.numeric(expected))) {
        stop_pnmf("'resume' must be a checkpoint of ", paste(expected, collapse = " x "),
                  " scales, factors, features and cells, not of ", paste(found, collapse = " x "))
    }
}

assert_same_labels <- function(found, expected) {
    for (name in names(expected)) {
        there <- found$labels[name]
        if (identical(unname(there), unname(expected[name]))) next
        if (name %in% c("x", "scales") || is.na(there)) {
            stop_pnmf("'resume' must be a checkpoint of the same '", name, "', but it was written for another one")
        }
        stop_pnmf("'resume' must be a checkpoint of the same '", name, "', but it was written with ",
                  label_text(there), ", not ", label_text(expected[name]))
    }
}

assert_checkpoint_target <- function(checkpoint, resume) {
    if (is.null(checkpoint)) return(invisible())
    file <- checkpoint_path(checkpoint)
    exists <- file.exists(file)
    refuse <- function(reason) {
        stop_pnmf("'checkpoint' must be a file that can be written, but \"", checkpoint, "\" cannot: ", reason)
    }
    if (dir.exists(file)) refuse("it is a folder")
    tryCatch(try_checkpoint_cpp(enc2native(file), exists),
             pnmf_unwritten_checkpoint = function(e) refuse(conditionMessage(e)))
    if (exists && is.null(resume)) {
        inform_pnmf("pnmf: replacing the earlier checkpoint \"", checkpoint, "\"; 'resume' would continue from it")
    }
}
