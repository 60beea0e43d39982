# Shared style: the colours of Okabe and Ito, which colour-blind readers can distinguish, and a plain theme.
okabe_ito <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#565656", "#F0E442")

# Colours for more groups, from the palettes Polychrome 36 and Alphabet of R: each is the one farthest in Lab from all
# before it. The nearest two of the 30 differ by 23, and two of the first eight by 26; nine steps of viridis by 21.
more_colours <- c("#3B00FB", "#FE00FA", "#FA0087", "#782AB6", "#822E1C", "#85660D", "#1CBE4F", "#000000", "#3283FE",
                  "#F6222E", "#7ED7D1", "#683B79", "#DEA0FD", "#90AD1C", "#F8A19F", "#FC1CBF", "#D85FF7", "#1C7F93",
                  "#AA0DFE", "#B00068", "#B10DA1", "#BDCDFF")

# One colour per group.
group_colours <- function(n) {
    colours <- c(okabe_ito, more_colours)
    if (n <= length(colours)) colours[seq_len(n)] else grDevices::hcl.colors(n, "viridis")
}

pnmf_theme <- function() {
    ggplot2::theme_bw(base_size = 11) +
        ggplot2::theme(panel.grid.minor = ggplot2::element_blank(),
                       strip.background = ggplot2::element_rect(fill = "grey95", colour = NA),
                       panel.spacing.x = ggplot2::unit(11, "pt"))
}

# vjust of a number of size 2.8, about 2 mm high, that stands above a mark of this half height in mm.
above_mark <- function(half_height) -0.4 - half_height / 2

# Texts of marks, a data frame with x, y, text, half_height (in mm) and, where known, genes and leaves: the text of a
# mark stands above it, its genes below. Both stand on the other side of a line that leaves the mark upwards
# (leaves = 1) or downwards (-1). Genes that would not end on an axis of n_scales scales stand one below the other.
# One row per text.
mark_texts <- function(marks, n_scales) {
    named <- which(!is.na(marks$genes))
    leaves <- if (is.null(marks$leaves)) rep(0, nrow(marks)) else marks$leaves
    above <- above_mark(marks$half_height)
    genes <- as.character(marks$genes[named])
    long <- text_end(marks$x[named], genes) > n_scales + 0.5
    genes[long] <- gsub(" ", "\n", genes[long], fixed = TRUE)
    # Heights of the text between the mark and the genes, and of the genes, in lines.
    between <- above[named] - 1.2 * (leaves[named] != 0)
    lines <- lengths(strsplit(genes, "\n", fixed = TRUE))
    place <- c(seq_along(above), named)
    data.frame(x = marks$x[place], y = marks$y[place], text = c(marks$text, genes),
               vjust = c(ifelse(leaves > 0, 1 - above, above),
                         ifelse(leaves[named] < 0, between / lines, 1 - between / lines)),
               face = rep(c("plain", "italic"), c(length(above), length(named))))
}

# Of texts that would overlap in the figure as it is drawn, the first is drawn.
text_layer <- function(texts) {
    ggplot2::geom_text(ggplot2::aes(x = .data$x, y = .data$y, label = .data$text), data = texts, vjust = texts$vjust,
                       fontface = texts$face, size = ifelse(texts$face == "italic", 2.5, 2.8), colour = "grey20",
                       hjust = 0, nudge_x = 0.1, check_overlap = TRUE)
}

# Where an axis of scales, 0.5 to n_scales + 0.5, must end so that no text is cut off.
axis_end <- function(texts, n_scales) max(n_scales + 0.5, text_end(texts$x, texts$text))

# The end of an axis that begins at 0.5 and has just room for a text at x. In a figure 7 inches wide, with a legend, a
# letter takes 1.2% of the panel.
text_end <- function(x, text) {
    width <- vapply(strsplit(text, "\n", fixed = TRUE), function(lines) max(nchar(lines), 0L), 0L)
    0.5 + (x - 0.4) / (1 - pmin(0.012 * width, 0.6))
}

# Points small and faint enough that thousands remain readable.
point_size <- function(n) max(0.3, min(2, 20 / sqrt(n)))
point_alpha <- function(n) max(0.25, min(0.9, 40 / sqrt(n)))
