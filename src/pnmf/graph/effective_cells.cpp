#include "pnmf/graph/effective_cells.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "pnmf/geometry/cell_groups.h"
#include "pnmf/kernels/kernels.h"

namespace pnmf {
namespace {

constexpr Index few_probes = 4, n_probes = 16;
// Of many cells: where more would be needed, the smoothest functions are found first.
constexpr Index max_plain_probes = 8;
constexpr Index n_smooth = 32;
constexpr Index max_groups = 400;
// 16 probes estimate a trace of this size with an error of 2%. Of many cells, the error of the probes is measured.
constexpr double large_trace = 300;
constexpr double max_probe_error = 0.015;
constexpr int min_steps = 4, max_steps = 141;
constexpr double max_quadrature_error = 0.02, max_rough_error = 0.05;
constexpr int max_rounds = 200;
// Penalties beyond this, times the largest eigenvalue of L, only add rounding.
constexpr double max_condition = 1e7;
// Single precision must still tell 1 + lambda x from 1 for eigenvalues x near 0: errors are then below 1%.
constexpr double max_condition_in_single = 1e6;

// Many cells are in single precision.
template <typename Scalar>
constexpr bool many_cells = std::is_same<Scalar, float>::value;

// The connected components of a graph. Functions that are constant in each of them stay as they are when smoothed.
struct GraphComponents {
  explicit GraphComponents(const ScaleGraph& graph);
  // Makes the mean of every row in every component zero.
  template <typename Scalar>
  void remove_means(Functions<Scalar>& V) const;
  Index count() const { return static_cast<Index>(size.size()); }

  std::vector<int> of_cell, size;
};

GraphComponents::GraphComponents(const ScaleGraph& graph) : of_cell(graph.cells(), -1) {
  std::vector<int> reached;
  for (Index first = 0; first < graph.cells(); ++first) {
    if (of_cell[first] >= 0) continue;
    const int component = static_cast<int>(size.size());
    reached.assign(1, static_cast<int>(first));
    of_cell[first] = component;
    size.push_back(1);
    while (!reached.empty()) {
      const int cell = reached.back();
      reached.pop_back();
      const int* neighbor = graph.neighbor + graph.first[cell];
      for (Index e = graph.begin[cell]; e < graph.begin[cell + 1]; ++e, ++neighbor) {
        if (of_cell[*neighbor] >= 0) continue;
        of_cell[*neighbor] = component;
        ++size.back();
        reached.push_back(*neighbor);
      }
    }
  }
}

template <typename Scalar>
void GraphComponents::remove_means(Functions<Scalar>& V) const {
  Matrix mean = Matrix::Zero(V.rows(), count());
  for (Index i = 0; i < V.cols(); ++i) mean.col(of_cell[i]) += V.col(i).template cast<double>();
  for (Index c = 0; c < count(); ++c) mean.col(c) /= size[c];
  for (Index i = 0; i < V.cols(); ++i) V.col(i) -= mean.col(of_cell[i]).template cast<Scalar>();
}

// tr((I + lambda L)^-2), one for each lambda
Vector trace_of_S2(const Matrix& L, const Vector& lambda) {
  const Vector eigenvalues =
      Eigen::SelfAdjointEigenSolver<Matrix>(L, Eigen::EigenvaluesOnly).eigenvalues().cwiseMax(0.0);
  return lambda.unaryExpr([&](double l) { return (1 + l * eigenvalues.array()).square().inverse().sum(); });
}

std::vector<int> order_by_degree(const ScaleGraph& graph) {
  std::vector<int> order(graph.cells());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return graph.degree[a] < graph.degree[b]; });
  return order;
}

// Signs that depend on the place of a cell in the order: up to 32 functions, from `first` on.
template <typename Scalar>
Functions<Scalar> probe_signs(const std::vector<int>& order, Index first, Index rows, std::uint64_t stream) {
  const Index n = static_cast<Index>(order.size());
  Functions<Scalar> signs(rows, n);
  for (Index k = 0; k < n; ++k) {
    const std::uint64_t bits = splitmix64((stream << 48) + static_cast<std::uint64_t>(k) * 8);
    for (Index r = 0; r < rows; ++r) signs(r, order[k]) = (bits >> (2 * (first + r))) & 1 ? Scalar(1) : Scalar(-1);
  }
  return signs;
}

// An orthonormal basis of the rows; fewer rows if they are dependent. Cholesky's factor repairs the rounding: the
// eigenvectors of what is nearly the identity would be those of its rounding.
Matrix orthonormal_rows(const Matrix& Y) {
  const Eigen::SelfAdjointEigenSolver<Matrix> gram(Y * Y.transpose());
  const double smallest = 1e-12 * std::max(gram.eigenvalues().maxCoeff(), 1e-300);
  Index dropped = 0;
  while (dropped < Y.rows() && gram.eigenvalues()[dropped] <= smallest) ++dropped;
  const Index kept = Y.rows() - dropped;
  const Vector scale = gram.eigenvalues().tail(kept).array().rsqrt();
  Matrix Q = scale.asDiagonal() * gram.eigenvectors().rightCols(kept).transpose() * Y;
  Eigen::LLT<Matrix>(Q * Q.transpose()).matrixL().solveInPlace(Q);
  return Q;
}

// Of v' S^2 v, and an estimate of v' S^4 v. One value for each lambda.
struct Bounds {
  Vector lower, upper, fourth;
};

// Sums over functions v of  v' S^2 v  and  v' S^4 v.
struct Forms {
  Vector second, fourth;
};

// x = (I + lambda T)^-1 x for the tridiagonal matrix T
void solve_tridiagonal(const Vector& diagonal, const Vector& off_diagonal, double lambda, Vector& x) {
  const Index n = diagonal.size();
  Vector pivot(n);
  pivot[0] = 1 + lambda * diagonal[0];
  for (Index k = 0; k + 1 < n; ++k) {
    const double off = lambda * off_diagonal[k];
    pivot[k + 1] = 1 + lambda * diagonal[k + 1] - off * off / pivot[k];
    x[k + 1] -= off * x[k] / pivot[k];
  }
  x[n - 1] /= pivot[n - 1];
  for (Index k = n - 2; k >= 0; --k) x[k] = (x[k] - lambda * off_diagonal[k] * x[k + 1]) / pivot[k];
}

// e' (I + lambda T)^-2 e for the first unit vector e: the squared length of a solution. fourth: null, or receives
// e' (I + lambda T)^-4 e
double gauss(const Vector& diagonal, const Vector& off_diagonal, double lambda, double* fourth = nullptr) {
  Vector x = Vector::Unit(diagonal.size(), 0);
  solve_tridiagonal(diagonal, off_diagonal, lambda, x);
  const double second = x.squaredNorm();
  if (fourth) {
    solve_tridiagonal(diagonal, off_diagonal, lambda, x);
    *fourth = x.squaredNorm();
  }
  return second;
}

// The last entry of the diagonal that makes `node` an eigenvalue, so that the quadrature has a node there. node: below
// all eigenvalues
double radau_entry(const Vector& diagonal, const Vector& off_diagonal, double node) {
  double pivot = diagonal[0] - node;
  for (Index k = 0; k + 2 < diagonal.size(); ++k) {
    pivot = diagonal[k + 1] - node - off_diagonal[k] * off_diagonal[k] / pivot;
  }
  const double last = off_diagonal[diagonal.size() - 2];
  return node + last * last / pivot;
}

// v' S^2 v for a v of unit length. Derivatives of (1 + lambda x)^-2 have alternating signs, so Gauss quadrature is a
// lower bound, and Gauss-Radau quadrature with a node below all eigenvalues an upper one (Golub and Meurant 1994). The
// node is just below 0, which is an eigenvalue of L. rounding: of the tridiagonal matrix, relative to its largest entry
Bounds quadrature(Vector diagonal, const Vector& off_diagonal, const Vector& lambda, double rounding) {
  Index size = 1;
  const double largest = std::max(diagonal.maxCoeff(), 1e-300);
  while (size < diagonal.size() && off_diagonal[size - 1] > rounding * largest) ++size;
  const bool ended = size < diagonal.size();  // the space of v is exhausted: the quadrature is exact
  diagonal.conservativeResize(size);
  const Vector beside = off_diagonal.head(size - 1);
  Bounds bounds{Vector(lambda.size()), {}, Vector(lambda.size())};
  for (Index k = 0; k < lambda.size(); ++k) bounds.lower[k] = gauss(diagonal, beside, lambda[k], &bounds.fourth[k]);
  bounds.upper = bounds.lower;
  if (ended || size == 1) return bounds;
  diagonal[size - 1] = radau_entry(diagonal, beside, -10 * rounding * largest);
  for (Index k = 0; k < lambda.size(); ++k) bounds.upper[k] = gauss(diagonal, beside, lambda[k]);
  return bounds;
}

// The three-term recurrence of every row of V with L: its tridiagonal matrices.
template <typename Scalar>
class Lanczos {
 public:
  Lanczos(const ScaleGraph& graph, Functions<Scalar> V, Executor& executor)
      : graph_(graph), executor_(executor), V_(std::move(V)), before_(Functions<Scalar>::Zero(V_.rows(), V_.cols())),
        length_(row_products(V_, V_, executor).cwiseSqrt()), full_length_(length_),
        scale_before_(Vector::Zero(V_.rows())) {}

  int steps() const { return static_cast<int>(diagonal_.cols()); }

  void advance(int steps) {
    const int begin = this->steps();
    diagonal_.conservativeResize(V_.rows(), steps);
    off_diagonal_.conservativeResize(V_.rows(), steps);
    for (int step = begin; step < steps; ++step) {
      executor_.poll();
      run_step(step);
    }
  }

  // Sums over the rows.
  Bounds quadratic_forms(const Vector& lambda) const {
    const double rounding = many_cells<Scalar> ? 1e-7 : 1e-10;
    Bounds sum{Vector::Zero(lambda.size()), Vector::Zero(lambda.size()), Vector::Zero(lambda.size())};
    for (Index r = 0; r < diagonal_.rows(); ++r) {
      const double square = full_length_[r] * full_length_[r];
      if (!(square > 0)) continue;
      const Bounds one = quadrature(diagonal_.row(r), off_diagonal_.row(r), lambda, rounding);
      sum.lower += square * one.lower;
      sum.upper += square * one.upper;
      sum.fourth += square * one.fourth;
    }
    return sum;
  }

 private:
  // V and the functions before it are kept as they were before they were scaled to unit length. What comes next takes
  // the place of those before.
  void run_step(int step) {
    using Values = FunctionValues<Scalar>;
    const Index rows = V_.rows(), n = V_.cols();
    const Vector inverse =
        (length_.array() > 1e-10 * full_length_.array()).select(length_.array().inverse(), Vector::Zero(rows).array());
    const Values scale = inverse.cast<Scalar>(), last = length_.cwiseProduct(scale_before_).template cast<Scalar>();
    diagonal_.col(step) = laplacian_recurrence(graph_, V_, scale, last, before_, executor_);
    diagonal_.col(step).array() *= inverse.array();
    const Values share = diagonal_.col(step).cwiseProduct(inverse).template cast<Scalar>();
    length_ = sum_over_blocks(rows, n, executor_, [&](Index begin, Index end, Vector& total) {
      Values sum = Values::Zero(rows);
      subtract_share(&V_(0, begin), share.data(), rows, end - begin, &before_(0, begin), sum.data());
      total = sum.template cast<double>();
    });
    length_ = length_.cwiseSqrt();
    off_diagonal_.col(step) = length_;
    scale_before_ = inverse;
    before_.swap(V_);
  }

  const ScaleGraph& graph_;
  Executor& executor_;
  Functions<Scalar> V_, before_;
  Vector length_, full_length_, scale_before_;
  Matrix diagonal_, off_diagonal_;  // rows x steps
};

// The rows are the functions. rest: what else the sums are part of. Sums that are below `ignored` with it need not be
// right.
template <typename Scalar>
Forms quadratic_forms(const ScaleGraph& graph, const Functions<Scalar>& V, const Vector& lambda, const Vector& rest,
                      double ignored, bool rough, Executor& executor) {
  const double max_error = rough ? max_rough_error : max_quadrature_error;
  Lanczos<Scalar> lanczos(graph, V, executor);
  for (int steps = min_steps;; steps = steps * 3 / 2) {
    lanczos.advance(steps);
    const Bounds bounds = lanczos.quadratic_forms(lambda);
    const Vector sum = (bounds.lower + bounds.upper) / 2;
    const bool settled =
        ((bounds.upper + rest).array() < ignored || (bounds.upper - sum).array() <= max_error * (sum + rest).array())
            .all();
    if (settled || steps >= max_steps) return {sum, bounds.fourth};
  }
}

// Q L Q'
template <typename Scalar>
Matrix compressed_laplacian(const ScaleGraph& graph, const Functions<Scalar>& Q, Executor& executor) {
  Functions<Scalar> LQ;
  multiply_laplacian(graph, Q, LQ, executor);
  return (Q * LQ.transpose()).template cast<double>();
}

// The rows of Y as approximate eigenvectors of L: an orthonormal basis of what they span, by ascending eigenvalue.
Matrix ritz_vectors(const ScaleGraph& graph, const Matrix& Y, Executor& executor) {
  const Matrix Q = orthonormal_rows(Y);
  return Eigen::SelfAdjointEigenSolver<Matrix>(compressed_laplacian(graph, Q, executor)).eigenvectors().transpose() * Q;
}

// The group of every cell: that of the seed which is the fewest edges away, or -1 if there is none.
std::vector<int> neighborhoods(const ScaleGraph& graph, const std::vector<int>& seeds) {
  std::vector<int> group(graph.cells(), -1), reached = seeds;
  for (std::size_t g = 0; g < seeds.size(); ++g) group[seeds[g]] = static_cast<int>(g);
  for (std::size_t k = 0; k < reached.size(); ++k) {
    const int cell = reached[k];
    const int* neighbor = graph.neighbor + graph.first[cell];
    for (Index e = graph.begin[cell]; e < graph.begin[cell + 1]; ++e, ++neighbor) {
      if (group[*neighbor] >= 0) continue;
      group[*neighbor] = group[cell];
      reached.push_back(*neighbor);
    }
  }
  return group;
}

// The smoothest of the functions that are constant in every group, each row of unit length: eigenvectors of
// D^-1/2 G' L G D^-1/2 for the indicators G of the groups and their sizes D.
Matrix smoothest_steps(const ScaleGraph& graph, const std::vector<int>& group, Index groups, Index rows) {
  Matrix between = Matrix::Zero(groups, groups);
  Vector size = Vector::Zero(groups);
  for (Index i = 0; i < graph.cells(); ++i) {
    if (group[i] < 0) continue;
    size[group[i]] += 1;
    const int* neighbor = graph.neighbor + graph.first[i];
    for (Index e = graph.begin[i]; e < graph.begin[i + 1]; ++e, ++neighbor) {
      between(group[i], group[i]) += graph.weight[e];
      between(group[*neighbor], group[i]) -= graph.weight[e];
    }
  }
  const Vector scale = size.cwiseSqrt().cwiseInverse();
  const Matrix steps =
      scale.asDiagonal() * Eigen::SelfAdjointEigenSolver<Matrix>(scale.asDiagonal() * between * scale.asDiagonal())
                               .eigenvectors()
                               .leftCols(rows);
  Matrix functions = Matrix::Zero(rows, graph.cells());
  for (Index i = 0; i < graph.cells(); ++i)
    if (group[i] >= 0) functions.col(i) = steps.row(group[i]).transpose();
  return functions;
}

// The smallest penalty at which the smoothest functions are most of the trace, or the largest one.
Index deflation_penalty(const Vector& lambda, const Vector& trace) {
  Index chosen;
  lambda.maxCoeff(&chosen);
  for (Index k = 0; k < lambda.size(); ++k)
    if (trace[k] < n_smooth / 2.0 && lambda[k] < lambda[chosen]) chosen = k;
  return chosen;
}

// How many probes estimate these traces, of which `known` is known without error, with an error of max_probe_error: the
// variance of z' S^2 z is at most 2 tr(S^4). found: of few_probes. Traces below `ignored` need not be right.
double enough_probes(const Forms& found, const Vector& known, double ignored) {
  double most = 0;
  for (Index k = 0; k < known.size(); ++k) {
    const double trace = known[k] + found.second[k] / few_probes;
    if (trace >= ignored)
      most = std::max(most, 2 * found.fourth[k] / few_probes / std::pow(max_probe_error * trace, 2));
  }
  return most;
}

// As a whole number of batches of few_probes, at most n_probes.
Index in_batches(double probes) {
  const double batches = std::ceil(std::min(probes, static_cast<double>(n_probes)) / few_probes);
  return few_probes * std::max<Index>(1, static_cast<Index>(batches));
}

}  // namespace

// The smoother leaves so little of the rough functions that few steps of Lanczos follow. It begins with random signs,
// whose smooth part is small: what is left undone must be small beside it. With many cells this would take long, so it
// begins with functions that are constant in groups of cells.
template <typename Scalar>
void EffectiveCells::find_smoothest(const ScaleGraph& graph, double lambda, double trace) {
  const Index n = graph.cells();
  std::vector<double> tolerances = {0.3, 0.1};
  if (many_cells<Scalar>) {
    const Index groups = std::min(max_groups, n / 2);
    std::vector<int> seeds;
    for (Index g = 0; g < groups; ++g) seeds.push_back(order_[g * n / groups]);
    smoothest_ = smoothest_steps(graph, neighborhoods(graph, seeds), groups, n_smooth);
  } else {
    smoothest_ = probe_signs<double>(order_, 0, n_smooth, 1);
    tolerances.insert(tolerances.begin(), 0.3 * std::sqrt(std::max(trace, 1.0) / static_cast<double>(n)));
  }
  for (double tol : tolerances) {
    const Functions<Scalar> rough = smoothest_.cast<Scalar>();
    const Functions<Scalar> smoother = smooth(graph, lambda, rough, {tol, max_rounds}, executor_);
    smoothest_ = ritz_vectors(graph, smoother.template cast<double>(), executor_);
  }
}

template <typename Scalar>
Vector EffectiveCells::deflated(const ScaleGraph& graph, const Vector& lambda, const Vector& guess,
                                const TraceSettings& settings) {
  if (smoothest_.cols() != graph.cells()) {
    const Index chosen = deflation_penalty(lambda, guess);
    find_smoothest<Scalar>(graph, lambda[chosen], guess[chosen]);
  }
  const Functions<Scalar> smoothest = smoothest_.cast<Scalar>();
  const Vector smooth_part =
      quadratic_forms(graph, smoothest, lambda, Vector::Zero(lambda.size()), settings.least, settings.rough, executor_)
          .second;
  const auto forms = [&](Index first, Index rows) {
    Functions<Scalar> Z = probe_signs<Scalar>(order_, first, rows, 2);
    Z -= (Z * smoothest.transpose()) * smoothest;
    const double probes = static_cast<double>(rows);
    return quadratic_forms(graph, Z, lambda, probes * smooth_part, probes * settings.least, settings.rough, executor_);
  };
  if (!many_cells<Scalar> && !settings.rough) return smooth_part + forms(0, n_probes).second / n_probes;
  const Forms few = forms(0, few_probes);
  const Index rows = settings.rough ? few_probes : in_batches(enough_probes(few, smooth_part, settings.least));
  if (rows == few_probes) return smooth_part + few.second / few_probes;
  return smooth_part + (few.second + forms(few_probes, rows - few_probes).second) / static_cast<double>(rows);
}

Vector EffectiveCells::at(const ScaleGraph& graph, const Vector& lambda, const TraceSettings& settings) {
  const double n = static_cast<double>(graph.cells());
  if (graph.empty()) return Vector::Constant(lambda.size(), n);
  if (graph.cells() <= max_cells_for_exact_trace) {
    return trace_of_S2(compressed_laplacian<double>(graph, Matrix::Identity(graph.cells(), graph.cells()), executor_),
                       lambda);
  }
  if (order_.empty()) order_ = order_by_degree(graph);
  const Vector used = lambda.cwiseMin(max_condition / (2 * graph.degree.maxCoeff()));
  const Vector found = graph.cells() <= settings.max_cells_in_double ? in_double(graph, used, settings)
                                                                     : with_single_precision(graph, used, settings);
  return (lambda.array() == 0).select(n, found.cwiseMin(n));
}

// Penalties that are too large for single precision are left for double precision, if they matter at all.
Vector EffectiveCells::with_single_precision(const ScaleGraph& graph, const Vector& lambda,
                                             const TraceSettings& settings) {
  const double max_lambda = max_condition_in_single / (2 * graph.degree.maxCoeff());
  const Index n = lambda.size(), small = (lambda.array() <= max_lambda).count();
  if (small == 0) return in_double(graph, lambda, settings);
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index(0));
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return lambda[a] < lambda[b]; });
  const auto estimate = [&](Index from, Index to) {
    Vector some(to - from);
    for (Index k = from; k < to; ++k) some[k - from] = lambda[order[k]];
    return from == 0 ? in_single(graph, some, settings) : in_double(graph, some, settings);
  };
  Vector sorted(n), trace(n);
  sorted.head(small) = estimate(0, small);
  if (sorted[small - 1] < settings.least) {
    sorted.tail(n - small).setConstant(sorted[small - 1]);
  } else if (small < n) {
    sorted.tail(n - small) = estimate(small, n);
  }
  for (Index k = 0; k < n; ++k) trace[order[k]] = sorted[k];
  return trace;
}

Vector EffectiveCells::in_double(const ScaleGraph& graph, const Vector& lambda, const TraceSettings& settings) {
  // Only the size of a small trace is found: it is computed in another way.
  const auto mean_form = [&](Index first, Index rows) {
    const double probes = static_cast<double>(rows);
    return Vector(quadratic_forms(graph, probe_signs<double>(order_, first, rows, 0), lambda,
                                  Vector::Zero(lambda.size()), probes * large_trace, settings.rough, executor_)
                      .second /
                  probes);
  };
  const double few = static_cast<double>(few_probes) / n_probes;
  Vector trace = mean_form(0, few_probes);
  if (!settings.rough && trace.minCoeff() < large_trace / few && trace.maxCoeff() > large_trace) {
    trace = few * trace + (1 - few) * mean_form(few_probes, n_probes - few_probes);
  }
  if (trace.minCoeff() < large_trace) {
    const Vector better = deflated<double>(graph, lambda, trace, settings);
    trace = (trace.array() < large_trace).select(better, trace);
  }
  return trace;
}

// Most effective cells of many cells are components of the graph. These are counted, so that few probes are enough for
// what is left.
Vector EffectiveCells::in_single(const ScaleGraph& graph, const Vector& lambda, const TraceSettings& settings) {
  const GraphComponents components(graph);
  const Vector known = Vector::Constant(lambda.size(), static_cast<double>(components.count()));
  const double ignored = std::max(settings.least, static_cast<double>(n_smooth));
  const auto forms = [&](Index first, Index rows) {
    Functions<float> Z = probe_signs<float>(order_, first, rows, 0);
    components.remove_means(Z);
    const double probes = static_cast<double>(rows);
    return quadratic_forms(graph, Z, lambda, probes * known, probes * ignored, settings.rough, executor_);
  };
  const Forms few = forms(0, few_probes);
  const Vector trace = known + few.second / few_probes;
  const double wanted = settings.rough ? 0 : enough_probes(few, known, ignored);
  if (trace.minCoeff() < ignored || wanted > max_plain_probes) {
    return deflated<float>(graph, lambda, trace, settings);
  }
  const Index rows = in_batches(wanted);
  if (rows == few_probes) return trace;
  return known + (few.second + forms(few_probes, rows - few_probes).second) / static_cast<double>(rows);
}

}  // namespace pnmf
