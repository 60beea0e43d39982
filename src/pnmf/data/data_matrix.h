#pragma once

#include <memory>

#include "pnmf/base/executor.h"
#include "pnmf/base/types.h"

namespace pnmf {

// The only place that knows whether X (features x cells) is dense or sparse. Sparse X is held in both orientations.
class DataMatrix {
 public:
  virtual ~DataMatrix() = default;
  virtual Index features() const = 0;
  virtual Index cells() const = 0;
  virtual double squared_norm() const = 0;
  // Number of nonzero values that a product reads, however X is stored: decisions of a solver must not depend on the
  // storage.
  virtual Index nonzeros() const = 0;

  // W'X: rank x cells, from Wt: rank x features
  virtual Matrix basis_product(const Matrix& Wt, Executor& executor) const = 0;
  // (XH')': rank x features, from H: rank x cells
  virtual Matrix embedding_product(const Matrix& H, Executor& executor) const = 0;
  // gram += XX', of which only the upper triangle is valid. gram: features x features
  virtual void add_feature_gram(Matrix& gram, Executor& executor) const = 0;

  // The products of several factors, with the same bits as one by one.
  virtual std::vector<Matrix> basis_products(const std::vector<const Matrix*>& Wt, Executor& executor) const;
  virtual std::vector<Matrix> embedding_products(const std::vector<const Matrix*>& H, Executor& executor) const;

  // Whether every pass reads the data from outside the core. If so, only the calling thread may compute products, and
  // one read serves all factors in a call of the functions above.
  virtual bool streamed() const { return false; }
};

std::unique_ptr<DataMatrix> dense_data(ConstMatrixMap X);

// Rows ascend within a column.
struct SparseColumns {
  Index rows, columns;
  const int* row;
  const double* value;
  const int* column_start;
};

std::unique_ptr<DataMatrix> sparse_data(const SparseColumns& X);

// XX': features x features
Matrix feature_gram(const DataMatrix& data, Executor& executor);

}  // namespace pnmf
