#include <Rcpp.h>

#include "r_convert.h"
#include "r_executor.h"

namespace {

// Reads through an R function(block number), on R's own thread.
class RBlocks : public pnmf::CellBlocks {
 public:
  explicit RBlocks(const Rcpp::List& x)
      : dim_(x["dim"]), first_(x["first"]), read_(Rcpp::as<Rcpp::Function>(x["read"])),
        entries_(static_cast<pnmf::Index>(Rcpp::as<double>(x["entries"]))),
        squared_norm_(Rcpp::as<double>(x["squared_norm"])) {}
  pnmf::Index features() const override { return dim_[0]; }
  pnmf::Index cells() const override { return dim_[1]; }
  pnmf::Index entries() const override { return entries_; }
  double squared_norm() const override { return squared_norm_; }
  void visit(const std::function<void(pnmf::Index, const pnmf::DataMatrix&)>& body) const override {
    for (R_xlen_t b = 0; b < first_.size(); ++b) {
      const Rcpp::RObject block = read_(static_cast<int>(b + 1));
      body(first_[b] - 1, *as_data(block));
    }
  }

 private:
  Rcpp::IntegerVector dim_, first_;
  Rcpp::Function read_;
  pnmf::Index entries_;
  double squared_norm_;
};

}  // namespace

std::unique_ptr<pnmf::CellBlocks> as_blocks(const Rcpp::List& x) { return std::make_unique<RBlocks>(x); }

// W'X of a streamed_matrix
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix basis_product_cpp(Rcpp::List x, Rcpp::NumericMatrix W, int threads) {
  RcppParallelExecutor executor(threads);
  return wrap_matrix(as_data(x)->basis_product(as_dense(W).transpose(), executor));
}

// X X' of a streamed_matrix
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix feature_gram_cpp(Rcpp::List x, int threads) {
  RcppParallelExecutor executor(threads);
  return wrap_matrix(pnmf::feature_gram(*as_blocks(x), executor));
}
