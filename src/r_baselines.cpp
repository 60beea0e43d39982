#include <Rcpp.h>

#include "pnmf/solver/gnmf.h"
#include "r_convert.h"
#include "r_data.h"
#include "r_executor.h"

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
