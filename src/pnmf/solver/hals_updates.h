#pragma once

#include "pnmf/base/executor.h"
#include "pnmf/base/types.h"
#include "pnmf/graph/scale_graph.h"
#include "pnmf/solver/objective.h"

namespace pnmf {

// Scales next to t; absent ones are null. The springs to them are in units of the smoothness penalty and, where scales
// have weights, divided by that of t:  1 / (g_t q_t) and 1 / (g_{t+1} q_t).
struct Neighbors {
  const Matrix* finer = nullptr;
  const Matrix* coarser = nullptr;
  double finer_spring = 1, coarser_spring = 1;
  double pull() const { return (finer ? finer_spring : 0) + (coarser ? coarser_spring : 0); }
};

Neighbors neighbors_of(const std::vector<Matrix>& H, Index t, const ScaleWeights& weights);

// The part of the model that one embedding H (rank x cells) sees while everything else is fixed, divided by the weight
// of its scale.
struct EmbeddingProblem {
  const Matrix& WtX;
  const Matrix& WtW;
  const ScaleGraph& graph;
  Neighbors neighbors;
  Penalties penalties;
  const Vector* shift = nullptr;  // of every cell, added to c_i; null: none
};

// Another round is worthwhile while it still moves a tenth of the first one: both the squared change and the gain of a
// round are proportional to the square of its steps.
constexpr double min_gain_share = 0.01;

// Minimises over W >= 0, |w_j| <= 1 one factor at a time:
//   w_j <- max(0, w_j + (XH' - W HH')_j / (HH')_jj), then shrunk to length 1 if longer.
// Both steps together are the exact minimiser: projection on the cone, then on the ball.
// At most `passes` rounds over the factors; stops once a round changes W by less than a tenth of the first.
void update_basis(Matrix& Wt, const Matrix& XHt, const Matrix& HHt, int passes);

// Minimises over H >= 0, cell after cell, by coordinate descent on
//   h'(W'W + c_i I)h - 2 h'r_i,   c_i = graph D_ii + smooth (finer spring + coarser spring) + anchor,
//   r_i = W'x_i + graph sum_j A_ij h_j + smooth (finer spring * finer h_i + coarser spring * coarser h_i).
// Returns the decrease of the objective in the first round.
double update_embedding(Matrix& H, const EmbeddingProblem& problem, int passes, Executor& executor);

// The part of the objective that depends on this embedding, with the data term.
double local_objective(const Matrix& H, const EmbeddingProblem& problem, double squared_norm);

// Moves the length of each factor of W into H, so that |w_j| = 1 (zero factors stay).
void normalize_basis(Matrix& Wt, Matrix& H);

// How far from stationary: the scaled projected gradient,  sum over coordinates of curvature * step^2, where step is
// the distance of the coordinate from its constrained minimum, in units of the objective. It is zero at a stationary
// point. Elsewhere the distance to that point depends on the conditioning: neither the distance nor the remaining gain
// is bounded by the residual.
double basis_residual(const Matrix& Wt, const Matrix& XHt, const Matrix& HHt);
double embedding_residual(const Matrix& H, const EmbeddingProblem& problem);

}  // namespace pnmf
