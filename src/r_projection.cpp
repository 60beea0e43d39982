#include <Rcpp.h>

#include "pnmf/solver/projection.h"
#include "r_convert.h"
#include "r_data.h"
#include "r_executor.h"

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix project_cells_cpp(SEXP x, Rcpp::NumericMatrix W, int max_steps, double tol, int threads) {
  RcppParallelExecutor executor(threads);
  return wrap_matrix(pnmf::project_cells(*as_data(x), as_dense(W).transpose(), max_steps, tol, executor));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix basis_for_cpp(SEXP x, Rcpp::NumericMatrix H, int max_steps, double tol, int threads) {
  RcppParallelExecutor executor(threads);
  return wrap_transposed(pnmf::basis_for(*as_data(x), as_dense(H), max_steps, tol, executor));
}
