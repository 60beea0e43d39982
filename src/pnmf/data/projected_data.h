#pragma once

#include "pnmf/data/data_matrix.h"

namespace pnmf {

// Orthonormal directions U (features x directions) and the data in their coordinates.
struct Projection {
  Matrix Ut, UtX;  // directions x features, directions x cells
};

// U U'X instead of X. Products take time in proportion to the directions, and never read X.
std::unique_ptr<DataMatrix> projected_data(Projection projection);

}  // namespace pnmf
