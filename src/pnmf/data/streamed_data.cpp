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
  void add_feature_gram(Matrix& gram, Executor& executor) const override {
    blocks_->visit([&](Index, const DataMatrix& block) { block.add_feature_gram(gram, executor); });
  }

  std::vector<Matrix> basis_products(const std::vector<const Matrix*>& Wt, Executor& executor) const override {
    std::vector<Matrix> products;
    for (const Matrix* factor : Wt) products.emplace_back(factor->rows(), cells());
    blocks_->visit([&](Index first, const DataMatrix& block) {
      const std::vector<Matrix> parts = block.basis_products(Wt, executor);
      for (std::size_t k = 0; k < Wt.size(); ++k) products[k].middleCols(first, block.cells()) = parts[k];
    });
    return products;
  }

  std::vector<Matrix> embedding_products(const std::vector<const Matrix*>& H, Executor& executor) const override {
    std::vector<Matrix> products;
    for (const Matrix* factor : H) products.push_back(Matrix::Zero(factor->rows(), features()));
    blocks_->visit([&](Index first, const DataMatrix& block) {
      std::vector<Matrix> cells;
      std::vector<const Matrix*> factors;
      for (const Matrix* factor : H) cells.push_back(factor->middleCols(first, block.cells()));
      for (const Matrix& part : cells) factors.push_back(&part);
      const std::vector<Matrix> parts = block.embedding_products(factors, executor);
      for (std::size_t k = 0; k < H.size(); ++k) products[k] += parts[k];
    });
    return products;
  }

 private:
  std::unique_ptr<CellBlocks> blocks_;
};

}  // namespace

std::unique_ptr<DataMatrix> streamed_data(std::unique_ptr<CellBlocks> blocks) {
  return std::make_unique<StreamedData>(std::move(blocks));
}

}  // namespace pnmf
