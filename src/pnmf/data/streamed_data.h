#pragma once

#include "pnmf/data/data_matrix.h"

namespace pnmf {

// Data in blocks of cells, usually outside the core. To implement a source: visit() reads the blocks in order and calls
// body(first cell, block) for each. A block must stay valid until body returns.
class CellBlocks {
 public:
  virtual ~CellBlocks() = default;
  virtual Index features() const = 0;
  virtual Index cells() const = 0;
  virtual Index nonzeros() const = 0;
  virtual double squared_norm() const = 0;
  virtual void visit(const std::function<void(Index first, const DataMatrix& block)>& body) const = 0;
};

// One block is in memory at a time, and every product reads all of them. XH' is summed block by block, so it differs
// from the product in memory by rounding; W'X does not.
std::unique_ptr<DataMatrix> streamed_data(std::unique_ptr<CellBlocks> blocks);

}  // namespace pnmf
