test_that("a file that cannot be written is refused before the fit begins, and foreign files are never replaced", {
    x <- small_data(1)
    fit <- function(file) pnmf(x, 2, control = pnmf_control(max_outer = 2, tol = 0, verbose = FALSE, checkpoint = file))
    refused <- function(file, pattern) {
        expect_error(fit(file), paste0("'checkpoint' must be a file that can be written.*", pattern),
                     class = "pnmf_error")
    }
    other <- tempfile(fileext = ".rds")
    saveRDS(1:3, other)
    refused(other, "is not a checkpoint")
    expect_identical(readRDS(other), 1:3)
    refused(file.path(other, "fit.ckpt"), "Not a directory")
    refused(file.path(tempdir(), "none", "fit.ckpt"), "No such file")
    refused(tempdir(), "folder")
    skip_on_os("windows")
    file <- new_file()
    file.symlink(other, paste0(file, ".part"))
    refused(file, "symbolic link|ymlink")
    expect_identical(readRDS(other), 1:3)
    unlink(paste0(file, ".part"))
    dir.create(paste0(file, ".part"))
    refused(file, "Is a directory")
})

test_that("a link to a checkpoint stays a link, and a part left by a killed process is used again", {
    skip_on_os("windows")
    x <- small_data(1)
    file <- new_file()
    link <- new_file()
    fit <- function(file, sweeps) {
        control <- pnmf_control(max_outer = sweeps, tol = 0, verbose = FALSE, checkpoint = file)
        suppressMessages(pnmf(x, 2, control = control))
    }
    fit(file, 2)
    file.symlink(file, link)
    before <- read_bytes(file)
    writeLines("left by a killed process", paste0(file, ".part"))
    fit(link, 3)
    expect_identical(Sys.readlink(link), file)
    expect_gt(length(read_bytes(file)), length(before))
    expect_false(file.exists(paste0(file, ".part")))
})

test_that("beginning anew over an earlier checkpoint is said", {
    x <- small_data(1)
    file <- new_file()
    control <- pnmf_control(max_outer = 2, tol = 0, verbose = FALSE, checkpoint = file)
    expect_silent(pnmf(x, 2, control = control))
    expect_message(pnmf(x, 2, control = control), "replacing the earlier checkpoint.*'resume'", class = "pnmf_message")
    expect_silent(pnmf(x, 2, control = control, resume = file))
})

# What a session of its own, in which files may have at most `blocks` x 512 or 1024 bytes, says of a second checkpoint.
fit_with_short_files <- function(file, blocks) {
    paths <- paste(deparse(c(dirname(find.package("pNMF")), .libPaths())), collapse = "")
    script <- c(
        sprintf(".libPaths(%s)", paths), "library(pNMF)",
        sprintf("control <- pnmf_control(max_outer = 3, tol = 0, verbose = FALSE, checkpoint = %s)", deparse(file)),
        "x <- simulate_circles(n_per_circle = 40, seed = 1)",
        "result <- tryCatch(pnmf(x, 8, scales = 20, control = control), error = function(e) e)",
        "cat(class(result)[1], conditionMessage(result))"
    )
    program <- tempfile(fileext = ".R")
    writeLines(script, program)
    command <- sprintf("trap '' XFSZ; ulimit -f %d; exec '%s' '%s' 2>&1", blocks, file.path(R.home("bin"), "Rscript"),
                       program)
    paste(system2("sh", c("-c", shQuote(command)), stdout = TRUE), collapse = " ")
}

test_that("a checkpoint that does not fit is an error, and the one before is intact", {
    skip_on_cran()
    skip_on_os("windows")
    x <- small_data(1)
    file <- new_file()
    fit <- function(...) pnmf(x, 2, control = pnmf_control(max_outer = 2, tol = 0, verbose = FALSE, ...))
    path <- fit(checkpoint = file)
    before <- read_bytes(file)
    said <- fit_with_short_files(file, 100)
    expect_match(said, paste("pnmf_error 'checkpoint' could not be written to .*: File too large;",
                             "the previous checkpoint is intact"))
    expect_identical(read_bytes(file), before)
    expect_false(file.exists(paste0(file, ".part")))
})

test_that("a full disk and a read-only disk are clear errors, and the checkpoint before is intact", {
    skip_on_cran()
    disk <- local_disk("64k")
    file <- file.path(disk$folder, "fit.ckpt")
    small <- small_data(1)
    fit <- function(x, rank, resume = NULL) {
        control <- pnmf_control(max_outer = 2, tol = 0, verbose = FALSE, checkpoint = file)
        suppressMessages(pnmf(x, rank, control = control, resume = resume))
    }
    path <- fit(small, 2)
    before <- read_bytes(file)
    expect_error(fit(simulate_circles(seed = 1), 5), "'checkpoint' could not be written.*No space left",
                 class = "pnmf_error")
    expect_identical(list.files(disk$folder), "fit.ckpt")
    expect_identical(read_bytes(file), before)
    skip_if_not(disk$lock(), "the disk cannot be made read-only")
    expect_error(fit(small, 2), "'checkpoint' must be a file that can be written.*[Rr]ead-only", class = "pnmf_error")
    expect_identical(read_bytes(file), before)
})

test_that("two processes do not write the same checkpoint at once", {
    skip_on_cran()
    x <- small_data(1)
    file <- new_file()
    held <- paste0(file, ".part")
    skip_if_not(nzchar(Sys.which("flock")), "no flock program")
    ready <- tempfile()
    holder <- sprintf("echo $$ > %s.part; mv %s.part %s; exec sleep 60", ready, ready, ready)
    system2("flock", c("-n", held, "sh", "-c", shQuote(holder)), wait = FALSE)
    expect_true(wait_for(ready, 30))
    on.exit(tools::pskill(as.integer(readLines(ready)), tools::SIGTERM))
    control <- pnmf_control(max_outer = 2, tol = 0, verbose = FALSE, checkpoint = file)
    expect_error(pnmf(x, 2, control = control), "another process is writing", class = "pnmf_error")
})

test_that("a device or a pipe is no checkpoint, and is not waited for", {
    skip_on_os("windows")
    x <- small_data(1)
    expect_error(pnmf(x, 2, resume = "/dev/null"), "not a regular file", class = "pnmf_error")
    pipe <- new_file()
    skip_if_not(system2("mkfifo", shQuote(pipe)) == 0, "no mkfifo")
    expect_error(pnmf(x, 2, resume = pipe), "not a regular file", class = "pnmf_error")
})
