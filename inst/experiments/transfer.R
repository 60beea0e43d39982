# Labels for new cells: half of the cells are the reference, the others are new.
#   1. Stated against observed: is the confidence of transfer_labels() the share of right labels?
#   2. A reference without one of its types: how many cells of that type, and of the others, stay unassigned? And if the
#      2,000 variable genes are those of the reference, which knows nothing of that type (pbmc_facs)?
# Rscript inst/experiments/transfer.R [output folder] [--full] [--threads=N]
# Sets: pbmc_sorted; with PNMF_SHARED also pbmc_facs (2,000 variable genes) and tms_liver. --full: every type of the
# three sets is left out in turn, instead of one per set.
source(system.file("experiments", "common.R", package = "pNMF", mustWork = TRUE))
settings <- experiment_settings()

data(pbmc_sorted)
sets <- c(list(pbmc_sorted = list(X = normalize_counts(pbmc_sorted$counts), y = pbmc_sorted$type)),
          variable_sets(settings, c("pbmc_facs", "tms_liver")))
all_genes <- lapply(labelled_sets(settings, "pbmc_facs"), function(set) normalize_counts(expm1(set$X)))

transferred <- function(set, old, new) {
    type <- as.character(set$y)
    path <- suppressMessages(pnmf(set$X[, old]))
    cbind(transfer_labels(path, set$X[, new], labels = type[old]), type = type[new])
}

halves <- function(set) {
    set.seed(1)
    old <- sort(sample(ncol(set$X), ncol(set$X) %/% 2))
    list(old = old, new = setdiff(seq_len(ncol(set$X)), old))
}

stated_and_observed <- function(name) {
    half <- halves(sets[[name]])
    found <- transferred(sets[[name]], half$old, half$new)
    found <- found[found$label != "unassigned", ]
    right <- found$nearest == found$type
    bands <- list(all = c(0, 1), `below .8` = c(0, 0.8), `.8 to .95` = c(0.8, 0.95), `above .95` = c(0.95, 1))
    do.call(rbind, lapply(names(bands), function(band) {
        inside <- found$confidence >= bands[[band]][1] & found$confidence <= bands[[band]][2]
        data.frame(data = name, confidence = band, cells = sum(inside), stated = mean(found$confidence[inside]),
                   observed = mean(right[inside]))
    }))
}

# Types of at least 20 cells in the half of the reference.
left_out <- function(name) {
    set <- sets[[name]]
    half <- halves(set)
    old <- as.character(set$y)[half$old]
    types <- names(which(table(old) >= 20))
    if (!settings$full) types <- intersect(c("CD14+", types), types)[1]
    do.call(rbind, lapply(types, function(type) {
        reference <- half$old[old != type]
        found <- transferred(set, reference, half$new)
        foreign <- found$type == type
        own_genes <- if (settings$full && !is.null(all_genes[[name]])) {
            genes <- rownames(variable_rows(all_genes[[name]][, reference], 2000L))
            own <- transferred(list(X = all_genes[[name]][genes, ], y = set$y), reference, half$new)
            mean(own$label[foreign] == "unassigned")
        }
        data.frame(data = name, left_out = type, cells = sum(foreign),
                   unassigned = mean(found$label[foreign] == "unassigned"),
                   others_unassigned = mean(found$label[!foreign] == "unassigned"),
                   unassigned_own_genes = if (is.null(own_genes)) NA else own_genes)
    }))
}

print_table(do.call(rbind, lapply(names(sets), stated_and_observed)), "transfer_confidence", settings)
print_table(do.call(rbind, lapply(names(sets), left_out)), "transfer_left_out", settings)
