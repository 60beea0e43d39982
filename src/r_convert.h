#pragma once

#include <Rcpp.h>

#include <memory>

#include "pnmf/data/data_matrix.h"
#include "pnmf/geometry/distances.h"
#include "pnmf/graph/scale_graph.h"

// Converts R objects to those of the core. R has validated everything, and nothing is copied unless necessary.

inline pnmf::ConstMatrixMap as_dense(const Rcpp::NumericMatrix& x) { return {x.begin(), x.nrow(), x.ncol()}; }

// A view of a dgCMatrix; the slots must outlive it.
struct SparseView {
  explicit SparseView(const Rcpp::S4& x)
      : dim(x.slot("Dim")), row(x.slot("i")), start(x.slot("p")), value(x.slot("x")) {}
  pnmf::SparseColumns columns() const { return {dim[0], dim[1], row.begin(), value.begin(), start.begin()}; }
  Rcpp::IntegerVector dim, row, start;
  Rcpp::NumericVector value;
};

// The graph of a symmetric dgCMatrix with zero diagonal; the view must outlive it.
inline pnmf::ScaleGraph as_graph(const SparseView& weights) {
  return {weights.dim[1], weights.row.begin(), weights.value.begin(), weights.start.begin()};
}

inline std::unique_ptr<pnmf::Distances> as_distances(SEXP x, const std::string& metric,
                                                     const Rcpp::NumericVector& local_scale) {
  const pnmf::Metric kind = metric == "cosine"     ? pnmf::Metric::cosine
                            : metric == "local"    ? pnmf::Metric::local
                            : metric == "adaptive" ? pnmf::Metric::adaptive
                                                   : pnmf::Metric::euclidean;
  const pnmf::ConstVectorMap scale(local_scale.begin(), local_scale.size());
  if (Rf_inherits(x, "dist")) {
    const Rcpp::NumericVector d(x);
    return pnmf::stored_distances(Rcpp::as<int>(d.attr("Size")), d.begin());
  }
  if (Rf_isS4(x)) return pnmf::sparse_distances(SparseView(Rcpp::S4(x)).columns(), kind, scale);
  return pnmf::dense_distances(as_dense(Rcpp::NumericMatrix(x)), kind, scale);
}

// Edges are 1-based in R.
inline Rcpp::List wrap_edges(const pnmf::EdgeList& edges) {
  Rcpp::IntegerVector i(edges.i.begin(), edges.i.end()), j(edges.j.begin(), edges.j.end());
  return Rcpp::List::create(Rcpp::Named("i") = i + 1, Rcpp::Named("j") = j + 1,
                            Rcpp::Named("length") = Rcpp::wrap(edges.length));
}

inline pnmf::EdgeList as_edges(const Rcpp::List& edges) {
  const Rcpp::IntegerVector i(edges["i"]), j(edges["j"]);
  pnmf::EdgeList result;
  result.i.resize(i.size());
  result.j.resize(j.size());
  for (R_xlen_t e = 0; e < i.size(); ++e) {
    result.i[e] = i[e] - 1;
    result.j[e] = j[e] - 1;
  }
  result.length = Rcpp::as<std::vector<double>>(edges["length"]);
  return result;
}

inline Rcpp::NumericMatrix wrap_matrix(const pnmf::Matrix& m) {
  return Rcpp::NumericMatrix(static_cast<int>(m.rows()), static_cast<int>(m.cols()), m.data());
}

inline Rcpp::NumericMatrix wrap_transposed(const pnmf::Matrix& m) { return wrap_matrix(m.transpose()); }
