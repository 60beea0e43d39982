#include "pnmf/data/data_matrix.h"

#include <algorithm>
#include <iterator>
#include <mutex>

#include "pnmf/kernels/kernels.h"

namespace pnmf {
namespace {

// Columns per task: long enough to amortise a task, short enough to poll for interrupts often.
constexpr Index columns_per_task = 192;

// Features per task of the product with H: as many as dense_product_transposed() copies at a time.
constexpr Index features_per_panel = 48;

// Features per product of XX' of dense data (bounds the memory of the factor), and per task of sparse data.
constexpr Index features_per_factor = 256, features_per_task = 16;

// The rows of C that belong to each factor
std::vector<Matrix> unstacked(const Matrix& C, const std::vector<const Matrix*>& factors) {
  std::vector<Matrix> parts;
  Index first = 0;
  for (const Matrix* factor : factors) {
    parts.push_back(C.middleRows(first, factor->rows()));
    first += factor->rows();
  }
  return parts;
}

// Rows of factors that are multiplied at once, at most; one factor may have more. Bounds the memory of the products.
constexpr Index rows_per_group = 256;

template <typename Product>
std::vector<Matrix> in_groups(const std::vector<const Matrix*>& factors, Executor& executor, const Product& product) {
  std::vector<std::vector<const Matrix*>> groups;
  Index rows = rows_per_group;
  for (const Matrix* factor : factors) {
    rows += factor->rows();
    if (rows > rows_per_group) {
      groups.emplace_back();
      rows = factor->rows();
    }
    groups.back().push_back(factor);
  }
  std::vector<std::vector<Matrix>> parts(groups.size());
  executor.run(static_cast<Index>(groups.size()),
               [&](Index g) { parts[g] = unstacked(product(PackedFactor(groups[g])), groups[g]); });
  std::vector<Matrix> products;
  for (auto& of_group : parts) std::move(of_group.begin(), of_group.end(), std::back_inserter(products));
  return products;
}

class DenseData : public DataMatrix {
 public:
  explicit DenseData(ConstMatrixMap X) : X_(X), squared_norm_(X.squaredNorm()) {}
  Index features() const override { return X_.rows(); }
  Index cells() const override { return X_.cols(); }
  double squared_norm() const override { return squared_norm_; }
  // Counted at each call: one block of many has no use for it.
  Index nonzeros() const override { return (X_.array() != 0).count(); }
  Matrix basis_product(const Matrix& Wt, Executor& executor) const override {
    return product_with_cells(PackedFactor({&Wt}), executor);
  }
  Matrix embedding_product(const Matrix& H, Executor& executor) const override {
    return product_with_features(PackedFactor({&H}), 0, executor);
  }
  void add_feature_gram(Matrix& gram, Executor& executor) const override {
    for (Index begin = 0; begin < features(); begin += features_per_factor) {
      const Index n = std::min(features_per_factor, features() - begin);
      const Matrix X = X_.middleRows(begin, n);
      gram.block(begin, begin, n, features() - begin) += product_with_features(PackedFactor({&X}), begin, executor);
    }
  }
  // Wide products fill whole vectors and read X less often. No sum depends on how many rows the factor has.
  std::vector<Matrix> basis_products(const std::vector<const Matrix*>& Wt, Executor& executor) const override {
    return in_groups(Wt, executor, [&](const PackedFactor& B) { return product_with_cells(B, executor); });
  }
  std::vector<Matrix> embedding_products(const std::vector<const Matrix*>& H, Executor& executor) const override {
    return in_groups(H, executor, [&](const PackedFactor& B) { return product_with_features(B, 0, executor); });
  }

 private:
  Matrix product_with_cells(const PackedFactor& B, Executor& executor) const {
    Matrix C(B.rank(), cells());
    run_blocks(executor, cells(), columns_per_task,
               [&](Index begin, Index end) { dense_product(B, X_.data(), begin, end, C.data()); });
    return C;
  }

  // B times the features from `first` on
  Matrix product_with_features(const PackedFactor& B, Index first, Executor& executor) const {
    Matrix C(B.rank(), features() - first);
    run_blocks(executor, C.cols(), features_per_panel, [&](Index begin, Index end) {
      dense_product_transposed(B, X_.data() + first, X_.rows(), begin, end, C.data());
    });
    return C;
  }

  ConstMatrixMap X_;
  double squared_norm_;
};

class SparseData : public DataMatrix {
 public:
  explicit SparseData(const SparseColumns& X) : X_(X) {
    const Index stored = X.column_start[X.columns];
    nonzeros_ = stored - std::count(X.value, X.value + stored, 0.0);
    squared_norm_ = dot(X.value, X.value, stored);
  }
  Index features() const override { return X_.rows; }
  Index cells() const override { return X_.columns; }
  double squared_norm() const override { return squared_norm_; }
  Index nonzeros() const override { return nonzeros_; }
  Matrix basis_product(const Matrix& Wt, Executor& executor) const override { return product(Wt, X_, executor); }
  Matrix embedding_product(const Matrix& H, Executor& executor) const override {
    transpose();
    return product(H, {X_.columns, X_.rows, row_.data(), value_.data(), start_.data()}, executor);
  }
  // Column by column, so that its part of the sum stays in the cache.
  void add_feature_gram(Matrix& gram, Executor& executor) const override {
    transpose();
    run_blocks(executor, features(), features_per_task, [&](Index begin, Index end) {
      for (Index f = begin; f < end; ++f) {
        for (int k = start_[f]; k < start_[f + 1]; ++k) add_cell(row_[k], value_[k], f, gram.col(f).data());
      }
    });
  }

 private:
  static Matrix product(const Matrix& B, const SparseColumns& Y, Executor& executor) {
    Matrix C(B.rows(), Y.columns);
    const PaddedFactor padded(B);
    run_blocks(executor, Y.columns, columns_per_task, [&](Index begin, Index end) {
      sparse_product(padded, Y.row, Y.value, Y.column_start, begin, end, C.data());
    });
    return C;
  }

  // sum += factor * features 0 ... last of a cell
  void add_cell(Index cell, double factor, Index last, double* sum) const {
    const int end = X_.column_start[cell + 1];
    for (int e = X_.column_start[cell]; e < end && X_.row[e] <= last; ++e) sum[X_.row[e]] += factor * X_.value[e];
  }

  // Only products with embeddings need it.
  void transpose() const {
    std::call_once(transposed_, [&] { sort_by_row(); });
  }

  // Counting sort of the entries; rows keep ascending column order.
  void sort_by_row() const {
    const Index stored = X_.column_start[X_.columns];
    start_.assign(static_cast<std::size_t>(X_.rows) + 1, 0);
    row_.resize(stored);
    value_.resize(stored);
    for (Index e = 0; e < stored; ++e) ++start_[X_.row[e] + 1];
    for (Index r = 0; r < X_.rows; ++r) start_[r + 1] += start_[r];
    std::vector<int> next(start_.begin(), start_.end() - 1);
    for (Index c = 0; c < X_.columns; ++c) {
      for (int e = X_.column_start[c]; e < X_.column_start[c + 1]; ++e) {
        const int place = next[X_.row[e]]++;
        row_[place] = static_cast<int>(c);
        value_[place] = X_.value[e];
      }
    }
  }

  SparseColumns X_;
  mutable std::once_flag transposed_;
  mutable std::vector<int> row_, start_;
  mutable std::vector<double> value_;
  Index nonzeros_ = 0;
  double squared_norm_ = 0;
};

}  // namespace

// One by one: the kernel of sparse data splits its sums by the number of rows of a factor.
std::vector<Matrix> DataMatrix::basis_products(const std::vector<const Matrix*>& Wt, Executor& executor) const {
  std::vector<Matrix> products(Wt.size());
  executor.run(static_cast<Index>(Wt.size()), [&](Index k) { products[k] = basis_product(*Wt[k], executor); });
  return products;
}

std::vector<Matrix> DataMatrix::embedding_products(const std::vector<const Matrix*>& H, Executor& executor) const {
  std::vector<Matrix> products(H.size());
  executor.run(static_cast<Index>(H.size()), [&](Index k) { products[k] = embedding_product(*H[k], executor); });
  return products;
}

std::unique_ptr<DataMatrix> dense_data(ConstMatrixMap X) { return std::make_unique<DenseData>(X); }

std::unique_ptr<DataMatrix> sparse_data(const SparseColumns& X) { return std::make_unique<SparseData>(X); }

Matrix feature_gram(const DataMatrix& data, Executor& executor) {
  Matrix gram = Matrix::Zero(data.features(), data.features());
  data.add_feature_gram(gram, executor);
  gram.triangularView<Eigen::StrictlyLower>() = gram.transpose();
  return gram;
}

}  // namespace pnmf
