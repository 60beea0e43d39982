#pragma once

#include <vector>

#include "pnmf/base/types.h"
#include "pnmf/data/data_matrix.h"
#include "pnmf/kernels/kernels.h"

namespace pnmf {

// min over H >= 0 of |X - WH|^2 for fixed W, cell by cell, to the relative accuracy `tol`.   Result: rank x cells
Matrix project_cells(const DataMatrix& data, const Matrix& Wt, int max_steps, double tol, Executor& executor);

// All scales of cells whose bases, neighbours and penalties are given:
//   sum_t q_t (h_t'(S_t + c_ti I)h_t - 2 h_t'r_ti)  +  sum_{t>1} k_t |h_t - h_{t-1}|^2   over h_t >= 0, cell by cell.
struct PlacementProblem {
  std::vector<Matrix> r;        // of every scale, rank x cells
  std::vector<PaddedSquare> S;  // of every scale
  Matrix c;                     // scales x cells
  std::vector<double> weight;   // q
  std::vector<double> spring;   // k; the first is not used
};

// Coordinate descent up and down the scales, until a round moves less than tol times the length of all h_t together.
// Result: one rank x cells matrix per scale
std::vector<Matrix> place_cells(const PlacementProblem& problem, int max_rounds, double tol, Executor& executor);

}  // namespace pnmf
