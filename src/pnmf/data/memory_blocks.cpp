#include "pnmf/data/memory_blocks.h"

#include <algorithm>

#include "pnmf/kernels/kernels.h"

namespace pnmf {
namespace {

constexpr Index cells_per_block = 512;

template <class Body>
void for_blocks(Index cells, const Body& body) {
  for (Index first = 0; first < cells; first += cells_per_block) body(first, std::min(cells_per_block, cells - first));
}

class DenseBlocks : public CellBlocks {
 public:
  explicit DenseBlocks(ConstMatrixMap X) : X_(X) {}
  Index features() const override { return X_.rows(); }
  Index cells() const override { return X_.cols(); }
  Index nonzeros() const override { return (X_.array() != 0).count(); }
  double squared_norm() const override { return X_.squaredNorm(); }
  void visit(const std::function<void(Index first, const DataMatrix& block)>& body) const override {
    for_blocks(cells(), [&](Index first, Index n) {
      body(first, *dense_data(ConstMatrixMap(X_.data() + first * X_.rows(), X_.rows(), n)));
    });
  }

 private:
  ConstMatrixMap X_;
};

class SparseBlocks : public CellBlocks {
 public:
  explicit SparseBlocks(const SparseColumns& X) : X_(X) {}
  Index features() const override { return X_.rows; }
  Index cells() const override { return X_.columns; }
  Index nonzeros() const override { return stored() - std::count(X_.value, X_.value + stored(), 0.0); }
  double squared_norm() const override { return dot(X_.value, X_.value, stored()); }
  void visit(const std::function<void(Index first, const DataMatrix& block)>& body) const override {
    for_blocks(cells(), [&](Index first, Index n) {
      const int skipped = X_.column_start[first];
      std::vector<int> start(X_.column_start + first, X_.column_start + first + n + 1);
      for (int& place : start) place -= skipped;
      body(first, *sparse_data({X_.rows, n, X_.row + skipped, X_.value + skipped, start.data()}));
    });
  }

 private:
  Index stored() const { return X_.column_start[X_.columns]; }

  SparseColumns X_;
};

}  // namespace

std::unique_ptr<CellBlocks> dense_blocks(ConstMatrixMap X) { return std::make_unique<DenseBlocks>(X); }

std::unique_ptr<CellBlocks> sparse_blocks(const SparseColumns& X) { return std::make_unique<SparseBlocks>(X); }

}  // namespace pnmf
