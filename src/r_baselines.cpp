#include <Rcpp.h>

#include "pnmf/gnmf_hals.h"
#include "pnmf/nearest_neighbors.h"
#include "r_convert.h"
#include "r_executor.h"

// [[Rcpp::export(rng = false)]]
Rcpp::List nearest_neighbors_cpp(SEXP x, int k, int threads) {
  RcppParallelExecutor executor(threads);
  const auto distances = as_distances(x, "euclidean", Rcpp::NumericVector());
  const pnmf::NearestNeighbors found = pnmf::nearest_neighbors(*distances, k, executor);
  Rcpp::IntegerMatrix index(static_cast<int>(found.index.rows()), k, found.index.data());
  for (int& cell : index) ++cell;
  return Rcpp::List::create(Rcpp::Named("index") = index, Rcpp::Named("length") = wrap_matrix(found.length),
                            Rcpp::Named("longest") = found.longest_distance);
}

// Graph-regularised NMF. adjacency: a symmetric dgCMatrix with zero diagonal
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_gnmf_cpp(SEXP x, Rcpp::S4 adjacency, Rcpp::NumericMatrix W, Rcpp::NumericMatrix H, double lambda,
                        int max_steps, double tol, int threads, bool hals) {
  RcppParallelExecutor executor(threads);
  const auto data = as_data(x);
  const SparseView weights(adjacency);
  pnmf::Matrix basis = as_dense(W).transpose(), embedding = as_dense(H);
  const auto fit = hals ? pnmf::fit_gnmf_hals : pnmf::fit_gnmf;
  const pnmf::GnmfRecord done = fit(*data, as_graph(weights), basis, embedding, {lambda, max_steps, tol}, executor);
  return Rcpp::List::create(Rcpp::Named("W") = wrap_transposed(basis), Rcpp::Named("H") = wrap_matrix(embedding),
                            Rcpp::Named("loss") = done.loss, Rcpp::Named("steps") = done.steps,
                            Rcpp::Named("converged") = done.converged);
}
