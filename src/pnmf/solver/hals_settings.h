#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/solver/fit.h"
#include "pnmf/solver/scale_updates.h"

namespace pnmf {

// How much cheap work goes with a pass over the data.
UpdateSettings hals_settings(const DataMatrix& data, const ScaleGraphs& graphs, Index rank, const FitOptions& options);

}  // namespace pnmf
