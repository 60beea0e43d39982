#pragma once

#include "pnmf/data/data_matrix.h"

namespace pnmf {

// X v and X'u for one vector, without a second orientation of X. X: features x cells. Polls the executor.
Vector multiply(const ConstMatrixMap& X, const ConstVectorMap& v, Executor& executor);
Vector multiply(const SparseColumns& X, const ConstVectorMap& v, Executor& executor);
Vector multiply_transposed(const ConstMatrixMap& X, const ConstVectorMap& u, Executor& executor);
Vector multiply_transposed(const SparseColumns& X, const ConstVectorMap& u, Executor& executor);

}  // namespace pnmf
