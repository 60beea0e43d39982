#include "r_data.h"

#include "pnmf/data/projected_data.h"
#include "pnmf/data/streamed_data.h"
#include "r_convert.h"

namespace {

// A list(dim, first, collect, read, nonzeros, squared_norm) of streamed_matrix(): reads through R functions, collect()
// and then read(block number), on R's own thread.
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

}  // namespace

std::unique_ptr<pnmf::DataMatrix> as_projection(const Rcpp::List& x) {
  return pnmf::projected_data({as_dense(Rcpp::NumericMatrix(static_cast<SEXP>(x["U"]))).transpose(),
                               as_dense(Rcpp::NumericMatrix(static_cast<SEXP>(x["UtX"])))});
}

std::unique_ptr<pnmf::DataMatrix> as_data(SEXP x) {
  if (TYPEOF(x) == VECSXP) return pnmf::streamed_data(std::make_unique<RBlocks>(Rcpp::List(x)));
  if (Rf_isS4(x)) return pnmf::sparse_data(SparseView(Rcpp::S4(x)).columns());
  return pnmf::dense_data(as_dense(Rcpp::NumericMatrix(x)));
}
