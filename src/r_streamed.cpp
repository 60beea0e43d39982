#include <Rcpp.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "pnmf/data/memory_blocks.h"
#include "r_convert.h"
#include "r_executor.h"

namespace {

// Reads through R functions, collect() and then read(block number), on R's own thread.
class RBlocks : public pnmf::CellBlocks {
 public:
  explicit RBlocks(const Rcpp::List& x)
      : dim_(x["dim"]), first_(x["first"]), collect_(Rcpp::as<Rcpp::Function>(x["collect"])),
        read_(Rcpp::as<Rcpp::Function>(x["read"])),
        nonzeros_(static_cast<pnmf::Index>(Rcpp::as<double>(x["nonzeros"]))),
        squared_norm_(Rcpp::as<double>(x["squared_norm"])) {}
  pnmf::Index features() const override { return dim_[0]; }
  pnmf::Index cells() const override { return dim_[1]; }
  pnmf::Index nonzeros() const override { return nonzeros_; }
  double squared_norm() const override { return squared_norm_; }
  void visit(const std::function<void(pnmf::Index, const pnmf::DataMatrix&)>& body) const override {
    for (R_xlen_t b = 0; b < first_.size(); ++b) {
      collect_();
      const Rcpp::RObject block = read_(static_cast<int>(b + 1));
      body(first_[b] - 1, *as_data(block));
    }
  }

 private:
  Rcpp::IntegerVector dim_, first_;
  Rcpp::Function collect_, read_;
  pnmf::Index nonzeros_;
  double squared_norm_;
};

std::unique_ptr<pnmf::DataMatrix> in_blocks(SEXP x) {
  if (TYPEOF(x) == VECSXP) return as_data(x);
  return pnmf::streamed_data(Rf_isS4(x) ? pnmf::sparse_blocks(SparseView(Rcpp::S4(x)).columns())
                                        : pnmf::dense_blocks(as_dense(Rcpp::NumericMatrix(x))));
}

}  // namespace

std::unique_ptr<pnmf::CellBlocks> as_blocks(const Rcpp::List& x) { return std::make_unique<RBlocks>(x); }

// Returns freed memory to the system, if the C library supports it. From now on, it keeps blocks of data for the next
// block, but returns larger pieces, such as embeddings of many cells, as soon as they are freed.
// [[Rcpp::export(rng = false)]]
void return_free_memory_cpp() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 12 << 20);
  mallopt(M_TRIM_THRESHOLD, 32 << 20);
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
