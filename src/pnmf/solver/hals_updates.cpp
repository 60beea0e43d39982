#include "pnmf/solver/hals_updates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pnmf/kernels/kernels.h"

namespace pnmf {
namespace {

// r_i of update_embedding.
void right_side(const Matrix& H, const EmbeddingProblem& p, Index i, Vector& r) {
  r = p.WtX.col(i);
  if (p.penalties.graph > 0) p.graph.add_neighbors(i, H, p.penalties.graph, r);
  if (p.penalties.smooth > 0) {
    const Neighbors& near = p.neighbors;
    if (near.finer) r.noalias() += p.penalties.smooth * near.finer_spring * near.finer->col(i);
    if (near.coarser) r.noalias() += p.penalties.smooth * near.coarser_spring * near.coarser->col(i);
  }
}

// c_i of update_embedding.
double diagonal_shift(const EmbeddingProblem& p, Index i) {
  const double shift =
      p.penalties.graph * p.graph.degree[i] + p.neighbors.pull() * p.penalties.smooth + p.penalties.anchor;
  return p.shift ? shift + (*p.shift)[i] : shift;
}

// If the curvature is below this, a step of the factor could underflow. The factor is then left unchanged, which never
// raises the objective.
constexpr double min_curvature = std::numeric_limits<double>::min();

// W features x rank here, so that a factor is contiguous. moves(j, k, S) for all factors j, from S.col(k) =
// (XH' - W HH')_j as it was before the first factor of S moved.
template <typename Moves>
void for_factors(const Matrix& W, const Matrix& XH, const Matrix& HHt, const Moves& moves) {
  Matrix S(W.rows(), columns_at_once);
  for (Index first = 0; first < W.cols(); first += columns_at_once) {
    const Index columns = std::min(columns_at_once, W.cols() - first);
    subtract_product(XH.col(first).data(), W.data(), HHt.col(first).data(), W.rows(), W.cols(), columns, S.data());
    for (Index k = 0; k < columns; ++k) moves(first + k, k, S);
  }
}

// S.col(k) <- the minimiser of factor j after the changes S.col(0) ... S.col(moved - 1) of the factors before it.
// Returns the factor that shrinks it to length 1 at most; 0 if it must not change.
double factor_step(const Matrix& W, const Matrix& HHt, Index j, Index k, Index moved, Matrix& S) {
  const double curvature = HHt(j, j);
  if (!(curvature >= min_curvature)) return 0;
  const double squared_length = nonnegative_step(S.col(k).data(), W.col(j).data(), S.data(), HHt.col(j).data() + j - k,
                                                 moved, curvature, W.rows());
  if (!std::isfinite(squared_length)) return 0;
  return squared_length > 1 ? 1 / std::sqrt(squared_length) : 1.0;
}

// One round over the factors of W; the squared change.
double basis_round(Matrix& W, const Matrix& XH, const Matrix& HHt) {
  double change = 0;
  for_factors(W, XH, HHt, [&](Index j, Index k, Matrix& S) {
    const double shrink = factor_step(W, HHt, j, k, k, S);
    if (shrink > 0) {
      change += replace_scaled(W.col(j).data(), S.col(k).data(), shrink, W.rows());
    } else {
      S.col(k).setZero();
    }
  });
  return change;
}

constexpr Index cells_per_block = 128;

// One step of n cells, cell_at(0) ... cell_at(n - 1). Returns the decrease of the objective.
template <typename CellAt>
double move_cells(Matrix& H, const EmbeddingProblem& p, const PaddedSquare& WtW, Index n, const CellAt& cell_at) {
  double gain = 0;
  Vector r(H.rows()), work(2 * WtW.padded_rank());
  for (Index k = 0; k < n; ++k) {
    const Index i = cell_at(k);
    right_side(H, p, i, r);
    gain += descend_coordinates(WtW, diagonal_shift(p, i), r.data(), H.col(i).data(), work.data()).gain;
  }
  return gain;
}

// One round over all cells, set by set if the graph has independent sets. Cells of a set have no common edges, so the
// result does not depend on the threads. Returns the decrease of the objective.
double embedding_round(Matrix& H, const EmbeddingProblem& p, const PaddedSquare& WtW, Executor& executor) {
  if (!p.graph.independent_sets) return move_cells(H, p, WtW, H.cols(), [](Index i) { return i; });
  double gain = 0;
  for (const std::vector<int>& cells : *p.graph.independent_sets) {
    const Index n = static_cast<Index>(cells.size());
    Vector gains((n + cells_per_block - 1) / cells_per_block);
    run_blocks(executor, n, cells_per_block, [&](Index begin, Index end) {
      gains[begin / cells_per_block] =
          move_cells(H, p, WtW, end - begin, [&](Index k) { return Index(cells[begin + k]); });
    });
    gain += gains.sum();
  }
  return gain;
}

// |w_j|^2 of every factor, read feature by feature as W is stored.
Vector squared_lengths(const Matrix& Wt) {
  Vector squared = Vector::Zero(Wt.rows());
  for (Index f = 0; f < Wt.cols(); ++f) squared.array() += Wt.col(f).array().square();
  return squared;
}

}  // namespace

Neighbors neighbors_of(const std::vector<Matrix>& H, Index t, const ScaleWeights& weights) {
  Neighbors near;
  if (t > 0) {
    near.finer = &H[t - 1];
    near.finer_spring = weights.spring(t) / weights.of(t);
  }
  if (t + 1 < static_cast<Index>(H.size())) {
    near.coarser = &H[t + 1];
    near.coarser_spring = weights.spring(t + 1) / weights.of(t);
  }
  return near;
}

void update_basis(Matrix& Wt, const Matrix& XHt, const Matrix& HHt, int passes) {
  Matrix W = transposed(Wt);
  const Matrix XH = transposed(XHt);
  const double first = basis_round(W, XH, HHt);
  for (int pass = 1; pass < passes; ++pass) {
    if (basis_round(W, XH, HHt) <= min_gain_share * first) break;
  }
  // In place: allocating a new basis each time, on several threads, would fragment the memory.
  transpose(W, Wt);
}

double update_embedding(Matrix& H, const EmbeddingProblem& problem, int passes, Executor& executor) {
  const PaddedSquare WtW(problem.WtW);
  const double first = embedding_round(H, problem, WtW, executor);
  for (int pass = 1; pass < passes; ++pass) {
    if (embedding_round(H, problem, WtW, executor) <= min_gain_share * first) break;
  }
  return first;
}

double local_objective(const Matrix& H, const EmbeddingProblem& p, double squared_norm) {
  double total = data_term(squared_norm, p.WtX, p.WtW, H) + embedding_terms(p.graph, H, p.penalties);
  const Neighbors& near = p.neighbors;
  if (near.finer) total += near.finer_spring * smooth_term(H, *near.finer, p.penalties);
  if (near.coarser) total += near.coarser_spring * smooth_term(H, *near.coarser, p.penalties);
  return total;
}

void normalize_basis(Matrix& Wt, Matrix& H) {
  Vector length = squared_lengths(Wt).cwiseSqrt();
  for (Index j = 0; j < length.size(); ++j) {
    if (!(length[j] > 0)) length[j] = 1;
  }
  for (Index f = 0; f < Wt.cols(); ++f) Wt.col(f).array() /= length.array();
  for (Index i = 0; i < H.cols(); ++i) H.col(i).array() *= length.array();
}

double basis_residual(const Matrix& Wt, const Matrix& XHt, const Matrix& HHt) {
  const Matrix W = transposed(Wt), XH = transposed(XHt);
  double residual = 0;
  for_factors(W, XH, HHt, [&](Index j, Index k, Matrix& S) {
    const double shrink = factor_step(W, HHt, j, k, 0, S);
    if (shrink > 0) residual += HHt(j, j) * squared_change(W.col(j).data(), S.col(k).data(), shrink, W.rows());
  });
  return residual;
}

double embedding_residual(const Matrix& H, const EmbeddingProblem& p) {
  double residual = 0;
  Vector r(H.rows()), Sh(H.rows());
  for (Index i = 0; i < H.cols(); ++i) {
    right_side(H, p, i, r);
    const double shift = diagonal_shift(p, i);
    Sh.noalias() = p.WtW * H.col(i);
    for (Index j = 0; j < H.rows(); ++j) {
      const double curvature = p.WtW(j, j) + shift;
      if (!(curvature > 0)) continue;
      const double step = std::max(-H(j, i), (r[j] - Sh[j] - shift * H(j, i)) / curvature);
      residual += curvature * step * step;
    }
  }
  return residual;
}

}  // namespace pnmf
