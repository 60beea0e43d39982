#include "pnmf/graph/effective_cells.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "pnmf/geometry/cell_groups.h"

namespace pnmf {
namespace {

constexpr Index few_probes = 4, n_probes = 16;
constexpr Index n_smooth = 32;
// 16 probes estimate a trace of this size with an error of 2%.
constexpr double large_trace = 300;
constexpr int min_steps = 12, max_steps = 135;
constexpr double max_quadrature_error = 0.02, max_rough_error = 0.1;
constexpr int max_rounds = 200;

double trace_term(double eigenvalue, double lambda) {
  const double share = 1 / (1 + lambda * std::max(eigenvalue, 0.0));
  return share * share;
}

Vector exact_trace(const ScaleGraph& graph, const Vector& lambda) {
  const Index n = graph.cells();
  SerialExecutor serial;
  Matrix L;
  multiply_laplacian(graph, Matrix::Identity(n, n), L, serial);
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(L, Eigen::EigenvaluesOnly).eigenvalues();
  Vector trace = Vector::Zero(lambda.size());
  for (Index k = 0; k < lambda.size(); ++k)
    for (Index i = 0; i < n; ++i) trace[k] += trace_term(eigenvalues[i], lambda[k]);
  return trace;
}

std::vector<int> order_by_degree(const ScaleGraph& graph) {
  std::vector<int> order(graph.cells());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return graph.degree[a] < graph.degree[b]; });
  return order;
}

// Signs that depend on the place of a cell in the order.
Matrix probe_signs(const std::vector<int>& order, Index rows, std::uint64_t stream) {
  const Index n = static_cast<Index>(order.size());
  Matrix signs(rows, n);
  for (Index k = 0; k < n; ++k) {
    std::uint64_t bits = 0;
    for (Index r = 0; r < rows; ++r) {
      if (r % 32 == 0) bits = splitmix64((stream << 48) + static_cast<std::uint64_t>(k) * 8 + r / 32);
      signs(r, order[k]) = (bits >> (2 * (r % 32))) & 1 ? 1.0 : -1.0;
    }
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

struct Bounds {
  Vector lower, upper;
};

// v' f(L) v for a v of unit length, f: the term of the trace.
Vector gauss(const Vector& diagonal, const Vector& off_diagonal, const Vector& lambda) {
  Eigen::SelfAdjointEigenSolver<Matrix> solver;
  solver.computeFromTridiagonal(diagonal, off_diagonal);
  Vector sum = Vector::Zero(lambda.size());
  for (Index j = 0; j < diagonal.size(); ++j) {
    const double weight = solver.eigenvectors()(0, j) * solver.eigenvectors()(0, j);
    for (Index k = 0; k < lambda.size(); ++k) sum[k] += weight * trace_term(solver.eigenvalues()[j], lambda[k]);
  }
  return sum;
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

// Derivatives of f have alternating signs, so Gauss quadrature is a lower bound, and Gauss-Radau quadrature with a node
// below all eigenvalues an upper one (Golub and Meurant 1994). The node is just below 0, which is an eigenvalue of L.
Bounds quadrature(Vector diagonal, const Vector& off_diagonal, const Vector& lambda) {
  Index size = 1;
  const double smallest = 1e-10 * std::max(diagonal.maxCoeff(), 1e-300);
  while (size < diagonal.size() && off_diagonal[size - 1] > smallest) ++size;
  const bool ended = size < diagonal.size();  // the space of v is exhausted: the quadrature is exact
  diagonal.conservativeResize(size);
  const Vector beside = off_diagonal.head(size - 1);
  Bounds bounds{gauss(diagonal, beside, lambda), {}};
  if (!ended && size > 1) diagonal[size - 1] = radau_entry(diagonal, beside, -1e3 * smallest);
  bounds.upper = ended || size == 1 ? bounds.lower : gauss(diagonal, beside, lambda);
  return bounds;
}

// The three-term recurrence of every row of V with L: its tridiagonal matrices.
class Lanczos {
 public:
  Lanczos(const ScaleGraph& graph, Matrix V, Executor& executor)
      : graph_(graph), executor_(executor), V_(std::move(V)), before_(Matrix::Zero(V_.rows(), V_.cols())),
        product_(V_.rows(), V_.cols()), length_(row_products(V_, V_, executor).cwiseSqrt()), full_length_(length_) {}

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

  // sum over the rows v of  v' S^2 v, one for each lambda
  Bounds quadratic_forms(const Vector& lambda) const {
    Bounds sum{Vector::Zero(lambda.size()), Vector::Zero(lambda.size())};
    for (Index r = 0; r < diagonal_.rows(); ++r) {
      const double square = full_length_[r] * full_length_[r];
      if (!(square > 0)) continue;
      const Bounds one = quadrature(diagonal_.row(r), off_diagonal_.row(r), lambda);
      sum.lower += square * one.lower;
      sum.upper += square * one.upper;
    }
    return sum;
  }

 private:
  // V is not of unit length yet.
  void run_step(int step) {
    const Index rows = V_.rows(), n = V_.cols();
    const Vector scale = (length_.array() > 1e-10 * full_length_.array()).select(length_.array().inverse(), 0.0);
    const Vector last = step > 0 ? Vector(off_diagonal_.col(step - 1)) : Vector::Zero(rows);
    diagonal_.col(step) = sum_over_blocks(rows, n, executor_, [&](Index begin, Index end, Vector& sum) {
      Vector Lv(rows);
      for (Index i = begin; i < end; ++i) {
        Lv.noalias() = graph_.degree[i] * V_.col(i);
        graph_.add_neighbors(i, V_, -1.0, Lv);
        product_.col(i) = scale.cwiseProduct(Lv) - last.cwiseProduct(before_.col(i));
        sum.array() += scale.array() * V_.col(i).array() * product_.col(i).array();
      }
    });
    length_ = sum_over_blocks(rows, n, executor_, [&](Index begin, Index end, Vector& sum) {
      for (Index i = begin; i < end; ++i) {
        V_.col(i).array() *= scale.array();
        product_.col(i).array() -= diagonal_.col(step).array() * V_.col(i).array();
        sum.array() += product_.col(i).array().square();
      }
    });
    length_ = length_.cwiseSqrt();
    off_diagonal_.col(step) = length_;
    before_.swap(V_);
    V_.swap(product_);
  }

  const ScaleGraph& graph_;
  Executor& executor_;
  Matrix V_, before_, product_;
  Vector length_, full_length_;
  Matrix diagonal_, off_diagonal_;  // rows x steps
};

// sum over the rows v of  v' S^2 v, one for each lambda. rest: what else the sums are part of. Sums that are below
// `ignored` with it need not be right.
Vector quadratic_forms(const ScaleGraph& graph, const Matrix& V, const Vector& lambda, const Vector& rest,
                       double ignored, bool rough, Executor& executor) {
  const double max_error = rough ? max_rough_error : max_quadrature_error;
  Lanczos lanczos(graph, V, executor);
  for (int steps = min_steps;; steps = steps * 3 / 2) {
    lanczos.advance(steps);
    const Bounds bounds = lanczos.quadratic_forms(lambda);
    const Vector sum = (bounds.lower + bounds.upper) / 2;
    const bool settled =
        ((bounds.upper + rest).array() < ignored || (bounds.upper - sum).array() <= max_error * (sum + rest).array())
            .all();
    if (settled || steps >= max_steps) return sum;
  }
}

// The rows of Y as approximate eigenvectors of L: an orthonormal basis of what they span, by ascending eigenvalue.
Matrix ritz_vectors(const ScaleGraph& graph, const Matrix& Y, Executor& executor) {
  const Matrix Q = orthonormal_rows(Y);
  Matrix LQ;
  multiply_laplacian(graph, Q, LQ, executor);
  return Eigen::SelfAdjointEigenSolver<Matrix>(Q * LQ.transpose()).eigenvectors().transpose() * Q;
}

// The smallest penalty at which the smoothest functions are most of the trace, or the largest one.
Index deflation_penalty(const Vector& lambda, const Vector& trace) {
  Index chosen;
  lambda.maxCoeff(&chosen);
  for (Index k = 0; k < lambda.size(); ++k)
    if (trace[k] < n_smooth / 2.0 && lambda[k] < lambda[chosen]) chosen = k;
  return chosen;
}

// Only the size of a small trace is known: it is computed in another way.
Vector plain_trace(const ScaleGraph& graph, const Matrix& Z, const Vector& lambda, bool rough, Executor& executor) {
  const double probes = static_cast<double>(Z.rows());
  return quadratic_forms(graph, Z, lambda, Vector::Zero(lambda.size()), probes * large_trace, rough, executor) / probes;
}

}  // namespace

// The smooth part is a small share of a probe: what the smoother leaves undone must be small beside it. Three
// applications leave so little of the rough functions, even among a million cells, that few steps of Lanczos follow.
void EffectiveCells::find_smoothest(const ScaleGraph& graph, double lambda, double trace) {
  const double share = std::sqrt(std::max(trace, 1.0) / static_cast<double>(graph.cells()));
  smoothest_ = probe_signs(order_, std::min(n_smooth, graph.cells()), 1);
  for (double tol : {0.1 * share, 0.1, 0.1}) {
    smoothest_ = ritz_vectors(graph, smooth(graph, lambda, smoothest_, {tol, max_rounds}, executor_), executor_);
  }
}

Vector EffectiveCells::deflated(const ScaleGraph& graph, const Vector& lambda, const Vector& guess,
                                const TraceSettings& settings) {
  if (smoothest_.cols() != graph.cells()) {
    const Index chosen = deflation_penalty(lambda, guess);
    find_smoothest(graph, lambda[chosen], guess[chosen]);
  }
  const Index rows = settings.rough ? few_probes : n_probes;
  Matrix Z = probe_signs(order_, n_probes, 2).topRows(rows);
  Z -= (Z * smoothest_.transpose()) * smoothest_;
  const double probes = static_cast<double>(rows);
  const Vector smooth_part = quadratic_forms(graph, smoothest_, lambda, Vector::Zero(lambda.size()), settings.least,
                                             settings.rough, executor_);
  return smooth_part +
         quadratic_forms(graph, Z, lambda, probes * smooth_part, probes * settings.least, settings.rough, executor_) /
             probes;
}

Vector EffectiveCells::at(const ScaleGraph& graph, const Vector& lambda, const TraceSettings& settings) {
  const double n = static_cast<double>(graph.cells());
  if (graph.empty()) return Vector::Constant(lambda.size(), n);
  if (graph.cells() <= max_cells_for_exact_trace) return exact_trace(graph, lambda);
  if (order_.empty()) order_ = order_by_degree(graph);
  const Matrix probes = probe_signs(order_, n_probes, 0);
  Vector trace = plain_trace(graph, probes.topRows(few_probes), lambda, settings.rough, executor_);
  const double few = static_cast<double>(few_probes) / n_probes;
  if (!settings.rough && trace.minCoeff() < large_trace / few && trace.maxCoeff() > large_trace) {
    const Vector others = plain_trace(graph, probes.bottomRows(n_probes - few_probes), lambda, false, executor_);
    trace = few * trace + (1 - few) * others;
  }
  if (trace.minCoeff() < large_trace) {
    const Vector better = deflated(graph, lambda, trace, settings);
    trace = (trace.array() < large_trace).select(better, trace);
  }
  return trace.cwiseMin(n);
}

}  // namespace pnmf
