#include <Rcpp.h>

#include <chrono>

#include "r_convert.h"
#include "r_executor.h"

// Seconds for `repeats` rounds of both passes over the data, W'X and XH': what the benchmarks compare a sweep with.
// [[Rcpp::export(rng = false)]]
double data_pass_seconds_cpp(SEXP x, Rcpp::NumericMatrix W, Rcpp::NumericMatrix H, int repeats, int threads) {
  RcppParallelExecutor executor(threads);
  const auto data = as_data(x);
  const pnmf::Matrix Wt = as_dense(W).transpose(), Hm = as_dense(H);
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < repeats; ++k) {
    data->basis_product(Wt, executor);
    data->embedding_product(Hm, executor);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
