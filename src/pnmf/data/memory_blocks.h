#pragma once

#include "pnmf/data/streamed_data.h"

namespace pnmf {

// Data in memory, block by block, for what is computed once: needs no second orientation of all of X.
std::unique_ptr<CellBlocks> dense_blocks(ConstMatrixMap X);
std::unique_ptr<CellBlocks> sparse_blocks(const SparseColumns& X);

}  // namespace pnmf
