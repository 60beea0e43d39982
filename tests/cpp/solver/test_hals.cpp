#include "pnmf/solver/hals.h"

#include "check.h"
#include "fuzz.h"
#include "pnmf/kernels/kernels.h"
#include "random_data.h"
#include "thread_executor.h"

namespace {

pnmf::FitResult fit(const Problem& problem, pnmf::Executor& executor, bool sparse = false) {
  pnmf::Monitor silent;
  const Compressed compressed(problem.X);
  const auto data = sparse ? pnmf::sparse_data(compressed.columns()) : pnmf::dense_data(map_of(problem.X));
  return pnmf::fit_hals(*data, problem.graphs(), problem.start, problem.options, executor, silent);
}

double longest_factor(const pnmf::Path& path) {
  double longest = 0;
  for (const Matrix& Wt : path.Wt) longest = std::max(longest, Wt.rowwise().norm().maxCoeff());
  return longest;
}

Problem medium(unsigned seed) {
  Problem problem;
  Random random(seed);
  problem.X = random.sparse_matrix(60, 50, 0.5);
  add_scales(problem, 5);
  for (int t = 0; t < 5; ++t) {
    problem.start.Wt.push_back(random.matrix(4, 60));
    problem.start.H.push_back(random.matrix(4, 50));
  }
  problem.options.penalties = {1, 1, 0.1};
  problem.options.tol = 0;
  problem.options.max_outer = 25;
  return problem;
}

void check_never_rises(const std::vector<double>& values, double slack) {
  for (std::size_t k = 1; k < values.size(); ++k) CHECK(values[k] <= values[k - 1] + slack);
}

std::vector<double> recorded(const pnmf::FitResult& result) {
  std::vector<double> values;
  for (const pnmf::UpdateRecord& update : result.updates) values.push_back(update.objective);
  return values;
}

}  // namespace

TEST("hals: 900 random problems stay finite, nonnegative, feasible and monotone at every update; sparse = dense") {
  pnmf::SerialExecutor serial;
  for (unsigned seed = 0; seed < 900; ++seed) {
    Problem problem = random_problem(seed, -12, 12);
    problem.options.tol = 0;
    problem.options.max_outer = 4;
    problem.options.max_inner = 3;
    problem.options.record = true;
    problem.options.chain_start = seed % 2 == 0;
    problem.options.extrapolate = seed % 3 != 0;
    const pnmf::FitResult dense = fit(problem, serial);
    CHECK(finite_nonnegative(dense.path.Wt) && finite_nonnegative(dense.path.H));
    CHECK(longest_factor(dense.path) <= 1 + 1e-12);
    CHECK(dense.objective.size() == 4);
    const std::vector<double> updates = recorded(dense);
    const double size = problem.size(updates.front());
    check_never_rises(updates, 1e-11 * size);
    check_never_rises(dense.objective, 1e-11 * size);
    CHECK_NEAR(dense.objective.back(), definition(problem, dense.path), 1e-9 * size);
    for (double residual : dense.residual) CHECK(std::isfinite(residual) && residual >= 0);
    const pnmf::FitResult sparse = fit(problem, serial, true);
    CHECK(finite_nonnegative(sparse.path.Wt) && finite_nonnegative(sparse.path.H));
    check_never_rises(sparse.objective, 1e-11 * size);
    // One sweep from the same start: sums in another order, and what the descent makes of their rounding.
    problem.options.max_outer = 1;
    problem.options.chain_start = problem.options.record = false;
    const double one_dense = fit(problem, serial).objective[0], one_sparse = fit(problem, serial, true).objective[0];
    CHECK_NEAR(one_sparse, one_dense, 1e-8 * problem.size(one_dense));
  }
}

TEST("hals: 1, 2 and 4 threads give identical paths, dense or sparse") {
  for (bool sparse : {false, true}) {
    Problem problem = medium(1);
    problem.options.record = true;
    pnmf::SerialExecutor serial;
    const pnmf::FitResult one = fit(problem, serial, sparse);
    for (Index threads : {2, 4, 8}) {
      ThreadExecutor executor(threads);
      const pnmf::FitResult other = fit(problem, executor, sparse);
      CHECK(other.objective == one.objective);
      CHECK(recorded(other) == recorded(one));
      for (int t = 0; t < 5; ++t) {
        CHECK(same_bits(other.path.Wt[t], one.path.Wt[t]));
        CHECK(same_bits(other.path.H[t], one.path.H[t]));
      }
    }
  }
}

TEST("hals: the recorded objective is the model's, and ends where the sweep does") {
  pnmf::SerialExecutor serial;
  for (bool extrapolate : {false, true}) {
    Problem problem = medium(2);
    problem.options.record = true;
    problem.options.extrapolate = extrapolate;
    const pnmf::FitResult result = fit(problem, serial);
    const double size = problem.size(0);
    check_never_rises(recorded(result), 1e-12 * size);
    CHECK_NEAR(recorded(result).back(), result.objective.back(), 1e-11 * size);
    CHECK_NEAR(definition(problem, result.path), result.objective.back(), 1e-11 * size);
  }
}

TEST("hals: as many sweeps again as a converged fit made move no embedding by more than 3%, the objective by 1e-5") {
  pnmf::SerialExecutor serial;
  for (unsigned seed = 3; seed < 9; ++seed) {
    Problem problem = medium(seed);
    problem.options.chain_start = seed % 2 == 0;
    problem.options.tol = 0.03;
    problem.options.max_outer = 2000;
    const pnmf::FitResult result = fit(problem, serial);
    const std::size_t sweeps = result.objective.size();
    CHECK(sweeps < 2000);
    for (int t = 0; t < 5; ++t) CHECK(result.converged[t] && result.movement[t] <= 0.03);
    problem.options.tol = 0;
    problem.options.max_outer = 2 * static_cast<int>(sweeps);
    const pnmf::FitResult further = fit(problem, serial);
    CHECK(further.objective[sweeps - 1] == result.objective.back());
    CHECK(result.objective.back() - further.objective.back() <= 1e-5 * result.objective.back());
    for (int t = 0; t < 5; ++t) {
      CHECK((further.path.H[t] - result.path.H[t]).norm() <= 0.03 * result.path.H[t].norm());
    }
  }
}

TEST("hals: data of exact low rank converge, whatever the draw") {
  for (unsigned seed = 11; seed < (fuzz::is_sanitized ? 13 : 31); ++seed) {
    Random random(seed);
    Problem problem = medium(seed);
    const Matrix right = random.matrix(3, 50);  // first: compilers evaluate the factors of a product in either order
    problem.X = random.matrix(60, 3) * right;
    problem.thresholds.clear();
    problem.edges = pnmf::EdgeList();
    add_scales(problem, 5);
    problem.options.penalties = {0, 0, 0};
    problem.options.tol = 0.03;
    problem.options.max_outer = 500;
    pnmf::SerialExecutor serial;
    for (char converged : fit(problem, serial).converged) CHECK(converged);
  }
}

TEST("hals: scales with weights end where the weighted objective is, at any number of threads") {
  Problem problem = medium(12);
  problem.options.weights = {{1, 30, 1e4, 2, 0.5}, {0, 1e4, 3, 0.1, 50}};
  problem.options.max_outer = 40;
  pnmf::SerialExecutor serial;
  const pnmf::FitResult one = fit(problem, serial);
  const auto graphs = problem.graphs();
  double total = 0;
  for (Index t = 0; t < 5; ++t) {
    const Matrix& H = one.path.H[t];
    total += problem.options.weights.weight[t] * ((problem.X - one.path.Wt[t].transpose() * H).squaredNorm() +
                                                  pnmf::embedding_terms(*graphs.at(t), H, problem.options.penalties));
    if (t > 0) total += (H - one.path.H[t - 1]).squaredNorm() / problem.options.weights.gap[t];
  }
  CHECK_NEAR(one.objective.back(), total, 1e-11 * total);
  check_never_rises(one.objective, 1e-11 * total);
  ThreadExecutor threads(3);
  CHECK(fit(problem, threads).objective == one.objective);
}

TEST("hals: the embedding of a factor is its exact minimiser when the rank is one") {
  Random random(4);
  const Matrix X = random.matrix(8, 12), w = random.matrix(1, 8);
  const Matrix WtX = w * X, WtW = pnmf::gram(w);
  const pnmf::NestedGraph nested(12, pnmf::EdgeList());
  const pnmf::ScaleGraph graph(nested, 1.0, 1.5);
  Matrix H = random.matrix(1, 12);
  const Matrix finer = random.matrix(1, 12);
  const pnmf::EmbeddingProblem problem{WtX, WtW, graph, {&finer, nullptr}, {1, 2, 3}};
  pnmf::SerialExecutor executor;
  pnmf::update_embedding(H, problem, 1, executor);
  for (Index i = 0; i < 12; ++i) {
    CHECK_NEAR(H(0, i), (WtX(0, i) + 2 * finer(0, i)) / (WtW(0, 0) + 2 + 3), 1e-13);
  }
  CHECK_NEAR(pnmf::embedding_residual(H, problem), 0.0, 1e-25);
}

TEST(
    "hals: cells in independent sets move to the same bits on any number of threads, and the objective falls by the "
    "gain") {
  Random random(18);
  const Index n = 1200, rank = 5;
  pnmf::EdgeList line;
  for (int i = 0; i + 1 < n; ++i) {
    line.i.push_back(i);
    line.j.push_back(i + 1);
    line.length.push_back(0.5);
  }
  const pnmf::ScaleGraphs graphs(pnmf::NestedGraph(n, line), {1.0}, 2.0);
  const auto graph = graphs.at(0);
  CHECK(graph->independent_sets != nullptr);
  const Matrix B = random.matrix(rank, 9), WtX = B * random.matrix(9, n), WtW = pnmf::gram(B),
               start = random.matrix(rank, n);
  const pnmf::EmbeddingProblem problem{WtX, WtW, *graph, {}, {1, 0, 0.1}};
  Matrix serial = start;
  pnmf::SerialExecutor executor;
  const double gain = pnmf::update_embedding(serial, problem, 1, executor);
  const double fell = pnmf::local_objective(start, problem, 1e4) - pnmf::local_objective(serial, problem, 1e4);
  CHECK_NEAR(gain, fell, 1e-9 * std::abs(fell));
  CHECK(gain > 0);
  for (int threads : {2, 3, 5}) {
    ThreadExecutor many(threads);
    Matrix H = start;
    CHECK(pnmf::update_embedding(H, problem, 1, many) == gain);
    CHECK(same_bits(H, serial));
  }
}

TEST("hals: the basis update is the exact minimiser over the ball's nonnegative part when the rank is one") {
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    const Matrix X = random.matrix(6, 9, -1, 2), h = random.matrix(1, 9);
    const Matrix XHt = h * X.transpose(), HHt = pnmf::gram(h);
    Matrix Wt = random.matrix(1, 6);
    pnmf::update_basis(Wt, XHt, HHt, 1);
    CHECK(Wt.norm() <= 1 + 1e-14 && (Wt.array() >= 0).all());
    const auto loss = [&](const Matrix& v) { return HHt(0, 0) * v.squaredNorm() - 2 * v.cwiseProduct(XHt).sum(); };
    for (int trial = 0; trial < 50; ++trial) {
      Matrix other = (Wt + 0.3 * random.matrix(1, 6, -1, 1)).cwiseMax(0.0);
      if (other.norm() > 1) other /= other.norm();
      CHECK(loss(Wt) <= loss(other) + 1e-13);
    }
    CHECK_NEAR(pnmf::basis_residual(Wt, XHt, HHt), 0.0, 1e-25);
  }
}

TEST("hals: a round over a basis of any rank moves one factor after the other") {
  Random random(15);
  for (Index rank : {1, 3, 4, 5, 8, 11}) {
    const Matrix X = random.matrix(37, 20), H = random.matrix(rank, 20);
    const Matrix XH = X * H.transpose(), HHt = H * H.transpose();
    Matrix W = random.matrix(37, rank, 0, 0.4), Wt = W.transpose();
    for (Index j = 0; j < rank; ++j) {
      W.col(j) = (W.col(j) + (XH.col(j) - W * HHt.col(j)) / HHt(j, j)).cwiseMax(0.0);
      W.col(j) /= std::max(1.0, W.col(j).norm());
    }
    pnmf::update_basis(Wt, XH.transpose(), HHt, 1);
    CHECK_NEAR((Wt.transpose() - W).cwiseAbs().maxCoeff(), 0.0, 1e-12);
  }
}

TEST("hals: the objective it tells is that of its path after every sweep") {
  struct Compare : pnmf::Monitor {
    void on_state(const pnmf::FitStateView& state) override {
      if (state.progress.sweeps() == 0) return;
      const double plain = definition(problem, {state.Wt, state.held.H});
      CHECK_NEAR(state.progress.record.objective.back(), plain, 1e-12 * plain);
    }
    Compare(const Problem& problem) : problem(problem), graphs(problem.graphs()) {}
    const Problem& problem;
    const pnmf::ScaleGraphs graphs;
  };
  for (bool extrapolate : {true, false}) {
    Problem problem = medium(16);
    problem.options.extrapolate = extrapolate;
    problem.options.max_outer = 40;
    Compare monitor(problem);
    pnmf::SerialExecutor serial;
    const auto data = pnmf::dense_data(map_of(problem.X));
    pnmf::fit_hals(*data, monitor.graphs, problem.start, problem.options, serial, monitor);
  }
}

TEST("hals: normalising moves lengths and keeps the product; zero factors stay") {
  Random random(6);
  Matrix Wt = 3 * random.matrix(4, 7), H = random.matrix(4, 5);
  Wt.row(2).setZero();
  const Matrix product = Wt.transpose() * H;
  pnmf::normalize_basis(Wt, H);
  CHECK_NEAR((Wt.transpose() * H - product).cwiseAbs().maxCoeff(), 0.0, 1e-13);
  for (int j : {0, 1, 3}) CHECK_NEAR(Wt.row(j).norm(), 1.0, 1e-14);
  CHECK(Wt.row(2).isZero(0));
}

TEST("hals: a monitor can stop the fit, an executor can end it") {
  struct Two : pnmf::Monitor {
    bool on_sweep(int sweep, double objective) override {
      last = objective;
      return sweep < 2;
    }
    double last = 0;
  } monitor;
  const Problem problem = medium(7);
  pnmf::SerialExecutor serial;
  const auto data = pnmf::dense_data(map_of(problem.X));
  const auto graphs = problem.graphs();
  const pnmf::FitResult result = pnmf::fit_hals(*data, graphs, problem.start, problem.options, serial, monitor);
  CHECK(result.stopped && result.objective.size() == 2 && monitor.last == result.objective.back());
  CHECK(finite_nonnegative(result.path.H) && result.residual.size() == 5);
  for (Index threads : {1, 3}) {
    StoppingExecutor stopping(threads, 100);
    CHECK_THROWS(pnmf::fit_hals(*data, graphs, problem.start, problem.options, stopping, monitor), Stopped);
  }
}

TEST("hals: an embedding too faint for its square to be a normal number leaves its factor as it is") {
  const Matrix X = Matrix::Ones(3, 4);
  for (double size : {1e-155, 1e-160, 1e-170, 0.0}) {
    Matrix H = Matrix::Ones(2, 4);
    H.row(1).setConstant(size);
    Matrix Wt = Matrix::Constant(2, 3, 0.5);
    pnmf::update_basis(Wt, H * X.transpose(), pnmf::gram(H), 3);
    CHECK(Wt.allFinite());
    CHECK(same_bits(Wt.row(1), Matrix::Constant(1, 3, 0.5)));
    CHECK_NEAR(Wt(0, 0), 1 / std::sqrt(3.0), 1e-12);
  }
}

TEST("the residual of a basis is how far each factor is from its own best, at most as long as allowed") {
  Random random(12);
  for (double size : {1.0, 0.01}) {  // long and short best factors
    const Matrix X = size * random.matrix(8, 11), H = random.matrix(3, 11), W = 0.2 * random.matrix(8, 3);
    double expected = 0;
    for (Index j = 0; j < 3; ++j) {
      const Matrix rest = X - W * H + W.col(j) * H.row(j);
      Vector best = (rest * H.row(j).transpose() / H.row(j).squaredNorm()).cwiseMax(0.0);
      if (best.norm() > 1) best /= best.norm();
      expected += H.row(j).squaredNorm() * (best - W.col(j)).squaredNorm();
    }
    const double found = pnmf::basis_residual(W.transpose(), H * X.transpose(), H * H.transpose());
    CHECK_NEAR(found, expected, 1e-10 * expected);
  }
}
