#include "pnmf/solver/gnmf.h"

#include "check.h"

namespace {

// Four cells in a row with weights 1, on data of rank above 2.
struct Problem {
  pnmf::Matrix X = pnmf::Matrix::Random(6, 4).cwiseAbs();
  pnmf::Matrix Wt = pnmf::Matrix::Random(2, 6).cwiseAbs();
  pnmf::Matrix H = pnmf::Matrix::Random(2, 4).cwiseAbs();
  std::vector<int> row{1, 0, 2, 1, 3, 2}, start{0, 1, 3, 5, 6};
  std::vector<double> weight = std::vector<double>(6, 1.0);
  pnmf::ScaleGraph graph{4, row.data(), weight.data(), start.data()};

  double loss(double lambda) const { return (X - Wt.transpose() * H).squaredNorm() + lambda * graph.penalty(H); }
};

}  // namespace

TEST("both solvers of one graph return the loss of their factors, with unit columns of W, hals the lower one") {
  std::srand(1);
  Problem slow, fast = slow;
  const auto data = pnmf::dense_data({slow.X.data(), 6, 4});
  pnmf::SerialExecutor executor;
  const pnmf::GnmfOptions options{0.5, 5000, 1e-10};
  const auto by_steps = pnmf::fit_gnmf(*data, slow.graph, slow.Wt, slow.H, options, executor);
  const auto by_sweeps = pnmf::fit_gnmf_hals(*data, fast.graph, fast.Wt, fast.H, {0.5, 5000, 1e-6}, executor);
  CHECK_NEAR(by_steps.loss, slow.loss(0.5), 1e-10);
  CHECK_NEAR(by_sweeps.loss, fast.loss(0.5), 1e-10);
  CHECK(by_sweeps.converged && by_sweeps.loss <= by_steps.loss + 1e-4);
  for (int j = 0; j < 2; ++j) CHECK_NEAR(fast.Wt.row(j).norm(), 1.0, 1e-12);
}

TEST("multiplicative steps of one graph are as many as asked for") {
  std::srand(2);
  Problem none, one = none, two = none;
  const auto data = pnmf::dense_data({none.X.data(), 6, 4});
  pnmf::SerialExecutor executor;
  const double before = none.loss(0.5);
  const auto at_start = pnmf::fit_gnmf(*data, none.graph, none.Wt, none.H, {0.5, 0, 0}, executor);
  const auto first = pnmf::fit_gnmf(*data, one.graph, one.Wt, one.H, {0.5, 1, 0}, executor);
  const auto second = pnmf::fit_gnmf(*data, two.graph, two.Wt, two.H, {0.5, 2, 0}, executor);
  CHECK_NEAR(at_start.loss, before, 1e-10);
  CHECK(first.loss < before && second.loss < first.loss && second.steps == 2 && !second.converged);
}
