#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/solver/fit.h"
#include "pnmf/solver/scale_updates.h"

namespace pnmf {

// What the work of a sweep depends on, besides the rank.
struct ProblemSize {
  double features, cells, nonzeros;
  double mean_edges;  // per scale
};

ProblemSize size_of(const DataMatrix& data, const ScaleGraphs& graphs);

// How much cheap work goes with a pass over the data.
UpdateSettings hals_settings(const ProblemSize& size, Index rank, const FitOptions& options);

}  // namespace pnmf
