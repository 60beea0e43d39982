#include "pnmf/data/projected_data.h"

namespace pnmf {
namespace {

std::vector<const Matrix*> pointers(const std::vector<Matrix>& matrices) {
  std::vector<const Matrix*> to;
  for (const Matrix& matrix : matrices) to.push_back(&matrix);
  return to;
}

class ProjectedData : public DataMatrix {
 public:
  explicit ProjectedData(Projection projection)
      : Ut_(std::move(projection.Ut)), UtX_(std::move(projection.UtX)),
        directions_(dense_data(ConstMatrixMap(Ut_.data(), Ut_.rows(), Ut_.cols()))),
        coordinates_(dense_data(ConstMatrixMap(UtX_.data(), UtX_.rows(), UtX_.cols()))) {}
  Index features() const override { return Ut_.cols(); }
  Index cells() const override { return UtX_.cols(); }
  // Numbers that a product reads.
  Index nonzeros() const override { return Ut_.size() + UtX_.size(); }
  double squared_norm() const override { return coordinates_->squared_norm(); }

  Matrix basis_product(const Matrix& Wt, Executor& executor) const override {
    return coordinates_->basis_product(directions_->embedding_product(Wt, executor), executor);
  }
  Matrix embedding_product(const Matrix& H, Executor& executor) const override {
    return directions_->basis_product(coordinates_->embedding_product(H, executor), executor);
  }
  std::vector<Matrix> basis_products(const std::vector<const Matrix*>& Wt, Executor& executor) const override {
    return coordinates_->basis_products(pointers(directions_->embedding_products(Wt, executor)), executor);
  }
  std::vector<Matrix> embedding_products(const std::vector<const Matrix*>& H, Executor& executor) const override {
    return directions_->basis_products(pointers(coordinates_->embedding_products(H, executor)), executor);
  }
  void add_feature_gram(Matrix& gram, Executor& executor) const override {
    gram += Ut_.transpose() * feature_gram(*coordinates_, executor) * Ut_;
  }

 private:
  Matrix Ut_, UtX_;
  std::unique_ptr<DataMatrix> directions_, coordinates_;  // Ut and UtX
};

}  // namespace

std::unique_ptr<DataMatrix> projected_data(Projection projection) {
  return std::make_unique<ProjectedData>(std::move(projection));
}

}  // namespace pnmf
