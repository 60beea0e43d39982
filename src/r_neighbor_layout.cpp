#include "pnmf/layout/neighbor_layout.h"
#include "r_convert.h"
#include "r_executor.h"

// index, length: neighbours, cells x k, 1-based; start: 2 x cells.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix neighbor_layout_cpp(Rcpp::IntegerMatrix index, Rcpp::NumericMatrix length,
                                        Rcpp::NumericMatrix start, int epochs, int seed, int threads) {
  RcppParallelExecutor executor(threads);
  pnmf::NearestNeighbors near;
  near.index = Eigen::Map<const Eigen::MatrixXi>(index.begin(), index.nrow(), index.ncol()).array() - 1;
  near.length = as_dense(length);
  const pnmf::LayoutOptions options{epochs, static_cast<std::uint64_t>(seed)};
  return wrap_matrix(pnmf::neighbor_layout(near, as_dense(start), options, executor));
}
