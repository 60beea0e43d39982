test_that("the machine's memory is read, and a control group's limit respected", {
    meminfo <- tempfile()
    limit <- tempfile()
    on.exit(unlink(c(meminfo, limit)), add = TRUE)
    writeLines(c("MemTotal:       1000 kB", "MemFree:         500 kB"), meminfo)
    expect_identical(machine_memory(meminfo, limit), 1000 * 1024)
    writeLines("max", limit)
    expect_identical(machine_memory(meminfo, limit), 1000 * 1024)
    writeLines("2048", limit)
    expect_identical(machine_memory(meminfo, limit), 2048)
    expect_identical(machine_memory(tempfile(), tempfile()), unknown_memory)
    expect_gt(pnmf_control()$memory, 2^26)
    expect_error(pnmf_control(memory = 0), "'memory' must be", class = "pnmf_error")
    expect_error(pnmf_control(memory = "1 GB"), "'memory' must be", class = "pnmf_error")
})

test_that("amounts are shown in the unit people use", {
    expect_identical(format_bytes(512), "512 bytes")
    expect_identical(format_bytes(3 * 2^30), "3 GB")
    expect_identical(format_bytes(1.5 * 2^20), "1.5 MB")
})

test_that("bases that are not kept are recomputed on request, and the fit is the same", {
    x <- small_data(3, features = 40, cells = 30)
    fit <- function(keep) {
        pnmf(x, rank = 3, control = pnmf_control(max_outer = 300, tol = 1e-5, keep = keep, verbose = FALSE))
    }
    lean <- fit("embedding")
    expect_identical(lean@H, fit("all")@H)
    expect_length(lean@W, 0L)
    # A basis asked for is the best one for its embedding.
    W <- loading(lean, 4)
    H <- lean@H[[4]]
    gradient <- W %*% tcrossprod(H) - tcrossprod(x, H)
    expect_true(all(colSums(W^2) <= 1 + 1e-12))
    inside <- colSums(W^2) < 1 - 1e-9
    expect_true(all(abs((W * gradient)[, inside]) <= 1e-6 * max(abs(tcrossprod(x, H)))))
})
