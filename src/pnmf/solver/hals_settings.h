#pragma once

#include "pnmf/solver/cells.h"
#include "pnmf/solver/fit.h"

namespace pnmf {

struct UpdateSettings {
  int basis_rounds = 1, embedding_rounds = 1;  // at most
};

// How much cheap work goes with a pass over the data.
UpdateSettings hals_settings(const ProblemSize& size, Index rank, const FitOptions& options);

}  // namespace pnmf
