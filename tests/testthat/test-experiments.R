experiment_folder <- function() system.file("experiments", package = "pNMF")

# The shared pieces, in an environment of their own.
experiment_tools <- function() {
    skip_if(experiment_folder() == "", "the experiments are not installed")
    tools <- new.env()
    sys.source(file.path(experiment_folder(), "common.R"), tools)
    tools
}

# Names of the functions that a script calls and nobody defines: neither the script, the shared pieces, this package nor
# R. Those of other packages must be called as package::name.
unknown_calls <- function(script, tools) {
    code <- utils::getParseData(parse(script, keep.source = TRUE))
    called <- code[code$token == "SYMBOL_FUNCTION_CALL", ]
    own <- !(called$parent %in% code$parent[code$token == "SYMBOL_PACKAGE"])
    defined <- code$text[code$token == "SYMBOL"]
    names <- setdiff(unique(called$text[own]), defined)
    names[!vapply(names, function(name) {
        exists(name, tools) || exists(name, asNamespace("pNMF")) || exists(name, baseenv())
    }, logical(1))]
}

test_that("every experiment of the paper is there, and calls only what exists", {
    tools <- experiment_tools()
    wanted <- c("visualisation", "scale_selection", "increments", "convergence", "ablations", "clustering_table",
                "accuracy_by_scale", "label_granularity", "parameter_analysis", "maps", "persistent_clusters",
                "clouds", "types", "recommended", "resolution", "coarsest", "more_cells", "default_rank",
                "program_support", "rank_rules", "promise", "sweeps")
    scripts <- file.path(experiment_folder(), paste0(wanted, ".R"))
    expect_identical(wanted[!file.exists(scripts)], character(0))
    for (script in scripts) expect_identical(unknown_calls(script, tools), character(0), label = basename(script))
    renamed <- tempfile(fileext = ".R")
    writeLines("paths <- lapply(1:2, function(t) plot_no_such_thing(t)); stats::no_matter(paths)", renamed)
    expect_identical(unknown_calls(renamed, tools), "plot_no_such_thing")
})

test_that("arguments are read in any order, and unknown ones refused", {
    tools <- experiment_tools()
    before <- options()[c("pNMF.threads", "width")]
    on.exit(options(pNMF.threads = before$pNMF.threads, width = before$width))
    folder <- tempfile()
    found <- tools$experiment_settings(c("--full", folder, "--threads=1", "--data=some where"))
    expect_identical(found, list(folder = folder, full = TRUE, data = "some where", threads = 1L))
    expect_true(dir.exists(folder))
    expect_error(tools$experiment_settings(c(folder, "--ful")), "unknown argument --ful")
})

test_that("the user's data sets are read from a folder, one RDS each", {
    tools <- experiment_tools()
    folder <- tempfile()
    dir.create(folder)
    expect_error(tools$labelled_sets(list(data = folder, full = FALSE)), "no RDS files")
    set <- list(X = matrix(1:6, 2), y = c("a", "b", "b"))
    saveRDS(set, file.path(folder, "mine.rds"))
    expect_identical(tools$labelled_sets(list(data = folder, full = FALSE)), list(mine = set))
})

test_that("circles that shrink by half towards the coarse end are reported so, scale by scale", {
    tools <- experiment_tools()
    ring <- rep(1:2, each = 8)
    angle <- rep(2 * pi * 1:8 / 8, 2)
    H <- function(inner, outer) 10 + rbind(cos(angle), sin(angle)) * rep(c(inner, outer), each = 16)
    path <- pnmf(abs(H(1, 4)), rank = 2, scales = 3, control = pnmf_control(max_outer = 1, tol = 0))
    path@H <- list(H(1, 4), H(0.4, 4), H(0.1, 1))
    expect_equal(tools$ring_radii(path, ring), rbind(c(1, 4), c(0.4, 4), c(0.1, 1)), ignore_attr = TRUE)
    expect_equal(tools$emergence(path, ring), c(1, 2), ignore_attr = TRUE)
    expect_equal(tools$coarse_to_fine(path, ring), 1.1 / 5)
})
