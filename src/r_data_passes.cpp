#include <Rcpp.h>

#include <chrono>

#include "pnmf/solver/path_solver.h"
#include "r_convert.h"
#include "r_executor.h"
#include "r_workers.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Adds up the time that one thread spends in both products.
class TimedData : public pnmf::DataMatrix {
 public:
  explicit TimedData(std::unique_ptr<pnmf::DataMatrix> data) : data_(std::move(data)) {}
  pnmf::Index features() const override { return data_->features(); }
  pnmf::Index cells() const override { return data_->cells(); }
  double squared_norm() const override { return data_->squared_norm(); }
  pnmf::Index nonzeros() const override { return data_->nonzeros(); }
  pnmf::Matrix feature_rows(pnmf::Index begin, pnmf::Index n) const override { return data_->feature_rows(begin, n); }
  pnmf::Matrix basis_product(const pnmf::Matrix& Wt, pnmf::Executor& executor) const override {
    return timed([&] { return data_->basis_product(Wt, executor); });
  }
  pnmf::Matrix embedding_product(const pnmf::Matrix& H, pnmf::Executor& executor) const override {
    return timed([&] { return data_->embedding_product(H, executor); });
  }

  mutable double seconds = 0, products = 0;

 private:
  template <typename Product>
  pnmf::Matrix timed(const Product& product) const {
    const auto begin = Clock::now();
    pnmf::Matrix result = product();
    seconds += seconds_since(begin);
    ++products;
    return result;
  }
  std::unique_ptr<pnmf::DataMatrix> data_;
};

// Starts the clocks after the first sweep and stops them after the last.
class SweepClock : public pnmf::Monitor {
 public:
  SweepClock(TimedData& data, int sweeps) : data_(data), sweeps_(sweeps) {}
  bool sweep_done(int sweep, double, const pnmf::Path&) override {
    if (sweep == 1) {
      data_.seconds = data_.products = 0;
      begin_ = Clock::now();
    }
    if (sweep == sweeps_) {
      seconds = seconds_since(begin_);
      pass_seconds = data_.seconds;
      products = data_.products;
    }
    return true;
  }
  double seconds = 0, pass_seconds = 0, products = 0;

 private:
  TimedData& data_;
  int sweeps_;
  Clock::time_point begin_;
};

}  // namespace

// Seconds for `repeats` rounds of both passes over the data, W'X and XH': what the benchmarks compare a sweep with.
// [[Rcpp::export(rng = false)]]
double data_pass_seconds_cpp(SEXP x, Rcpp::NumericMatrix W, Rcpp::NumericMatrix H, int repeats, int threads) {
  RcppParallelExecutor executor(threads);
  const auto data = as_data(x);
  const pnmf::Matrix Wt = as_dense(W).transpose(), Hm = as_dense(H);
  const auto begin = Clock::now();
  for (int k = 0; k < repeats; ++k) {
    data->basis_product(Wt, executor);
    data->embedding_product(Hm, executor);
  }
  return seconds_since(begin);
}

// Where the time of the default solver goes, on one thread, all sweeps but the first: seconds in all, seconds in
// products with the data, and the number of those products.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector timed_sweeps_cpp(SEXP x, Rcpp::List edges, Rcpp::NumericVector thresholds, double alpha,
                                     Rcpp::NumericMatrix W, Rcpp::NumericMatrix H, Rcpp::List options) {
  RcppParallelExecutor executor(1);
  TimedData data(as_data(x));
  const pnmf::ScaleGraphs graphs(pnmf::NestedGraph(data.cells(), as_edges(edges)),
                                 Rcpp::as<std::vector<double>>(thresholds), alpha);
  const pnmf::FitOptions fit_options = as_fit_options(options);
  SweepClock clock(data, fit_options.max_outer);
  pnmf::fit_path(data, graphs, pnmf::Path{{as_dense(W).transpose()}, {as_dense(H)}}, pnmf::Solver::hals, fit_options,
                 executor, clock);
  return Rcpp::NumericVector::create(Rcpp::Named("seconds") = clock.seconds, Rcpp::Named("passes") = clock.pass_seconds,
                                     Rcpp::Named("products") = clock.products);
}
