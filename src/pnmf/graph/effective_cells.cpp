#include "pnmf/graph/effective_cells.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "pnmf/geometry/cell_groups.h"

namespace pnmf {
namespace {

constexpr Index n_probes = 16;
constexpr Index n_smooth = 32;
// 16 probes estimate a trace of this size with an error of 2%.
constexpr double large_trace = 300;
constexpr int min_steps = 12, max_steps = 80;

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

// Signs that depend on the rank of a cell's degree, so that they move with the cells when these are permuted.
Matrix probe_signs(const ScaleGraph& graph, Index rows, std::uint64_t stream) {
  const Index n = graph.cells();
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return graph.degree[a] < graph.degree[b]; });
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

// An orthonormal basis of the rows; fewer rows if they are dependent.
Matrix orthonormal_rows(const Matrix& Y) {
  Matrix Q = Y;
  for (int pass = 0; pass < 2; ++pass) {
    const Eigen::SelfAdjointEigenSolver<Matrix> gram(Q * Q.transpose());
    const double smallest = 1e-12 * std::max(gram.eigenvalues().maxCoeff(), 1e-300);
    Index dropped = 0;
    while (dropped < Q.rows() && gram.eigenvalues()[dropped] <= smallest) ++dropped;
    const Index kept = Q.rows() - dropped;
    const Vector scale = gram.eigenvalues().tail(kept).array().rsqrt();
    Q = scale.asDiagonal() * gram.eigenvectors().rightCols(kept).transpose() * Q;
  }
  return Q;
}

// The three-term recurrence of every row of V with L: its tridiagonal matrices.
struct Tridiagonals {
  Matrix diagonal, off_diagonal;  // rows x steps
};

Tridiagonals lanczos(const ScaleGraph& graph, Matrix V, int steps, Executor& executor) {
  const Index rows = V.rows(), n = V.cols();
  Tridiagonals found{Matrix::Zero(rows, steps), Matrix::Zero(rows, steps)};
  Vector length = row_products(V, V, executor).cwiseSqrt();
  const Vector full_length = length;
  Matrix before = Matrix::Zero(rows, n), product;
  for (int step = 0; step < steps; ++step) {
    executor.poll();
    const Vector scale = (length.array() > 1e-10 * full_length.array()).select(length.array().inverse(), 0.0);
    V = scale.asDiagonal() * V;
    multiply_laplacian(graph, V, product, executor);
    if (step > 0) product.noalias() -= found.off_diagonal.col(step - 1).asDiagonal() * before;
    found.diagonal.col(step) = row_products(V, product, executor);
    product.noalias() -= found.diagonal.col(step).asDiagonal() * V;
    length = row_products(product, product, executor).cwiseSqrt();
    found.off_diagonal.col(step) = length;
    before.swap(V);
    V.swap(product);
  }
  return found;
}

// v' f(L) v for a v of unit length, f: the term of the trace.
Vector quadrature(const Vector& diagonal, const Vector& off_diagonal, const Vector& lambda) {
  Index size = 1;
  while (size < diagonal.size() && off_diagonal[size - 1] > 1e-10 * std::max(diagonal.maxCoeff(), 1e-300)) ++size;
  Eigen::SelfAdjointEigenSolver<Matrix> solver;
  solver.computeFromTridiagonal(diagonal.head(size), off_diagonal.head(std::max<Index>(size - 1, 0)));
  Vector sum = Vector::Zero(lambda.size());
  for (Index j = 0; j < size; ++j) {
    const double weight = solver.eigenvectors()(0, j) * solver.eigenvectors()(0, j);
    for (Index k = 0; k < lambda.size(); ++k) sum[k] += weight * trace_term(solver.eigenvalues()[j], lambda[k]);
  }
  return sum;
}

// sum over the rows v of  v' S^2 v, one for each lambda
Vector quadratic_forms(const ScaleGraph& graph, const Matrix& V, const Vector& lambda, int steps, Executor& executor) {
  const Vector squares = row_products(V, V, executor);
  const Tridiagonals found = lanczos(graph, V, steps, executor);
  Vector sum = Vector::Zero(lambda.size());
  for (Index r = 0; r < V.rows(); ++r) {
    if (!(squares[r] > 0)) continue;
    sum += squares[r] * quadrature(found.diagonal.row(r), found.off_diagonal.row(r), lambda);
  }
  return sum;
}

// Lanczos quadrature converges as conjugate gradients do, with the square root of the condition number.
int steps_for(const ScaleGraph& graph, double lambda) {
  const double condition = 1 + 2 * lambda * graph.degree.maxCoeff();
  return std::min(max_steps, std::max(min_steps, static_cast<int>(std::ceil(1.5 * std::sqrt(condition)))));
}

// Two applications of the smoother leave little of the rough functions even among a million cells.
Matrix smoothest_functions(const ScaleGraph& graph, double lambda, Executor& executor) {
  const SmootherSettings rough{1e-3, 60};
  Matrix Y = probe_signs(graph, std::min(n_smooth, graph.cells()), 1);
  Y = smooth(graph, lambda, smooth(graph, lambda, Y, rough, executor), rough, executor);
  return orthonormal_rows(Y);
}

// The smallest penalty at which the smoothest functions are most of the trace, or the largest one.
double deflation_penalty(const Vector& lambda, const Vector& trace) {
  double chosen = lambda.maxCoeff();
  for (Index k = 0; k < lambda.size(); ++k)
    if (trace[k] < n_smooth / 2.0) chosen = std::min(chosen, lambda[k]);
  return chosen;
}

Vector deflated_trace(const ScaleGraph& graph, const Vector& lambda, double guess, int steps, Executor& executor) {
  const Matrix Q = smoothest_functions(graph, guess, executor);
  Matrix Z = probe_signs(graph, n_probes, 2);
  Z -= (Z * Q.transpose()) * Q;
  return quadratic_forms(graph, Q, lambda, steps, executor) +
         quadratic_forms(graph, Z, lambda, steps, executor) / static_cast<double>(n_probes);
}

}  // namespace

Vector effective_cells(const ScaleGraph& graph, const Vector& lambda, Executor& executor) {
  const double n = static_cast<double>(graph.cells());
  if (graph.empty()) return Vector::Constant(lambda.size(), n);
  if (graph.cells() <= max_cells_for_exact_trace) return exact_trace(graph, lambda);
  const int steps = steps_for(graph, lambda.maxCoeff());
  Vector trace =
      quadratic_forms(graph, probe_signs(graph, n_probes, 0), lambda, steps, executor) / static_cast<double>(n_probes);
  if (trace.minCoeff() < large_trace) {
    const Vector better = deflated_trace(graph, lambda, deflation_penalty(lambda, trace), steps, executor);
    trace = (trace.array() < large_trace).select(better, trace);
  }
  return trace.cwiseMin(n);
}

}  // namespace pnmf
