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

// r: rank x cells of every scale; S: rank x rank of every scale; c: scales x cells
// [[Rcpp::export(rng = false)]]
Rcpp::List place_cells_cpp(Rcpp::List r, Rcpp::List S, Rcpp::NumericMatrix c, std::vector<double> weight,
                           std::vector<double> spring, int max_rounds, double tol, int threads) {
  pnmf::PlacementProblem problem{{}, {}, as_dense(c), std::move(weight), std::move(spring)};
  for (R_xlen_t t = 0; t < r.size(); ++t) {
    problem.r.emplace_back(as_dense(r[t]));
    problem.S.emplace_back(pnmf::Matrix(as_dense(S[t])));
  }
  RcppParallelExecutor executor(threads);
  Rcpp::List result(r.size());
  const auto H = pnmf::place_cells(problem, max_rounds, tol, executor);
  for (R_xlen_t t = 0; t < r.size(); ++t) result[t] = wrap_matrix(H[t]);
  return result;
}
