#' @rdname seurat-pnmf
#' @method RunPNMF Seurat
#' @export
RunPNMF.Seurat <- function(object, assay = NULL, features = NULL, layer = "data", rank = NULL, n.scales = NULL,
                           space = NULL, distance.dims = NULL, ..., reduction.name = "pnmf", reduction.key = NULL,
                           verbose = getOption("pNMF.progress", TRUE)) {
    renamed <- with_new_names(match.call(), former_seurat_names)
    if (!is.null(renamed)) return(do.call(RunPNMF, as.list(renamed)[-1L], envir = parent.frame()))
    assert_fit_dots(..., own = seurat_words, also = names(formals(RunPNMF.default)))
    assay <- assert_assay(object, assay)
    reduction.name <- assert_string(reduction.name, "reduction.name")
    if (is.null(reduction.key)) reduction.key <- key_of(reduction.name)
    coordinates <- distance_coordinates(object, space, distance.dims)
    if (is.null(coordinates) && leaves_distances_open(...)) {
        coordinates <- own_components(seurat_components(object, assay))
    }
    # The recorded command must not hold coordinates.
    if (!is.character(space)) space <- NULL
    reduction <- RunPNMF(
        object[[assay]], assay = assay, features = features, layer = layer, rank = rank, n.scales = n.scales,
        space = coordinates, reduction.key = reduction.key, verbose = verbose, ...
    )
    object <- without_earlier_path(object, reduction.name)
    object <- with_reduction(object, reduction.name, reduction)
    SeuratObject::LogSeuratCommand(object)
}

#' @rdname seurat-pnmf
#' @method RunPNMF Assay
#' @export
RunPNMF.Assay <- function(object, assay = NULL, features = NULL, layer = "data",
                          verbose = getOption("pNMF.progress", TRUE), ...) {
    assert_installed("SeuratObject", "RunPNMF()")
    renamed <- with_new_names(match.call(), former_seurat_names)
    if (!is.null(renamed)) return(do.call(RunPNMF, as.list(renamed)[-1L], envir = parent.frame()))
    assert_fit_dots(..., own = seurat_words, also = names(formals(RunPNMF.default)))
    if (is.null(assay)) assay <- "RNA"
    x <- seurat_layer(object, assay, features, layer, fit_memory(...))
    with_counts_named(RunPNMF(x, assay = assay, verbose = verbose, ...),
                      paste0("the '", layer, "' layer of assay '", assay, "'"), "run NormalizeData()")
}

#' @rdname seurat-pnmf
#' @method RunPNMF StdAssay
#' @export
RunPNMF.StdAssay <- RunPNMF.Assay

# What other functions call the arguments of RunPNMF().
seurat_words <- c(scales = "n.scales", dims = "distance.dims", reduction = "space", name = "reduction.name")

# Every reduction of an object needs a key of its own.
key_of <- function(reduction) {
    letters <- gsub("[^[:alnum:]]", "", reduction)
    paste0(if (nzchar(letters)) toupper(letters) else "PNMF", "_")
}

# The principal components of this assay, cells x dimensions, if the object has them for all cells.
seurat_components <- function(object, assay) {
    components <- object@reductions[["pca"]]
    if (is.null(components) || !identical(SeuratObject::DefaultAssay(components), assay)) return(NULL)
    components <- SeuratObject::Embeddings(components)
    if (identical(rownames(components), colnames(object))) components
}

# cells x dimensions, or NULL
distance_coordinates <- function(object, space, dims) {
    if (is.null(space)) {
        if (!is.null(dims)) stop_pnmf("'distance.dims' must be NULL without a 'space', such as space = \"pca\"")
        return(NULL)
    }
    if (is.character(space)) {
        # Checked first, because an error inside an S4 method such as [[ would lose its class.
        space <- assert_reduction(object, space, "space")
        space <- SeuratObject::Embeddings(object[[space]])
    }
    chosen_dimensions(space, dims, "distance.dims")
}

# Scale t as a reduction; the active one contains the whole path.
seurat_reduction <- function(path, assay, key, t = active_scale(path), misc = list(path = path, scale = t)) {
    embedding <- embedding(path, t)
    loading <- loading(path, t)
    colnames(embedding) <- colnames(loading) <- paste0(key, seq_len(ncol(embedding)))
    SeuratObject::CreateDimReducObject(
        embeddings = embedding, loadings = loading, stdev = unname(factor_weights(path, t)), key = key, assay = assay,
        misc = misc
    )
}

# Without the old one first: SeuratObject 5 warns of a reduction that changes its dimensions.
with_reduction <- function(object, name, reduction) {
    object@reductions[[name]] <- NULL
    object[[name]] <- reduction
    object
}

assert_assay <- function(object, assay) {
    if (is.null(assay)) return(SeuratObject::DefaultAssay(object))
    assay <- assert_string(assay, "assay")
    assays <- names(object@assays)
    if (!(assay %in% assays)) {
        stop_pnmf("'assay' must be one of the object's assays (", paste(assays, collapse = ", "), "), not \"", assay,
                  "\"")
    }
    assay
}
