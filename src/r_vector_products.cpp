#include <Rcpp.h>

#include "pnmf/data/vector_products.h"
#include "r_convert.h"
#include "r_data.h"
#include "r_executor.h"

// X v, or X'v when transposed; x: matrix, dgCMatrix or streamed_matrix
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector vector_product_cpp(SEXP x, Rcpp::NumericVector v, bool transposed) {
  Rcpp::checkUserInterrupt();  // the executor only polls during long tasks
  RcppParallelExecutor executor(1);
  const pnmf::ConstVectorMap vector(v.begin(), v.size());
  const auto product = [&](const auto& X) {
    return transposed ? pnmf::multiply_transposed(X, vector, executor) : pnmf::multiply(X, vector, executor);
  };
  if (TYPEOF(x) == VECSXP) {
    const auto data = as_data(x);
    const pnmf::Matrix factor = vector.transpose();
    const pnmf::Matrix streamed =
        transposed ? data->basis_product(factor, executor) : data->embedding_product(factor, executor);
    return Rcpp::NumericVector(streamed.data(), streamed.data() + streamed.size());
  }
  const pnmf::Vector result =
      Rf_isS4(x) ? product(SparseView(Rcpp::S4(x)).columns()) : product(as_dense(Rcpp::NumericMatrix(x)));
  return Rcpp::NumericVector(result.data(), result.data() + result.size());
}
