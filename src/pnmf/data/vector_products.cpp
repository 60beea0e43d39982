#include "pnmf/data/vector_products.h"

#include <algorithm>

namespace pnmf {
namespace {

constexpr Index columns_between_polls = 256;

// body(begin, end) for consecutive blocks of columns
template <class Body>
void for_blocks(Index columns, Executor& executor, Body body) {
  for (Index begin = 0; begin < columns; begin += columns_between_polls) {
    executor.poll();
    body(begin, std::min(columns, begin + columns_between_polls));
  }
}

}  // namespace

Vector multiply(const ConstMatrixMap& X, const ConstVectorMap& v, Executor& executor) {
  Vector product = Vector::Zero(X.rows());
  for_blocks(X.cols(), executor, [&](Index begin, Index end) {
    product.noalias() += X.middleCols(begin, end - begin) * v.segment(begin, end - begin);
  });
  return product;
}

Vector multiply(const SparseColumns& X, const ConstVectorMap& v, Executor& executor) {
  Vector product = Vector::Zero(X.rows);
  for_blocks(X.columns, executor, [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      for (int e = X.column_start[c]; e < X.column_start[c + 1]; ++e) product[X.row[e]] += X.value[e] * v[c];
    }
  });
  return product;
}

Vector multiply_transposed(const ConstMatrixMap& X, const ConstVectorMap& u, Executor& executor) {
  Vector product(X.cols());
  for_blocks(X.cols(), executor, [&](Index begin, Index end) {
    product.segment(begin, end - begin).noalias() = X.middleCols(begin, end - begin).transpose() * u;
  });
  return product;
}

Vector multiply_transposed(const SparseColumns& X, const ConstVectorMap& u, Executor& executor) {
  Vector product(X.columns);
  for_blocks(X.columns, executor, [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      double sum = 0;
      for (int e = X.column_start[c]; e < X.column_start[c + 1]; ++e) sum += X.value[e] * u[X.row[e]];
      product[c] = sum;
    }
  });
  return product;
}

}  // namespace pnmf
