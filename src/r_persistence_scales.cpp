#include <Rcpp.h>

#include "pnmf/persistence_scales.h"
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
