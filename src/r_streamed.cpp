#include <Rcpp.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "pnmf/data/memory_blocks.h"
#include "r_convert.h"
#include "r_data.h"
#include "r_executor.h"

namespace {

std::unique_ptr<pnmf::DataMatrix> in_blocks(SEXP x) {
  if (TYPEOF(x) == VECSXP) return as_data(x);
  return pnmf::streamed_data(Rf_isS4(x) ? pnmf::sparse_blocks(SparseView(Rcpp::S4(x)).columns())
                                        : pnmf::dense_blocks(as_dense(Rcpp::NumericMatrix(x))));
}

}  // namespace

// Returns memory that is free now to the system, if the C library supports it. Changes no setting.
// [[Rcpp::export(rng = false)]]
void return_free_memory_cpp() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// W'X; x: matrix, dgCMatrix or streamed_matrix
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix basis_product_cpp(SEXP x, Rcpp::NumericMatrix W, int threads) {
  RcppParallelExecutor executor(threads);
  return wrap_matrix(in_blocks(x)->basis_product(as_dense(W).transpose(), executor));
}

// XX'; x: matrix, dgCMatrix or streamed_matrix
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix feature_gram_cpp(SEXP x, int threads) {
  RcppParallelExecutor executor(threads);
  return wrap_matrix(pnmf::feature_gram(*in_blocks(x), executor));
}
