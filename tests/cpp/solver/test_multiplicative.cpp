#include "pnmf/solver/multiplicative.h"

#include "check.h"
#include "pnmf/kernels/kernels.h"
#include "pnmf/solver/multiplicative_updates.h"
#include "random_data.h"
#include "thread_executor.h"

namespace {

using Fitter = pnmf::FitResult (*)(const pnmf::DataMatrix&, const pnmf::ScaleGraphs&, pnmf::FitState,
                                   const pnmf::FitOptions&, pnmf::Executor&, pnmf::Monitor&);

pnmf::FitResult fit(Fitter fitter, const Problem& problem, pnmf::Executor& executor, bool sparse = false) {
  pnmf::Monitor silent;
  const Compressed compressed(problem.X);
  const auto data = sparse ? pnmf::sparse_data(compressed.columns()) : pnmf::dense_data(map_of(problem.X));
  return fitter(*data, problem.graphs(), problem.start, problem.options, executor, silent);
}

Problem medium(unsigned seed) {
  Problem problem;
  Random random(seed);
  problem.X = random.sparse_matrix(40, 30, 0.5);
  add_scales(problem, 4);
  for (int t = 0; t < 4; ++t) {
    problem.start.Wt.push_back(random.matrix(3, 40));
    problem.start.H.push_back(random.matrix(3, 30));
  }
  problem.options.tol = 0;
  problem.options.max_outer = 10;
  problem.options.max_inner = 3;
  return problem;
}

}  // namespace

TEST("mu: 800 random problems stay finite, nonnegative and monotone at every update; sparse = dense") {
  pnmf::SerialExecutor serial;
  for (unsigned seed = 0; seed < 800; ++seed) {
    Problem problem = random_problem(seed, -6, 6);
    problem.options.tol = 0;
    problem.options.max_outer = 3;
    problem.options.max_inner = 2;
    problem.options.record = true;
    const pnmf::FitResult dense = fit(pnmf::fit_multiplicative, problem, serial);
    CHECK(finite_nonnegative(dense.path.Wt) && finite_nonnegative(dense.path.H));
    CHECK(dense.updates.size() == 2 * 3 * 2 * problem.thresholds.size());
    // The start may be far worse than the data: its own size counts for the first differences.
    double previous = std::numeric_limits<double>::infinity(), size = problem.size(dense.updates.front().objective);
    for (const pnmf::UpdateRecord& update : dense.updates) {
      CHECK(update.objective <= previous + 1e-11 * size);
      previous = update.objective;
    }
    const pnmf::FitResult sparse = fit(pnmf::fit_multiplicative, problem, serial, true);
    CHECK(finite_nonnegative(sparse.path.Wt) && finite_nonnegative(sparse.path.H));
    CHECK_NEAR(sparse.objective.back(), dense.objective.back(), 1e-8 * size);
  }
}

TEST("mu: the columns of W sum to one at the end, and the product is what the last update left") {
  pnmf::SerialExecutor serial;
  Problem problem = medium(1);
  problem.options.penalties = {0, 0, 0};
  problem.options.record = true;
  const pnmf::FitResult result = fit(pnmf::fit_multiplicative, problem, serial);
  double data = 0;
  for (int t = 0; t < 4; ++t) {
    for (Index j = 0; j < 3; ++j) CHECK_NEAR(result.path.Wt[t].row(j).sum(), 1.0, 1e-12);
    data += (problem.X - result.path.Wt[t].transpose() * result.path.H[t]).squaredNorm();
  }
  CHECK_NEAR(data, result.objective.back(), 1e-9 * data);
  CHECK_NEAR(result.updates.back().objective, result.objective.back(), 1e-9 * data);
}

TEST("mu and the authors' solver: threads change nothing, dense or sparse") {
  for (Fitter fitter : {pnmf::fit_multiplicative, pnmf::fit_authors}) {
    for (bool sparse : {false, true}) {
      Problem problem = medium(2);
      pnmf::SerialExecutor serial;
      const pnmf::FitResult one = fit(fitter, problem, serial, sparse);
      for (Index threads : {2, 4}) {
        ThreadExecutor executor(threads);
        const pnmf::FitResult other = fit(fitter, problem, executor, sparse);
        CHECK(other.objective == one.objective);
        for (int t = 0; t < 4; ++t) CHECK(same_bits(other.path.H[t], one.path.H[t]));
      }
    }
  }
}

TEST("the authors' solver: 200 random problems stay finite and nonnegative, W of unit columns") {
  pnmf::SerialExecutor serial;
  for (unsigned seed = 0; seed < 200; ++seed) {
    Problem problem = random_problem(5000 + seed, -3, 3);
    problem.options.max_outer = 2;
    problem.options.max_inner = 5;
    problem.options.tol = 1e-3;
    const pnmf::FitResult result = fit(pnmf::fit_authors, problem, serial, seed % 2 == 0);
    CHECK(finite_nonnegative(result.path.Wt) && finite_nonnegative(result.path.H));
    for (const Matrix& Wt : result.path.Wt)
      for (Index j = 0; j < Wt.rows(); ++j) {
        const double length = Wt.row(j).norm();
        CHECK(length == 0 || std::abs(length - 1) < 1e-12);
      }
  }
}

TEST("Lin's step is the plain multiplicative step where nothing is blocked") {
  Random random(3);
  const Matrix X = random.matrix(9, 7);
  Matrix Wt = random.matrix(3, 9, 0.1, 1);
  const Matrix H = random.matrix(3, 7, 0.1, 1), XHt = H * X.transpose(), HHt = pnmf::gram(H);
  const Matrix expected = Wt.cwiseProduct(XHt).cwiseQuotient(HHt * Wt);
  Matrix lin = Wt, plain = Wt;
  pnmf::update_basis_lin(lin, XHt, HHt, 2);
  pnmf::update_basis_plain(plain, XHt, HHt);
  // 1e-9 in the denominators
  CHECK_NEAR((lin - expected).cwiseAbs().maxCoeff(), 0.0, 1e-8);
  CHECK_NEAR((plain - expected).cwiseAbs().maxCoeff(), 0.0, 1e-8);
}

TEST("Lin's step lifts zeros whose gradient is negative, plain steps leave them") {
  const Matrix X = Matrix::Ones(2, 2), H = Matrix::Ones(1, 2);
  Matrix lin = Matrix::Zero(1, 2), plain = Matrix::Zero(1, 2);
  const Matrix XHt = H * X.transpose(), HHt = pnmf::gram(H);
  pnmf::update_basis_lin(lin, XHt, HHt, 2);
  pnmf::update_basis_plain(plain, XHt, HHt);
  CHECK(lin.minCoeff() > 0);
  CHECK(plain.isZero(0));
}

TEST("mu: a monitor can stop the fit, an executor can end it") {
  struct First : pnmf::Monitor {
    bool on_sweep(int, double) override { return false; }
  } monitor;
  const Problem problem = medium(4);
  const auto data = pnmf::dense_data(map_of(problem.X));
  pnmf::SerialExecutor serial;
  const auto graphs = problem.graphs();
  const pnmf::FitResult result =
      pnmf::fit_multiplicative(*data, graphs, problem.start, problem.options, serial, monitor);
  CHECK(result.stopped && result.objective.size() == 1);
  StoppingExecutor stopping(2, 30);
  CHECK_THROWS(pnmf::fit_multiplicative(*data, graphs, problem.start, problem.options, stopping, monitor), Stopped);
}
