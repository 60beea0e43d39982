#include "pnmf/graph/smoother.h"

#include <cmath>

#include "pnmf/kernels/kernels.h"

namespace pnmf {
namespace {

constexpr Index cells_per_block = 512;

// a / b, and 0 where the iteration of a row has ended
Vector safe_ratio(const Vector& a, const Vector& b) {
  return (b.array() > 0).select(a.array() / b.array().max(1e-300), 0.0);
}

}  // namespace

Vector sum_over_blocks(Index rows, Index cells, Executor& executor,
                       const std::function<void(Index begin, Index end, Vector& sum)>& body) {
  Matrix sums = Matrix::Zero(rows, (cells + cells_per_block - 1) / cells_per_block);
  run_blocks(executor, cells, cells_per_block, [&](Index begin, Index end) {
    Vector sum = Vector::Zero(rows);
    body(begin, end, sum);
    sums.col(begin / cells_per_block) = sum;
  });
  return sums.rowwise().sum();
}

template <typename Scalar>
Vector laplacian_recurrence(const ScaleGraph& graph, const Functions<Scalar>& x, const FunctionValues<Scalar>& scale,
                            const FunctionValues<Scalar>& last, Functions<Scalar>& y, Executor& executor) {
  return sum_over_blocks(x.rows(), x.cols(), executor, [&](Index begin, Index end, Vector& total) {
    FunctionValues<Scalar> sum = FunctionValues<Scalar>::Zero(x.rows());
    laplacian_step({graph.first.data(), graph.begin.data(), graph.neighbor, graph.weight.data(), x.rows(), x.data(),
                    scale.data(), last.data(), y.data(), sum.data()},
                   begin, end);
    total = sum.template cast<double>();
  });
}

template <typename Scalar>
void multiply_laplacian(const ScaleGraph& graph, const Functions<Scalar>& V, Functions<Scalar>& product,
                        Executor& executor) {
  using Values = FunctionValues<Scalar>;
  product.setZero(V.rows(), V.cols());
  laplacian_recurrence<Scalar>(graph, V, Values::Ones(V.rows()), Values::Zero(V.rows()), product, executor);
}

template <typename Scalar>
Vector row_products(const Functions<Scalar>& A, const Functions<Scalar>& B, Executor& executor) {
  return sum_over_blocks(A.rows(), A.cols(), executor, [&](Index begin, Index end, Vector& sum) {
    for (Index i = begin; i < end; ++i) sum.array() += (A.col(i).array() * B.col(i).array()).template cast<double>();
  });
}

// The preconditioner is the diagonal 1 + lambda degree. The start is right for eigenvectors of L.
template <typename Scalar>
Functions<Scalar> smooth(const ScaleGraph& graph, double lambda, const Functions<Scalar>& B,
                         const SmootherSettings& settings, Executor& executor, Functions<Scalar>* residual_of_X) {
  using Values = FunctionValues<Scalar>;
  const Index rows = B.rows(), n = B.cols();
  const Scalar penalty = static_cast<Scalar>(lambda);
  const Values inverse = (1 + lambda * graph.degree.array()).inverse().template cast<Scalar>();
  Functions<Scalar> R(rows, n), direction(rows, n), product;
  multiply_laplacian(graph, B, product, executor);
  const Vector squares = row_products(B, B, executor);
  const Values first =
      (1 + lambda * safe_ratio(row_products(B, product, executor), squares).array()).inverse().template cast<Scalar>();
  Functions<Scalar> X = first.asDiagonal() * B;
  R = B - X - penalty * (first.asDiagonal() * product);
  direction = R * inverse.asDiagonal();
  Vector preconditioned = row_products(R, direction, executor), length = row_products(direction, direction, executor);
  const Vector limit = settings.tol * settings.tol * squares;
  Vector residual = row_products(R, R, executor);
  for (int round = 0; round < settings.max_rounds && (residual.array() > limit.array()).any(); ++round) {
    executor.poll();
    const Vector curvature = length + laplacian_recurrence<Scalar>(graph, direction, Values::Constant(rows, penalty),
                                                                   Values::Zero(rows), product, executor);
    const Values step = safe_ratio(preconditioned, curvature).template cast<Scalar>();
    const Vector before = preconditioned;
    const Vector squared = sum_over_blocks(2 * rows, n, executor, [&](Index begin, Index end, Vector& sum) {
      for (Index i = begin; i < end; ++i) {
        X.col(i).array() += step.array() * direction.col(i).array();
        R.col(i).array() -= step.array() * (direction.col(i).array() + product.col(i).array());
        sum.head(rows).array() += R.col(i).array().square().template cast<double>();
        sum.tail(rows).array() += (inverse[i] * R.col(i).array().square()).template cast<double>();
      }
    });
    residual = squared.head(rows);
    preconditioned = squared.tail(rows);
    const Values ratio = safe_ratio(preconditioned, before).template cast<Scalar>();
    length = sum_over_blocks(rows, n, executor, [&](Index begin, Index end, Vector& sum) {
      for (Index i = begin; i < end; ++i) {
        direction.col(i) = inverse[i] * R.col(i) + ratio.cwiseProduct(direction.col(i));
        sum.array() += direction.col(i).array().square().template cast<double>();
      }
    });
  }
  if (residual_of_X) *residual_of_X = std::move(R);
  return X;
}

template void multiply_laplacian(const ScaleGraph&, const Functions<double>&, Functions<double>&, Executor&);
template void multiply_laplacian(const ScaleGraph&, const Functions<float>&, Functions<float>&, Executor&);
template Vector laplacian_recurrence(const ScaleGraph&, const Functions<double>&, const FunctionValues<double>&,
                                     const FunctionValues<double>&, Functions<double>&, Executor&);
template Vector laplacian_recurrence(const ScaleGraph&, const Functions<float>&, const FunctionValues<float>&,
                                     const FunctionValues<float>&, Functions<float>&, Executor&);
template Vector row_products(const Functions<double>&, const Functions<double>&, Executor&);
template Vector row_products(const Functions<float>&, const Functions<float>&, Executor&);
template Functions<double> smooth(const ScaleGraph&, double, const Functions<double>&, const SmootherSettings&,
                                  Executor&, Functions<double>*);
template Functions<float> smooth(const ScaleGraph&, double, const Functions<float>&, const SmootherSettings&, Executor&,
                                 Functions<float>*);

// For solutions X and Y of residuals R and Q, 1_B'X + Y'R is right up to Q'SR, and |S| <= 1.
Matrix group_mixing(const ScaleGraph& graph, double lambda, const std::vector<int>& group, Index groups,
                    const SmootherSettings& settings, Executor& executor) {
  Matrix member = Matrix::Zero(groups, graph.cells());
  for (Index i = 0; i < graph.cells(); ++i)
    if (group[i] >= 0) member(group[i], i) = 1;
  Matrix residual;
  const Matrix smoothed = smooth(graph, lambda, member, settings, executor, &residual);
  Matrix mixing = residual * smoothed.transpose();
  for (Index i = 0; i < graph.cells(); ++i)
    if (group[i] >= 0) mixing.col(group[i]) += smoothed.col(i);
  return mixing;
}

}  // namespace pnmf
