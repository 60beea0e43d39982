#include "pnmf/graph/scale_graph.h"

#include <algorithm>

#include "check.h"
#include "random_data.h"

namespace {

// The weights as a full matrix.
Matrix adjacency(const pnmf::ScaleGraph& graph) {
  Matrix A = Matrix::Zero(graph.cells(), graph.cells());
  for (Index i = 0; i < graph.cells(); ++i) {
    for (Index e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      A(graph.neighbor[graph.first[i] + e - graph.begin[i]], i) += graph.weight[e];
    }
  }
  return A;
}

Matrix formula(const Matrix& X, double threshold, double alpha) {
  Matrix A = Matrix::Zero(X.cols(), X.cols());
  for (Index i = 0; i < X.cols(); ++i)
    for (Index j = 0; j < X.cols(); ++j) {
      const double d = (X.col(i) - X.col(j)).norm();
      if (i != j && d < threshold) A(i, j) = std::exp(-d * d / std::pow(threshold, alpha));
    }
  return A;
}

pnmf::EdgeList all_edges(const Matrix& X) {
  pnmf::SerialExecutor serial;
  return pnmf::edges_below(*euclidean(X), std::numeric_limits<double>::infinity(), serial);
}

}  // namespace

TEST("weights and degrees follow their formula at every threshold") {
  for (int seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Matrix X = random.matrix(random.between(1, 5), random.between(2, 30));
    const pnmf::NestedGraph nested(X.cols(), all_edges(X));
    for (int k = 0; k < 4; ++k) {
      const double threshold = random.uniform(0.05, 2), alpha = random.uniform(0.5, 3);
      const pnmf::ScaleGraph graph(nested, threshold, alpha);
      const Matrix A = formula(X, threshold, alpha);
      CHECK_NEAR((adjacency(graph) - A).cwiseAbs().maxCoeff(), 0.0, 1e-12);
      CHECK_NEAR((graph.degree - A.rowwise().sum()).cwiseAbs().maxCoeff(), 0.0, 1e-11);
      CHECK(graph.empty() == (A.maxCoeff() == 0));
    }
  }
}

TEST("edges are strictly shorter than the threshold") {
  Matrix X(1, 3);
  X << 0, 1, 3;
  const pnmf::NestedGraph nested(3, all_edges(X));
  CHECK(pnmf::ScaleGraph(nested, 1.0, 1.5).weight.size() == 0);
  CHECK(pnmf::ScaleGraph(nested, 1.0 + 1e-15, 1.5).weight.size() == 2);
  CHECK(pnmf::ScaleGraph(nested, 3.0, 1.5).weight.size() == 4);
  CHECK(pnmf::ScaleGraph(nested, 0.0, 1.5).weight.size() == 0);
}

TEST("duplicates have weight one at any scale and any decay") {
  Matrix X(1, 3);
  X << 1, 1, 1 + 1e-9;
  const pnmf::NestedGraph nested(3, all_edges(X));
  for (double alpha : {0.1, 1.5, 60.0}) {
    const Matrix A = adjacency(pnmf::ScaleGraph(nested, 1e-8, alpha));
    CHECK(A(0, 1) == 1);
    CHECK(A.allFinite());
  }
}

TEST("neighbour sums, products and the penalty are those of the matrices") {
  for (int seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Matrix X = random.matrix(2, random.between(2, 25));
    const pnmf::NestedGraph nested(X.cols(), all_edges(X));
    const pnmf::ScaleGraph graph(nested, random.uniform(0.1, 1.5), 1.5);
    const Matrix A = adjacency(graph), L = Matrix(graph.degree.asDiagonal()) - A;
    const Matrix H = random.matrix(random.between(1, 9), X.cols());
    CHECK_NEAR((graph.multiply(H) - H * A).cwiseAbs().maxCoeff(), 0.0, 1e-12);
    CHECK_NEAR(graph.penalty(H), (H * L * H.transpose()).trace(), 1e-11 * (1 + H.squaredNorm() * A.sum()));
    CHECK(graph.penalty(H) >= 0);
    const Index cell = random.between(0, X.cols() - 1);
    Vector out = Vector::Ones(H.rows());
    graph.add_neighbors(cell, H, 0.5, out);
    CHECK_NEAR((out - Vector::Ones(H.rows()) - 0.5 * H * A.col(cell)).cwiseAbs().maxCoeff(), 0.0, 1e-12);
  }
}

TEST("constant embeddings have no penalty: the Laplacian's rows sum to zero") {
  Random random(1);
  const Matrix X = random.matrix(2, 30);
  const pnmf::NestedGraph nested(30, all_edges(X));
  CHECK(pnmf::ScaleGraph(nested, 2.0, 1.5).penalty(Matrix::Constant(4, 30, 0.3)) == 0);
}

TEST("scales made anew at each use equal those that are kept") {
  Random random(2);
  const Matrix X = random.matrix(3, 40);
  const std::vector<double> thresholds = {0.1, 0.3, 0.6, 2.0};
  const pnmf::NestedGraph nested(40, all_edges(X));
  const pnmf::ScaleGraphs kept(nested, thresholds, 1.5), anew(nested, thresholds, 1.5, 0);
  CHECK(kept.scales() == 4 && kept.cells() == 40);
  CHECK(kept.at(1) == kept.at(1) && anew.at(1) != anew.at(1));
  double edges = 0;
  for (Index t = 0; t < 4; ++t) {
    CHECK(kept.at(t)->weight == anew.at(t)->weight);
    CHECK(same_bits(adjacency(*kept.at(t)), adjacency(*anew.at(t))));
    edges += 0.5 * static_cast<double>(kept.at(t)->weight.size());
  }
  CHECK_NEAR(kept.mean_edges(), edges / 4, 1e-9);
  CHECK_NEAR(anew.mean_edges(), edges / 4, 1e-9);
}

TEST("an explicit matrix of weights is taken as it is") {
  Random random(3);
  Matrix A = random.sparse_matrix(12, 12, 0.3);
  A = (A + A.transpose()).eval();
  A.diagonal().setZero();
  const Compressed columns(A);
  const pnmf::ScaleGraph graph(12, columns.row.data(), columns.value.data(), columns.start.data());
  CHECK(same_bits(adjacency(graph), A));
  CHECK_NEAR((graph.degree - A.rowwise().sum()).cwiseAbs().maxCoeff(), 0.0, 1e-13);
}

TEST("a graph without edges and a graph of one cell are harmless") {
  const pnmf::NestedGraph nested(3, pnmf::EdgeList()), one(1, pnmf::EdgeList());
  for (const pnmf::NestedGraph& given : {nested, one}) {
    const pnmf::ScaleGraph graph(given, 1.0, 1.5);
    const Matrix H = Matrix::Ones(2, given.cells());
    CHECK(graph.empty() && graph.penalty(H) == 0 && graph.multiply(H).isZero(0));
  }
}

TEST("independent sets hold every cell once and no edge inside; dense graphs have none") {
  Random random(17);
  pnmf::EdgeList ring;
  const int n = 1500;
  for (int step : {1, 2, 3}) {
    for (int i = 0; i < n; ++i) {
      ring.i.push_back(i);
      ring.j.push_back((i + step) % n);
      ring.length.push_back(step);
    }
  }
  const pnmf::NestedGraph nested(n, ring);
  const auto sets = nested.independent_sets();
  CHECK(sets != nullptr);
  std::vector<int> group(n, -1);
  for (std::size_t g = 0; g < sets->size(); ++g) {
    for (int cell : (*sets)[g]) {
      CHECK(group[cell] == -1);
      group[cell] = static_cast<int>(g);
    }
  }
  CHECK(std::count(group.begin(), group.end(), -1) == 0);
  for (Index e = 0; e < ring.size(); ++e) CHECK(group[ring.i[e]] != group[ring.j[e]]);
  CHECK(pnmf::NestedGraph(300, all_edges(random.matrix(2, 300))).independent_sets() == nullptr);
  CHECK(pnmf::NestedGraph(50, pnmf::EdgeList()).independent_sets() == nullptr);
}
