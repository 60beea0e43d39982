# Errors for unknown arguments: what was probably meant, and where it belongs.

# Names of our arguments in other packages and in the literature.
other_words <- c(
    k = "rank", d = "rank", npcs = "rank", n_components = "rank", ncomponents = "rank", n.components = "rank",
    n_factors = "rank", nfactors = "rank", n_topics = "rank", dims = "space",
    slot = "layer", exprs_values = "layer", assay.type = "layer",
    n_scales = "scales", n.scales = "scales", nscales = "scales",
    lambda = "lambda_graph", lambda1 = "lambda_graph", lambda2 = "lambda_smooth", lambda3 = "lambda_anchor",
    method = "solver", algorithm = "solver", init = "start", nthreads = "threads", n_threads = "threads",
    ncores = "threads", cores = "threads", max_iter = "max_outer", maxit = "max_outer", max.iter = "max_outer",
    iterations = "max_outer", tolerance = "tol", seed.use = "seed", distance = "metric", k.param = "n_neighbors",
    scale = "t", name = "reduction", dimred = "reduction", reduction.name = "reduction", group.by = "labels",
    colour_by = "labels", color_by = "labels"
)

# All arguments of pnmf() except the data.
pnmf_arguments <- function() setdiff(c(names(formals(pnmf)), scale_setting_names), c("x", "..."))

# R lets part of a name stand for an argument before `...`, so that lambda = would be lambda_graph.
assert_whole_names <- function(given) {
    unknown <- setdiff(given, c("", "x", pnmf_arguments()))
    if (length(unknown) > 0L) stop_unknown_argument(unknown[1], pnmf_arguments())
}

first_name <- function(...) if (is.null(...names())) "" else ...names()[1]

stop_unknown_argument <- function(name, known, own = character()) {
    if (is.na(name) || !nzchar(name)) {
        stop_pnmf("unknown argument (unnamed): name it; ", if ("control" %in% known) {
            "settings of the fit belong to 'control', see pnmf_control()"
        } else {
            paste("known arguments are", paste(known, collapse = ", "))
        })
    }
    stop_pnmf("unknown argument '", name, "': ", unknown_argument_advice(name, known, own))
}

unknown_argument_advice <- function(name, known, own = character()) {
    word <- if (name %in% names(other_words)) other_words[[name]] else name
    for (said in c(word, name)) if (said %in% names(own)) word <- own[[said]]
    if (word == "t" && !("t" %in% known)) word <- "at"
    if (word %in% known) return(paste0("did you mean '", word, "'?"))
    fits <- "control" %in% known || "scales" %in% known
    if (fits && word %in% names(formals(pnmf_control))) return(belongs(name, word, "pnmf_control()", "control", ""))
    if (fits && word %in% names(formals(persistence_scales))) {
        return(belongs(name, word, "persistence_scales()", "scales", "x, "))
    }
    near <- nearest_word(name, known)
    if (!is.null(near)) return(paste0("did you mean '", near, "'?"))
    if (!fits) return(paste0("known arguments are ", paste(known, collapse = ", ")))
    inner <- nearest_word(name, names(formals(pnmf_control)))
    if (!is.null(inner)) return(belongs(name, inner, "pnmf_control()", "control", ""))
    "settings of the fit belong to 'control', see pnmf_control(), those of scales to persistence_scales()"
}

belongs <- function(name, word, where, argument, first) {
    paste0(if (name == word) "it" else paste0("'", word, "'"), " belongs to ", where, ", pass ", argument, " = ",
           sub("()", "", where, fixed = TRUE), "(", first, word, " = )")
}

# The known word that differs by few letters, if there is one.
nearest_word <- function(name, known) {
    if (length(known) == 0L) return(NULL)
    distance <- utils::adist(tolower(name), tolower(known))[1, ]
    if (min(distance) > ceiling(nchar(name) / 3) || min(distance) >= nchar(name)) return(NULL)
    known[which.min(distance)]
}

# The end of an error about the name of a column, if a known one is near.
nearest_hint <- function(name, known) {
    near <- nearest_word(name, known)
    if (is.null(near)) "" else paste0(": did you mean \"", near, "\"?")
}

# Stops if a further argument has no name, because the caller would have to guess what it means.
assert_named_dots <- function(...) {
    if (...length() == 0L || (!is.null(...names()) && all(nzchar(...names())))) return(invisible())
    stop_unknown_argument("", setdiff(names(formals(sys.function(sys.parent()))), c("object", "...")))
}

# Stops if there are further arguments, which the caller does not have.
assert_no_dots <- function(...) {
    if (...length() == 0L) return(invisible())
    stop_unknown_argument(first_name(...), setdiff(names(formals(sys.function(sys.parent()))), "..."))
}

# Stops if an argument of a list has another name than these arguments of pnmf().
assert_passed_on <- function(arguments, known) {
    given <- if (is.null(names(arguments))) rep("", length(arguments)) else names(arguments)
    extra <- setdiff(given, known)
    if (length(extra) == 0L) return(invisible())
    stop_pnmf("further arguments must be ", any_of(known), " of pnmf(), not ",
              if (nzchar(extra[1])) paste0("'", extra[1], "'") else "one without a name")
}

# Further arguments of RunPNMF() and runPNMF() are those of pnmf(). `own`: names that the host uses for arguments of
# pnmf(); `also`: further arguments of the methods.
assert_fit_dots <- function(..., own = character(), also = character()) {
    if (...length() == 0L) return(invisible())
    allowed <- setdiff(c(pnmf_arguments(), also), c("...", "object", setdiff(names(own), "scales")))
    given <- if (is.null(...names())) rep("", ...length()) else ...names()
    unknown <- given[!(given %in% allowed)]
    if (length(unknown) == 0L) return(invisible())
    known <- union(setdiff(names(formals(sys.function(sys.parent()))), "..."), allowed)
    stop_unknown_argument(unknown[1], known, own)
}
