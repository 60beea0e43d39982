# Names of factors and scales, and the order of labels.

factor_names <- function(rank) paste0("factor", seq_len(rank))

scale_name <- function(t) paste0("scale.", t)

# 1, 2, 10 rather than 1, 10, 2.
label_order <- function(labels) {
    distinct <- unique(labels)
    numbers <- suppressWarnings(as.numeric(distinct))
    if (anyNA(numbers)) sort(distinct, method = "radix") else distinct[order(numbers)]
}
