#include <Rcpp.h>

#include "pnmf/geometry/approximate_neighbors.h"
#include "pnmf/geometry/approximate_tree.h"
#include "pnmf/geometry/exact_neighbors.h"
#include "pnmf/geometry/outgoing_edge_search.h"
#include "pnmf/geometry/persistence_scales.h"
#include "pnmf/geometry/query_neighbors.h"
#include "r_convert.h"
#include "r_executor.h"

// [[Rcpp::export(rng = false)]]
Rcpp::List spanning_tree_cpp(SEXP x, std::string metric, Rcpp::NumericVector local_scale, int threads) {
  RcppParallelExecutor executor(threads);
  const auto distances = as_distances(x, metric, local_scale);
  const pnmf::SpanningTree tree = pnmf::minimum_spanning_tree(*distances, executor);
  return Rcpp::List::create(Rcpp::Named("edges") = wrap_edges(tree.edges),
                            Rcpp::Named("longest") = tree.longest_distance);
}

// neighbors: cells x k, 1-based
// [[Rcpp::export(rng = false)]]
Rcpp::List approximate_tree_cpp(SEXP x, std::string metric, Rcpp::NumericVector local_scale,
                                Rcpp::IntegerMatrix neighbors, int threads) {
  RcppParallelExecutor executor(threads);
  const auto distances = as_distances(x, metric, local_scale);
  const Eigen::MatrixXi near =
      Eigen::Map<const Eigen::MatrixXi>(neighbors.begin(), neighbors.nrow(), neighbors.ncol()).array() - 1;
  const pnmf::SpanningTree tree = pnmf::approximate_spanning_tree(*distances, near, executor);
  return Rcpp::List::create(Rcpp::Named("edges") = wrap_edges(tree.edges),
                            Rcpp::Named("longest") = tree.longest_distance);
}

// Euclidean neighbours of every cell, nearest first. how: "exact", "approximate" (nearly all are right), or "all",
// which compares all pairs and also finds the longest distance.
// [[Rcpp::export(rng = false)]]
Rcpp::List nearest_neighbors_cpp(SEXP x, int k, std::string how, int threads) {
  RcppParallelExecutor executor(threads);
  const auto distances = as_distances(x, "euclidean", Rcpp::NumericVector());
  const auto search = how == "approximate" ? pnmf::approximate_neighbors
                      : how == "exact"     ? pnmf::exact_neighbors
                                           : pnmf::nearest_neighbors;
  const pnmf::NearestNeighbors found = search(*distances, k, executor);
  Rcpp::IntegerMatrix index(static_cast<int>(found.index.rows()), k, found.index.data());
  for (int& cell : index) ++cell;
  return Rcpp::List::create(Rcpp::Named("index") = index, Rcpp::Named("length") = wrap_matrix(found.length),
                            Rcpp::Named("longest") = found.longest_distance);
}

// points, queries: dimensions x cells
// [[Rcpp::export(rng = false)]]
Rcpp::List query_neighbors_cpp(Rcpp::NumericMatrix points, Rcpp::NumericMatrix queries, int k, int threads) {
  RcppParallelExecutor executor(threads);
  const pnmf::NearestNeighbors found = pnmf::query_neighbors(as_dense(points), as_dense(queries), k, executor);
  Rcpp::IntegerMatrix index(static_cast<int>(found.index.rows()), k, found.index.data());
  for (int& cell : index) ++cell;
  return Rcpp::List::create(Rcpp::Named("index") = index, Rcpp::Named("distance") = wrap_matrix(found.length));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector count_edges_cpp(SEXP x, std::string metric, Rcpp::NumericVector local_scale,
                                    Rcpp::NumericVector thresholds, int threads) {
  RcppParallelExecutor executor(threads);
  const auto distances = as_distances(x, metric, local_scale);
  return Rcpp::wrap(pnmf::count_edges(*distances, Rcpp::as<std::vector<double>>(thresholds), executor));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List edges_below_cpp(SEXP x, std::string metric, Rcpp::NumericVector local_scale, double threshold, int threads) {
  RcppParallelExecutor executor(threads);
  const auto distances = as_distances(x, metric, local_scale);
  return wrap_edges(pnmf::edges_below(*distances, threshold, executor));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List edges_with_lengths_cpp(SEXP x, std::string metric, Rcpp::NumericVector local_scale, Rcpp::List pairs) {
  const auto distances = as_distances(x, metric, local_scale);
  pnmf::EdgeList edges = as_edges(pairs);
  edges.length = pnmf::pair_lengths(*distances, edges.i, edges.j);
  pnmf::sort_edges(edges);
  return wrap_edges(edges);
}

// The positions of the edges of a spanning forest that takes those that come first, and the component of every cell,
// numbered by first appearance. Cells and positions are 1-based.
// [[Rcpp::export(rng = false)]]
Rcpp::List spanning_forest_cpp(int cells, Rcpp::IntegerVector i, Rcpp::IntegerVector j) {
  pnmf::Components components(cells);
  std::vector<int> edges, number(cells, 0), component(cells);
  for (R_xlen_t e = 0; e < i.size(); ++e) {
    if (components.join(i[e] - 1, j[e] - 1)) edges.push_back(static_cast<int>(e) + 1);
  }
  int last = 0;
  for (int cell = 0; cell < cells; ++cell) {
    int& own = number[components.root(cell)];
    if (own == 0) own = ++last;
    component[cell] = own;
  }
  return Rcpp::List::create(Rcpp::Named("edges") = edges, Rcpp::Named("component") = component);
}
