#include "pnmf/graph/effective_cells.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>
#include <numeric>

#include "check.h"
#include "fuzz.h"
#include "random_data.h"

namespace {

// Their eigenvalues take minutes under ThreadSanitizer.
constexpr Index many_cells = fuzz::looks_for_races ? 400 : 900;

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
  pnmf::multiply_laplacian<double>(graph, Matrix::Identity(graph.cells(), graph.cells()), L, serial);
  return L;
}

Vector by_eigenvalues(const pnmf::ScaleGraph& graph, const Vector& lambda) {
  const Vector mu = Eigen::SelfAdjointEigenSolver<Matrix>(laplacian(graph)).eigenvalues();
  Vector sum = Vector::Zero(lambda.size());
  for (Index k = 0; k < lambda.size(); ++k) sum[k] = (1 + lambda[k] * mu.array()).square().inverse().sum();
  return sum;
}

Vector effective_cells(const pnmf::ScaleGraph& graph, const Vector& lambda) {
  pnmf::SerialExecutor serial;
  return pnmf::EffectiveCells(Matrix(), serial).at(graph, lambda);
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
    const Vector found = effective_cells(graph, penalties()), exact = by_eigenvalues(graph, penalties());
    for (Index k = 0; k < found.size(); ++k) CHECK_NEAR(found[k] / exact[k], 1, cells > 200 ? 0.05 : 1e-9);
  }
}

TEST("single precision agrees with double precision, and leaves large penalties to it") {
  Random random(9);
  const auto nested = nested_graph(clouds(many_cells, random), 1.2);
  const pnmf::ScaleGraph graph(nested, 1.2, 2);
  Vector lambda(6);
  lambda << 1e6, 10, 0.1, 1e5, 100, 1;
  pnmf::SerialExecutor serial;
  pnmf::TraceSettings single;
  single.max_cells_in_double = 0;
  const Vector found = pnmf::EffectiveCells(Matrix(), serial).at(graph, lambda, single);
  const Vector expected = effective_cells(graph, lambda);
  // With other penalties beside it, the quadrature of one may end after another number of steps: 2% apart.
  for (Index k = 0; k < lambda.size(); ++k) CHECK_NEAR(found[k] / expected[k], 1, 0.02);
  CHECK((found - expected).norm() > 0);
  // What is below `least` at the largest penalty of single precision is not computed for larger ones.
  single.least = 1.2 * expected[4];
  const Vector down_to = pnmf::EffectiveCells(Matrix(), serial).at(graph, lambda, single);
  CHECK(down_to[0] == down_to[4]);
  CHECK(down_to[3] == down_to[4]);
  CHECK_NEAR(down_to[2] / expected[2], 1, 0.01);
}

TEST("with many cells, components are counted and what is left is estimated") {
  Random random(10);
  const auto nested = nested_graph(clouds(many_cells, random), 1.2);
  pnmf::SerialExecutor serial;
  pnmf::TraceSettings single;
  single.max_cells_in_double = 0;
  Vector lambda(3);
  lambda << 1, 30, 1000;
  for (double threshold : {0.2, 0.5}) {
    const pnmf::ScaleGraph graph(nested, threshold, 2);
    const Vector exact = by_eigenvalues(graph, lambda);
    for (Index k = 0; k < 3; ++k) {
      const double found = pnmf::EffectiveCells(Matrix(), serial).at(graph, lambda.segment(k, 1), single)[0];
      CHECK_NEAR(found / exact[k], 1, 0.03);
      // No error of the probes is left where components are nearly all there is.
      if (threshold == 0.2) CHECK_NEAR(found, exact[k], 3);
    }
  }
}

TEST("the mixing of groups is right to the square of the residual") {
  Random random(8);
  const auto nested = nested_graph(clouds(400, random), 1.2);
  const pnmf::ScaleGraph graph(nested, 1.2, 2);
  std::vector<int> group(400);
  for (int i = 0; i < 400; ++i) group[i] = i < 40 ? -1 : i < 200 ? 0 : i < 300 ? 1 : 2;
  Matrix member = Matrix::Zero(3, 400);
  for (int i = 40; i < 400; ++i) member(group[i], i) = 1;
  const Matrix M = Matrix::Identity(400, 400) + 30 * laplacian(graph);
  const Matrix exact = member * M.ldlt().solve(member.transpose());
  pnmf::SerialExecutor serial;
  for (double tol : {1e-1, 1e-2, 1e-3}) {
    const Matrix found = pnmf::group_mixing(graph, 30, group, 3, {tol, 2000}, serial);
    for (Index a = 0; a < 3; ++a) {
      for (Index b = 0; b < 3; ++b) {
        const double size = std::sqrt(member.row(a).sum() * member.row(b).sum());
        CHECK(std::abs(found(a, b) - exact(a, b)) <= tol * tol * size);
      }
    }
  }
}

TEST("effective cells are all cells without edges or penalty, and the components for a large penalty") {
  Random random(3);
  Matrix X = clouds(300, random);
  X.row(0).head(150).array() += 100;
  const auto nested = nested_graph(X, 50);
  CHECK_NEAR(effective_cells(pnmf::ScaleGraph(nested, 1e-6, 2), penalties())[4], 300, 0);
  const Vector huge = Vector::Constant(1, 1e5);
  CHECK_NEAR(effective_cells(pnmf::ScaleGraph(nested, 50, 2), huge)[0], 2, 0.01);
  CHECK(effective_cells(pnmf::ScaleGraph(nested, 50, 2), Vector::Zero(1))[0] == 300);
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
  const Vector a = effective_cells(pnmf::ScaleGraph(first, 1.2, 2), penalties());
  const Vector b = effective_cells(pnmf::ScaleGraph(second, 1.2, 2), penalties());
  for (Index k = 0; k < a.size(); ++k) CHECK_NEAR(a[k] / b[k], 1, 1e-6);
}

TEST("the smoothest functions of a coarser graph serve a finer one") {
  Random random(5);
  const auto nested = nested_graph(clouds(many_cells, random), 1.2);
  pnmf::SerialExecutor serial;
  pnmf::EffectiveCells measure(Matrix(), serial);
  for (double threshold : {1.2, 1.0, 0.8}) {
    const pnmf::ScaleGraph graph(nested, threshold, 2);
    const Vector lambda = Vector::Constant(1, 10);
    const double exact = by_eigenvalues(graph, lambda)[0];
    CHECK_NEAR(measure.at(graph, lambda)[0] / exact, 1, 0.03);
    CHECK_NEAR(measure.at(graph, lambda, {true, 0})[0] / exact, 1, 0.1);
  }
}

TEST("values down to the least one of interest are right") {
  Random random(5);
  const pnmf::NestedGraph nested = nested_graph(clouds(many_cells, random), 1.2);
  const pnmf::ScaleGraph graph(nested, 1.2, 2);
  pnmf::SerialExecutor serial;
  const Vector lambda = penalties(), exact = by_eigenvalues(graph, lambda);
  const double least = 8;
  const Vector found = pnmf::EffectiveCells(Matrix(), serial).at(graph, lambda, {false, least});
  for (Index k = 0; k < lambda.size(); ++k) {
    if (exact[k] > least) CHECK_NEAR(found[k] / exact[k], 1, 0.03);
    if (exact[k] < 0.9 * least) CHECK(found[k] < least);
  }
}

TEST("renumbered cells have the same edges, and neighbours are near") {
  Random random(6);
  const Matrix X = clouds(300, random);
  pnmf::SerialExecutor serial;
  const pnmf::EdgeList edges = pnmf::edges_below(*euclidean(X), 1.0, serial),
                       found = pnmf::renumbered(edges, pnmf::numbers_by_neighbors(300, edges));
  CHECK(found.length == edges.length);
  double before = 0, after = 0;
  std::vector<int> number(300, -1);
  for (Index e = 0; e < edges.size(); ++e) {
    for (const auto& [old, now] : {std::pair(edges.i[e], found.i[e]), std::pair(edges.j[e], found.j[e])}) {
      CHECK(number[old] < 0 || number[old] == now);
      number[old] = now;
    }
    before += std::abs(edges.i[e] - edges.j[e]);
    after += std::abs(found.i[e] - found.j[e]);
  }
  CHECK(after < before);
}

TEST("the numbers of more cells than a group go on beside it") {
  const int n = 3000;
  std::vector<int> cell(n);
  for (int k = 0; k < n; ++k) cell[k] = static_cast<int>(k * 1171L % n);  // 1171 and 3000 have no common factor
  pnmf::EdgeList ring;
  for (int k = 0; k < n; ++k) {
    ring.i.push_back(cell[k]);
    ring.j.push_back(cell[(k + 1) % n]);
    ring.length.push_back(1);
  }
  std::vector<int> number = pnmf::numbers_by_neighbors(n, ring);
  const pnmf::EdgeList found = pnmf::renumbered(ring, number);
  double apart = 0;
  for (int e = 0; e < n; ++e) apart += std::abs(found.i[e] - found.j[e]);
  // Groups grow at both ends, so neighbours are 2 apart, but where groups meet.
  CHECK(apart / n < 5);
  std::sort(number.begin(), number.end());
  for (int k = 0; k < n; ++k) CHECK(number[k] == k);
}
