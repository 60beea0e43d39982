#include "pnmf/solver/multiplicative_updates.h"

namespace pnmf {
namespace {

// The part of the denominators and gradients that is diagonal in the cells: graph D + pull smooth + anchor
Vector diagonal_part(const EmbeddingProblem& p) {
  const double shared = p.neighbors.pull() * p.penalties.smooth + p.penalties.anchor;
  return (p.penalties.graph * p.graph.degree.array() + shared).matrix();
}

// W'X + graph HA + smooth (finer + coarser)
Matrix attraction(const Matrix& H, const EmbeddingProblem& p) {
  Matrix sum = p.WtX;
  if (p.penalties.graph > 0 && !p.graph.empty()) sum += p.penalties.graph * p.graph.multiply(H);
  if (p.neighbors.finer) sum += p.penalties.smooth * *p.neighbors.finer;
  if (p.neighbors.coarser) sum += p.penalties.smooth * *p.neighbors.coarser;
  return sum;
}

Matrix lifted(const Matrix& F, const Matrix& gradient) { return (gradient.array() >= 0).select(F, F.cwiseMax(tiny)); }

void lin_step(Matrix& F, const Matrix& bar, const Matrix& denominator, const Matrix& gradient, double factor) {
  F.array() -= bar.array() / (factor * denominator.array() + tiny) * (factor * gradient.array());
  // Exact arithmetic keeps F nonnegative; rounding may leave a last bit below zero.
  F = F.cwiseMax(0.0);
}

}  // namespace

void update_basis_lin(Matrix& Wt, const Matrix& XHt, const Matrix& HHt, double factor) {
  const Matrix gradient = HHt * Wt - XHt;
  const Matrix bar = lifted(Wt, gradient);
  lin_step(Wt, bar, HHt * bar, gradient, factor);
}

void update_embedding_lin(Matrix& H, const EmbeddingProblem& p, double factor) {
  const Vector diagonal = diagonal_part(p);
  const Matrix gradient = p.WtW * H + H * diagonal.asDiagonal() - attraction(H, p);
  const Matrix bar = lifted(H, gradient);
  lin_step(H, bar, p.WtW * bar + bar * diagonal.asDiagonal(), gradient, factor);
}

void update_basis_plain(Matrix& Wt, const Matrix& XHt, const Matrix& HHt) {
  const Matrix denominator = HHt * Wt;
  Wt.array() *= XHt.array() / (denominator.array() + tiny);
}

void update_embedding_plain(Matrix& H, const EmbeddingProblem& p) {
  const Matrix denominator = p.WtW * H + H * diagonal_part(p).asDiagonal();
  H.array() *= attraction(H, p).array() / (denominator.array() + tiny);
}

void normalize_basis_sums(Matrix& Wt, Matrix& H) {
  const Vector sum = Wt.rowwise().sum();
  for (Index j = 0; j < Wt.rows(); ++j) {
    if (!(sum[j] > 0)) continue;
    Wt.row(j) /= sum[j];
    H.row(j) *= sum[j];
  }
}

}  // namespace pnmf
