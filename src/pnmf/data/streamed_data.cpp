#include "pnmf/data/streamed_data.h"

namespace pnmf {
namespace {

class StreamedData : public DataMatrix {
 public:
  explicit StreamedData(std::unique_ptr<CellBlocks> blocks) : blocks_(std::move(blocks)) {}
  Index features() const override { return blocks_->features(); }
  Index cells() const override { return blocks_->cells(); }
  Index nonzeros() const override { return blocks_->nonzeros(); }
  double squared_norm() const override { return blocks_->squared_norm(); }
  bool streamed() const override { return true; }

  Matrix basis_product(const Matrix& Wt, Executor& executor) const override {
    return std::move(basis_products({&Wt}, executor)[0]);
  }
  Matrix embedding_product(const Matrix& H, Executor& executor) const override {
    return std::move(embedding_products({&H}, executor)[0]);
  }

  Matrix feature_rows(Index begin, Index n) const override {
    Matrix rows(n, cells());
    blocks_->visit([&](Index first, const DataMatrix& block) {
      rows.middleCols(first, block.cells()) = block.feature_rows(begin, n);
    });
    return rows;
  }

  std::vector<Matrix> basis_products(const std::vector<const Matrix*>& Wt, Executor& executor) const override {
    std::vector<Matrix> products;
    for (const Matrix* factor : Wt) products.emplace_back(factor->rows(), cells());
    blocks_->visit([&](Index first, const DataMatrix& block) {
      run_items(executor, static_cast<Index>(Wt.size()), [&](Index k, Executor& inner) {
        products[k].middleCols(first, block.cells()) = block.basis_product(*Wt[k], inner);
      });
    });
    return products;
  }

  std::vector<Matrix> embedding_products(const std::vector<const Matrix*>& H, Executor& executor) const override {
    std::vector<Matrix> products;
    for (const Matrix* factor : H) products.push_back(Matrix::Zero(factor->rows(), features()));
    blocks_->visit([&](Index first, const DataMatrix& block) {
      run_items(executor, static_cast<Index>(H.size()), [&](Index k, Executor& inner) {
        products[k] += block.embedding_product(H[k]->middleCols(first, block.cells()), inner);
      });
    });
    return products;
  }

 private:
  std::unique_ptr<CellBlocks> blocks_;
};

// Features per product of feature_gram(): bounds the memory of the factor.
constexpr Index features_at_once = 256;

}  // namespace

std::unique_ptr<DataMatrix> streamed_data(std::unique_ptr<CellBlocks> blocks) {
  return std::make_unique<StreamedData>(std::move(blocks));
}

Matrix feature_gram(const CellBlocks& blocks, Executor& executor) {
  const Index p = blocks.features();
  Matrix gram = Matrix::Zero(p, p);
  blocks.visit([&](Index, const DataMatrix& block) {
    for (Index begin = 0; begin < p; begin += features_at_once) {
      const Index n = std::min(features_at_once, p - begin);
      gram.middleRows(begin, n) += block.embedding_product(block.feature_rows(begin, n), executor);
    }
  });
  return gram;
}

}  // namespace pnmf
