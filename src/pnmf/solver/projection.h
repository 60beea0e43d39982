#pragma once

#include "pnmf/base/types.h"
#include "pnmf/data/data_matrix.h"

namespace pnmf {

// min over H >= 0 of |X - WH|^2 for fixed W, cell by cell, to the relative accuracy `tol`.   Result: rank x cells
Matrix project_cells(const DataMatrix& data, const Matrix& Wt, int max_steps, double tol, Executor& executor);

// min over W >= 0, |w_j| <= 1 of |X - WH|^2 for fixed H, until the possible gain is about tol |X|^2. Result Wt: rank x
// features
Matrix basis_for(const DataMatrix& data, const Matrix& H, int max_steps, double tol, Executor& executor);

}  // namespace pnmf
