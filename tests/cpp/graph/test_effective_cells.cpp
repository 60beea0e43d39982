#include "pnmf/graph/effective_cells.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>
#include <numeric>

#include "check.h"
#include "random_data.h"

namespace {

// Two clouds in three dimensions: few smooth functions, many rough ones.
Matrix clouds(Index cells, Random& random) {
  Matrix X = random.matrix(3, cells, -2, 2);
  X.row(0).head(cells / 2).array() += 4;
  return X;
}

pnmf::NestedGraph nested_graph(const Matrix& X, double longest) {
  pnmf::SerialExecutor serial;
  return {X.cols(), pnmf::edges_below(*euclidean(X), longest, serial)};
}

Matrix laplacian(const pnmf::ScaleGraph& graph) {
  pnmf::SerialExecutor serial;
  Matrix L;
  pnmf::multiply_laplacian(graph, Matrix::Identity(graph.cells(), graph.cells()), L, serial);
  return L;
}

Vector by_eigenvalues(const pnmf::ScaleGraph& graph, const Vector& lambda) {
  const Vector mu = Eigen::SelfAdjointEigenSolver<Matrix>(laplacian(graph)).eigenvalues();
  Vector sum = Vector::Zero(lambda.size());
  for (Index k = 0; k < lambda.size(); ++k) sum[k] = (1 + lambda[k] * mu.array()).square().inverse().sum();
  return sum;
}

Vector penalties() {
  Vector lambda(5);
  lambda << 0.01, 0.1, 1, 10, 1000;
  return lambda;
}

}  // namespace

TEST("the smoother solves (I + lambda L) X = B") {
  Random random(1);
  const auto nested = nested_graph(clouds(120, random), 1.5);
  const pnmf::ScaleGraph graph(nested, 1.5, 2);
  const Matrix B = random.matrix(4, 120, -1, 1);
  pnmf::SerialExecutor serial;
  const Matrix X = pnmf::smooth(graph, 7, B, {}, serial);
  const Matrix S = Matrix::Identity(120, 120) + 7 * laplacian(graph);
  CHECK_NEAR((X * S - B).norm() / B.norm(), 0, 1e-7);
}

TEST("effective cells agree with the eigenvalues of the Laplacian") {
  for (Index cells : {60, 900}) {
    Random random(2);
    const auto nested = nested_graph(clouds(cells, random), 1.2);
    const pnmf::ScaleGraph graph(nested, 1.2, 2);
    pnmf::SerialExecutor serial;
    const Vector found = pnmf::effective_cells(graph, penalties(), serial), exact = by_eigenvalues(graph, penalties());
    for (Index k = 0; k < found.size(); ++k) CHECK_NEAR(found[k] / exact[k], 1, cells > 200 ? 0.05 : 1e-9);
  }
}

TEST("effective cells are all cells without edges, and the components for a large penalty") {
  Random random(3);
  Matrix X = clouds(300, random);
  X.row(0).head(150).array() += 100;
  pnmf::SerialExecutor serial;
  const auto nested = nested_graph(X, 50);
  CHECK_NEAR(pnmf::effective_cells(pnmf::ScaleGraph(nested, 1e-6, 2), penalties(), serial)[4], 300, 0);
  const Vector huge = Vector::Constant(1, 1e5);
  CHECK_NEAR(pnmf::effective_cells(pnmf::ScaleGraph(nested, 50, 2), huge, serial)[0], 2, 0.01);
}

TEST("effective cells do not depend on the order of the cells") {
  Random random(4);
  const Matrix X = clouds(400, random);
  std::vector<int> order(400);
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());
  std::rotate(order.begin(), order.begin() + 57, order.end());
  Matrix Y(3, 400);
  for (Index i = 0; i < 400; ++i) Y.col(i) = X.col(order[i]);
  const auto first = nested_graph(X, 1.2), second = nested_graph(Y, 1.2);
  pnmf::SerialExecutor serial;
  const Vector a = pnmf::effective_cells(pnmf::ScaleGraph(first, 1.2, 2), penalties(), serial);
  const Vector b = pnmf::effective_cells(pnmf::ScaleGraph(second, 1.2, 2), penalties(), serial);
  for (Index k = 0; k < a.size(); ++k) CHECK_NEAR(a[k] / b[k], 1, 1e-6);
}
