#pragma once

#include "pnmf/data/data_matrix.h"

namespace pnmf {

// X v and X'u for one vector, from X as it is: no second orientation is made. X: features x cells
// The executor is polled on the way.
Vector multiply(const ConstMatrixMap& X, const ConstVectorMap& v, Executor& executor);
Vector multiply(const SparseColumns& X, const ConstVectorMap& v, Executor& executor);
Vector multiply_transposed(const ConstMatrixMap& X, const ConstVectorMap& u, Executor& executor);
Vector multiply_transposed(const SparseColumns& X, const ConstVectorMap& u, Executor& executor);

}  // namespace pnmf
