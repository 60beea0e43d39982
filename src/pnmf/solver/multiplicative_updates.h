#pragma once

#include "pnmf/base/types.h"
#include "pnmf/solver/hals_updates.h"

namespace pnmf {

// Added to denominators, and the minimum value of a blocked entry.
constexpr double tiny = 1e-9;

// Lin's modification of a multiplicative step on F >= 0 with half-gradient g:
//   Fbar = F where g >= 0, max(F, 1e-9) elsewhere;   F <- F - Fbar / (factor * denominator(Fbar) + 1e-9) * factor * g
// factor is 2 in the paper and 1 in the released code.
void update_basis_lin(Matrix& Wt, const Matrix& XHt, const Matrix& HHt, double factor);
void update_embedding_lin(Matrix& H, const EmbeddingProblem& problem, double factor);

// Plain multiplicative steps of graph-regularised NMF, 1e-9 added to the denominators.
void update_basis_plain(Matrix& Wt, const Matrix& XHt, const Matrix& HHt);
void update_embedding_plain(Matrix& H, const EmbeddingProblem& problem);

// Scales the columns of W to sum to 1 and rescales H; zero columns stay.
void normalize_basis_sums(Matrix& Wt, Matrix& H);

}  // namespace pnmf
