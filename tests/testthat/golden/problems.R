# The golden problems: small, well conditioned, run for a fixed number of sweeps, so that any two machines agree on
# them to 1e-8. After a deliberate change of an algorithm, at the top of the project with the package installed:
#   Rscript tests/testthat/golden/problems.R
golden_problems <- function() {
    list(
        scales = function() {
            scales <- pNMF::persistence_scales(golden_data())
            list(threshold = scales$threshold, betti0 = scales$betti0, n_edges = scales$n_edges)
        },
        local_scales = function() pNMF::persistence_scales(golden_data(), metric = "local")$threshold,
        spectrum = function() pNMF::laplacian_spectrum(pNMF::persistence_scales(golden_data()), 20),
        nndsvda = function() pNMF::nndsvda(golden_data(), 3),
        hals = function() golden_path("hals", 10),
        mu = function() golden_path("mu", 5),
        authors = function() golden_path("authors", 2),
        gnmf = function() {
            pNMF::fit_gnmf(golden_data(), 3, n_neighbors = 5, max_steps = 20, tol = 0)[c("W", "H", "loss")]
        },
        projection = function() unname(pNMF::predict(golden_fit("hals", 10), golden_data()[, 1:5])),
        increments = function() structure(pNMF::increments(golden_fit("hals", 10)), class = "data.frame")
    )
}

# Three groups of ten cells with 25 features, from a formula: no random numbers.   features x cells
golden_data <- function() {
    feature <- row(matrix(0, 25, 30))
    cell <- col(feature)
    group <- (cell - 1) %% 3
    wave <- 1 + sin(feature * (group + 1) / 2) + 0.3 * cos(feature * cell / 7) + 0.2 * sin(cell^2 / 5)
    pmax(wave, 0)
}

golden_fit <- function(solver, sweeps) {
    control <- pNMF::pnmf_control(max_outer = sweeps, max_inner = 5, tol = 0, threads = 1, verbose = FALSE)
    scales <- pNMF::persistence_scales(golden_data(), n_scales = 6, thin = "index")
    scales$weight <- scales$gap <- NULL
    pNMF::pnmf(golden_data(), rank = 3, scales = scales, solver = solver, alpha = 1.5, control = control)
}

golden_path <- function(solver, sweeps) {
    path <- golden_fit(solver, sweeps)
    list(objective = pNMF::objective(path)$objective, W = path@W, H = path@H)
}

if (sys.nframe() == 0L) {
    values <- lapply(golden_problems(), function(problem) problem())
    saveRDS(values, "tests/testthat/golden/values.rds", version = 2)
}
