// Laws that hold for every problem, checked on random ones: see fuzz.h for other seeds and more cases.
#include <cmath>
#include <limits>
#include <numeric>

#include "check.h"
#include "fuzz.h"
#include "pnmf/geometry/nearest_neighbors.h"
#include "pnmf/solver/hals.h"
#include "pnmf/solver/multiplicative.h"
#include "pnmf/solver/path_solver.h"
#include "pnmf/solver/projection.h"
#include "random_data.h"
#include "thread_executor.h"

namespace {

using Order = std::vector<Index>;

pnmf::FitResult fit(pnmf::Solver solver, const Problem& problem, pnmf::Executor& executor, bool sparse = false) {
  pnmf::Monitor silent;
  const Compressed compressed(problem.X);
  const auto data = sparse ? pnmf::sparse_data(compressed.columns()) : pnmf::dense_data(map_of(problem.X));
  return pnmf::fit_path(*data, problem.graphs(), problem.start, solver, problem.options, executor, silent);
}

Order random_order(Index n, unsigned seed) {
  Random random(seed);
  Order order(n);
  std::iota(order.begin(), order.end(), Index(0));
  for (Index k = n - 1; k > 0; --k) std::swap(order[k], order[random.between(0, k)]);
  return order;
}

Matrix columns_in(const Matrix& A, const Order& order) {
  Matrix B(A.rows(), A.cols());
  for (Index k = 0; k < A.cols(); ++k) B.col(k) = A.col(order[k]);
  return B;
}

Problem with_features_in(Problem problem, const Order& order) {
  problem.X = columns_in(problem.X.transpose(), order).transpose();
  for (Matrix& Wt : problem.start.Wt) Wt = columns_in(Wt, order);
  return problem;
}

// Scales and edges are made anew from the permuted cells.
Problem with_cells_in(Problem problem, const Order& order) {
  const Index scales = static_cast<Index>(problem.thresholds.size());
  problem.X = columns_in(problem.X, order);
  for (Matrix& H : problem.start.H) H = columns_in(H, order);
  problem.thresholds.clear();
  problem.edges = pnmf::EdgeList();
  add_scales(problem, scales);
  return problem;
}

void check_never_rises(const std::vector<double>& values, double slack) {
  for (std::size_t k = 1; k < values.size(); ++k) CHECK(values[k] <= values[k - 1] + slack);
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

// Penalties of any size make neighbours equal up to rounding, and then weigh its square: (1e-16 h)^2 for every pair.
double rounding_of_penalties(const Problem& problem, const pnmf::Path& path) {
  double squares = 0;
  for (const Matrix& H : path.H) squares += H.squaredNorm();
  const pnmf::Penalties& p = problem.options.penalties;
  return 1e-9 * p.anchor * squares + 1e-28 * (p.graph + p.smooth) * static_cast<double>(problem.X.cols()) * squares;
}

void check_same_path(const pnmf::FitResult& a, const pnmf::FitResult& b) {
  CHECK(a.objective == b.objective);
  for (std::size_t t = 0; t < a.path.H.size(); ++t) {
    CHECK(same_bits(a.path.Wt[t], b.path.Wt[t]));
    CHECK(same_bits(a.path.H[t], b.path.H[t]));
  }
}

// Equal but for numbers so small that a power of two moves them into or out of the subnormal range, which rounds them.
bool same_normal_number(double a, double b) { return a == b || (std::abs(a) < 1e-280 && std::abs(b) < 1e-280); }

bool same_normal_numbers(const Matrix& A, const Matrix& B) {
  return (A.array() == B.array() || (A.array().abs() < 1e-280 && B.array().abs() < 1e-280)).all();
}

Problem law_problem(unsigned seed, double size_low, double size_high, int sweeps) {
  Problem problem = random_problem(seed, size_low, size_high);
  problem.options.tol = 0;
  problem.options.max_outer = sweeps;
  problem.options.max_inner = 2;
  problem.options.chain_start = seed % 4 == 0;
  problem.options.extrapolate = seed % 3 != 0;
  return problem;
}

// A random problem whose largest entry is anywhere between 1e-120 and 1e120 and whose others reach down to subnormal
// numbers; penalties as large as pnmf() lets them be.
Problem extreme_problem(unsigned seed) {
  Problem problem = law_problem(seed, 0, 0, 3);
  Random random(seed + 1);
  const double largest = random.chance(0.2) ? (random.chance(0.5) ? 1e120 : 1e-120) : random.magnitude(-120, 120);
  const double smallest_exponent = random.chance(0.5) ? -323.0 : std::log10(largest) - 20;
  problem.X = problem.X.unaryExpr([&](double x) {
    return x > 0 && random.chance(0.3) ? random.magnitude(smallest_exponent, std::log10(largest)) : x * largest;
  });
  problem.X *= largest / problem.X.maxCoeff();
  problem.X = problem.X.cwiseMin(largest);
  const double most = 1e250 / std::max(1.0, problem.X.squaredNorm());
  const auto penalty = [&] {
    return random.chance(0.2) ? 0.0 : random.chance(0.2) ? most : std::min(most, random.magnitude(-12, 12));
  };
  problem.options.penalties = {penalty(), penalty(), penalty()};
  const Index scales = static_cast<Index>(problem.thresholds.size());
  problem.thresholds.clear();
  problem.edges = pnmf::EdgeList();
  add_scales(problem, scales);
  const double root = std::sqrt(largest);
  const Index rank = problem.start.H[0].rows();
  problem.start = pnmf::Path();
  for (std::size_t t = 0; t < problem.thresholds.size(); ++t) {
    problem.start.Wt.push_back(root * random.sparse_matrix(rank, problem.X.rows(), 0.7));
    problem.start.H.push_back(root * random.sparse_matrix(rank, problem.X.cols(), 0.7));
  }
  return problem;
}

}  // namespace

TEST("law: hals never rises, is feasible and the same for any number of threads, sparse or dense") {
  pnmf::SerialExecutor serial;
  fuzz::for_cases(2200, [&](unsigned seed) {
    Problem problem = law_problem(seed, -12, 12, 2);
    ThreadExecutor threads(2 + seed % 3);
    const bool sparse = seed % 2 == 0;
    const pnmf::FitResult one = fit(pnmf::Solver::hals, problem, serial, sparse);
    CHECK(finite_nonnegative(one.path.Wt) && finite_nonnegative(one.path.H));
    for (const Matrix& Wt : one.path.Wt) CHECK(Wt.rowwise().norm().maxCoeff() <= 1 + 1e-12);
    check_never_rises(one.objective, 1e-11 * problem.size(one.objective.front()));
    if (seed % 4 == 0) check_same_path(fit(pnmf::Solver::hals, problem, threads, sparse), one);
  });
}

TEST("law: scaling X and H by a power of two scales the path of hals bit for bit") {
  pnmf::SerialExecutor serial;
  fuzz::for_cases(1000, [&](unsigned seed) {
    const Problem problem = law_problem(seed, -6, 6, 2);
    Problem scaled = problem;
    const double factor = std::ldexp(1.0, static_cast<int>(Random(seed).between(-60, 60)));
    // The graphs stay: their weights depend on lengths, not on ratios of lengths.
    scaled.X *= factor;
    for (Matrix& H : scaled.start.H) H *= factor;
    const pnmf::FitResult a = fit(pnmf::Solver::hals, problem, serial), b = fit(pnmf::Solver::hals, scaled, serial);
    for (std::size_t k = 0; k < a.objective.size(); ++k) CHECK(b.objective[k] == factor * factor * a.objective[k]);
    for (std::size_t t = 0; t < a.path.H.size(); ++t) {
      CHECK(same_normal_numbers(b.path.Wt[t], a.path.Wt[t]));
      CHECK(same_normal_numbers(b.path.H[t], factor * a.path.H[t]));
      CHECK(same_normal_number(b.residual[t], a.residual[t]));
    }
  });
}

TEST("law: permuting features permutes the basis and leaves the objective, in every solver") {
  pnmf::SerialExecutor serial;
  fuzz::for_cases(600, [&](unsigned seed) {
    for (pnmf::Solver solver : {pnmf::Solver::hals, pnmf::Solver::mu, pnmf::Solver::authors}) {
      Problem problem = law_problem(seed, -3, 3, 1);
      problem.options.chain_start = false;
      const Order order = random_order(problem.X.rows(), seed);
      const pnmf::FitResult a = fit(solver, problem, serial);
      const pnmf::FitResult b = fit(solver, with_features_in(problem, order), serial, seed % 2 == 0);
      // One sweep: sums in another order, and what a descent makes of their rounding.
      const double size = problem.size(a.objective[0]);
      CHECK_NEAR(b.objective[0], a.objective[0], 1e-8 * size);
      for (std::size_t t = 0; t < a.path.H.size(); ++t) {
        const Matrix A = columns_in(a.path.Wt[t], order).transpose() * a.path.H[t];
        const Matrix B = b.path.Wt[t].transpose() * b.path.H[t];
        CHECK((A - B).squaredNorm() <= 1e-8 * (A.squaredNorm() + problem.X.squaredNorm()));
      }
    }
  });
}

TEST("law: permuting cells permutes the embedding wherever all cells are updated at once") {
  pnmf::SerialExecutor serial;
  fuzz::for_cases(600, [&](unsigned seed) {
    for (pnmf::Solver solver : {pnmf::Solver::hals, pnmf::Solver::mu, pnmf::Solver::authors}) {
      Problem problem = law_problem(seed, -3, 3, 1);
      problem.options.chain_start = false;
      // hals visits cells one after the other: with a graph their order matters until convergence.
      if (solver == pnmf::Solver::hals) problem.options.penalties.graph = 0;
      const Order order = random_order(problem.X.cols(), seed);
      const Problem permuted = with_cells_in(problem, order);
      CHECK(permuted.thresholds == problem.thresholds);
      const pnmf::FitResult a = fit(solver, problem, serial), b = fit(solver, permuted, serial);
      const double size = problem.size(a.objective[0]);
      CHECK_NEAR(b.objective[0], a.objective[0], 1e-8 * size);
      for (std::size_t t = 0; t < a.path.H.size(); ++t) {
        const Matrix A = columns_in(a.path.H[t], order);
        const Matrix difference = a.path.Wt[t].transpose() * A - b.path.Wt[t].transpose() * b.path.H[t];
        CHECK(difference.squaredNorm() <= 1e-8 * (problem.X.squaredNorm() + A.squaredNorm()));
      }
    }
  });
}

TEST("law: the tree, the counts and the neighbours do not depend on the order of the cells, and scale exactly") {
  pnmf::SerialExecutor serial;
  fuzz::for_cases(1000, [&](unsigned seed) {
    Random random(seed);
    Problem problem = random_problem(seed, -100, 100);
    const Index cells = problem.X.cols();
    if (cells < 2) return;
    const Order order = random_order(cells, seed);
    const double factor = std::ldexp(1.0, static_cast<int>(random.between(-100, 100)));
    const Matrix permuted = columns_in(problem.X, order), scaled = factor * problem.X;
    const auto own = euclidean(problem.X), other = euclidean(permuted), larger = euclidean(scaled);
    const pnmf::SpanningTree tree = pnmf::minimum_spanning_tree(*own, serial);
    const pnmf::SpanningTree tree_permuted = pnmf::minimum_spanning_tree(*other, serial);
    const pnmf::SpanningTree tree_scaled = pnmf::minimum_spanning_tree(*larger, serial);
    CHECK(tree_permuted.edges.length == tree.edges.length);
    CHECK(tree_permuted.longest_distance == tree.longest_distance);
    CHECK(tree_scaled.longest_distance == factor * tree.longest_distance);
    for (Index k = 0; k < tree.edges.size(); ++k) {
      CHECK(tree_scaled.edges.length[k] == factor * tree.edges.length[k]);
    }
    CHECK(pnmf::count_edges(*own, problem.thresholds, serial) == pnmf::count_edges(*other, problem.thresholds, serial));
    const Index k = random.between(1, cells - 1);
    const pnmf::NearestNeighbors near = pnmf::nearest_neighbors(*own, k, serial);
    const pnmf::NearestNeighbors near_permuted = pnmf::nearest_neighbors(*other, k, serial);
    for (Index i = 0; i < cells; ++i) CHECK(same_bits(near_permuted.length.row(i), near.length.row(order[i])));
  });
}

TEST("law: values from subnormal to 1e120 give finite, nonnegative paths; the authors' solver may overflow, visibly") {
  pnmf::SerialExecutor serial;
  fuzz::for_cases(1000, [&](unsigned seed) {
    const Problem problem = extreme_problem(seed);
    for (pnmf::Solver solver : {pnmf::Solver::hals, pnmf::Solver::mu, pnmf::Solver::authors}) {
      const pnmf::FitResult result = fit(solver, problem, serial, seed % 2 == 0);
      // Its objective is not monotone: what R refuses to return is a path whose objective is not finite.
      const bool overflowed = solver == pnmf::Solver::authors && !all_finite(result.objective);
      CHECK(overflowed || all_finite(result.objective));
      CHECK(overflowed || (finite_nonnegative(result.path.Wt) && finite_nonnegative(result.path.H)));
      if (solver == pnmf::Solver::hals) {
        check_never_rises(result.objective, 1e-9 * problem.size(0) + rounding_of_penalties(problem, result.path));
      }
    }
  });
}

TEST("law: projections of new cells are finite, nonnegative and no worse than nothing, whatever their size") {
  pnmf::SerialExecutor serial;
  fuzz::for_cases(1000, [&](unsigned seed) {
    const Problem problem = extreme_problem(seed);
    const Compressed compressed(problem.X);
    const auto data = pnmf::sparse_data(compressed.columns());
    Matrix Wt = problem.start.Wt[0], unused = problem.start.H[0];
    pnmf::normalize_basis(Wt, unused);
    const Matrix H = pnmf::project_cells(*data, Wt, 100, 1e-10, serial);
    CHECK(H.allFinite() && (H.array() >= 0).all());
    CHECK((problem.X - Wt.transpose() * H).norm() <= problem.X.norm() * (1 + 1e-9));
  });
}
