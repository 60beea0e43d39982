# Labels for new cells: half of the cells are the reference, the others are new.
#   1. Stated against observed: is the confidence of transfer_labels() the share of right labels?
#   2. A reference without one of its types: how many cells of that type, and of the others, stay unassigned?
# Rscript inst/experiments/transfer.R [output folder] [--full] [--threads=N]
# Sets: pbmc_sorted; with PNMF_SHARED also pbmc_facs (2,000 variable genes) and tms_liver. --full: every type of the
# three sets is left out in turn, instead of one per set.
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

variable_rows <- function(x, n) {
    variance <- Matrix::rowMeans(x^2) - Matrix::rowMeans(x)^2
    x[sort(order(-variance)[seq_len(min(n, nrow(x)))]), ]
}

shared_set <- function(name) {
    file <- shared_file(name)
    if (is.null(file)) return(NULL)
    set <- readRDS(file)
    list(x = variable_rows(set$X, 2000), type = as.character(set$y))
}

data(pbmc_sorted)
sets <- Filter(Negate(is.null), list(
    pbmc_sorted = list(x = normalize_counts(pbmc_sorted$counts), type = as.character(pbmc_sorted$type)),
    pbmc_facs = shared_set("pbmc_facs"), tms_liver = shared_set("tms_liver")
))

transferred <- function(set, old, new) {
    path <- suppressMessages(pnmf(set$x[, old]))
    cbind(transfer_labels(path, set$x[, new], labels = set$type[old]), type = set$type[new])
}

halves <- function(set) {
    set.seed(1)
    old <- sort(sample(ncol(set$x), ncol(set$x) %/% 2))
    list(old = old, new = setdiff(seq_len(ncol(set$x)), old))
}

stated_and_observed <- function(name) {
    half <- halves(sets[[name]])
    found <- transferred(sets[[name]], half$old, half$new)
    found <- found[found$label != "unassigned", ]
    band <- cut(found$confidence, c(0, 0.5, 0.7, 0.8, 0.9, 0.95, 1), include.lowest = TRUE)
    right <- found$nearest == found$type
    data.frame(data = name, confidence = c(levels(droplevels(band)), "all"),
               cells = c(tapply(right, droplevels(band), length), length(right)),
               stated = c(tapply(found$confidence, droplevels(band), mean), mean(found$confidence)),
               observed = c(tapply(right, droplevels(band), mean), mean(right)))
}

# Types of at least 20 cells in the half of the reference.
left_out <- function(name) {
    set <- sets[[name]]
    half <- halves(set)
    types <- names(which(table(set$type[half$old]) >= 20))
    if (!settings$full) types <- intersect(c("CD14+", "CD14+ monocyte", types), types)[1]
    do.call(rbind, lapply(types, function(type) {
        found <- transferred(set, half$old[set$type[half$old] != type], half$new)
        foreign <- found$type == type
        data.frame(data = name, left_out = type, cells = sum(foreign),
                   unassigned = mean(found$label[foreign] == "unassigned"),
                   others_unassigned = mean(found$label[!foreign] == "unassigned"))
    }))
}

print_table(do.call(rbind, lapply(names(sets), stated_and_observed)), "transfer_confidence", settings)
print_table(do.call(rbind, lapply(names(sets), left_out)), "transfer_left_out", settings)
