#include "pnmf/geometry/minimum_spanning_tree.h"

#include <numeric>

#include "check.h"
#include "pnmf/geometry/persistence_scales.h"
#include "random_data.h"
#include "thread_executor.h"

namespace {

struct Roots {
  explicit Roots(Index n) : parent(n) { std::iota(parent.begin(), parent.end(), 0); }
  int root(int a) {
    while (parent[a] != a) a = parent[a];
    return a;
  }
  bool join(int a, int b) {
    a = root(a), b = root(b);
    parent[std::max(a, b)] = std::min(a, b);
    return a != b;
  }
  std::vector<int> parent;
};

std::vector<double> kruskal(Index cells, const pnmf::EdgeList& sorted) {
  Roots roots(cells);
  std::vector<double> lengths;
  for (Index e = 0; e < sorted.size(); ++e) {
    if (roots.join(sorted.i[e], sorted.j[e])) lengths.push_back(sorted.length[e]);
  }
  return lengths;
}

bool is_sorted(const pnmf::EdgeList& edges) {
  for (Index e = 1; e < edges.size(); ++e) {
    if (std::tie(edges.length[e - 1], edges.i[e - 1], edges.j[e - 1]) >=
        std::tie(edges.length[e], edges.i[e], edges.j[e]))
      return false;
  }
  return true;
}

// Random points; every third case on a grid with duplicates, where many distances are equal.
Matrix points(Random& random, int seed) {
  const Index cells = random.between(2, 60), rows = random.between(1, 6);
  Matrix X = random.matrix(rows, cells) * random.magnitude(-8, 8);
  if (seed % 3 == 0) X = random.matrix(std::min<Index>(rows, 2), cells, 0, 4).array().floor();
  return X;
}

}  // namespace

TEST("the tree of 700 random point sets has Kruskal's lengths, spans, and lists edges i < j in order") {
  pnmf::SerialExecutor serial;
  for (int seed = 0; seed < 700; ++seed) {
    Random random(seed);
    const Matrix X = points(random, seed);
    const auto distances = euclidean(X);
    const pnmf::SpanningTree tree = pnmf::minimum_spanning_tree(*distances, serial);
    const pnmf::EdgeList all = pnmf::edges_below(*distances, std::numeric_limits<double>::infinity(), serial);
    CHECK(all.size() == X.cols() * (X.cols() - 1) / 2);
    CHECK(tree.edges.length == kruskal(X.cols(), all));
    CHECK(tree.longest_distance == all.length.back());
    Roots roots(X.cols());
    for (Index e = 0; e < tree.edges.size(); ++e) {
      CHECK(tree.edges.i[e] < tree.edges.j[e]);
      CHECK(roots.join(tree.edges.i[e], tree.edges.j[e]));
    }
    CHECK(is_sorted(tree.edges) && is_sorted(all));
    CHECK(pnmf::pair_lengths(*distances, tree.edges.i, tree.edges.j) == tree.edges.length);
  }
}

TEST("edges are counted below every threshold as they are listed, ties and thresholds of tree edges included") {
  pnmf::SerialExecutor serial;
  for (int seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Matrix X = points(random, seed);
    const auto distances = euclidean(X);
    const pnmf::EdgeList all = pnmf::edges_below(*distances, std::numeric_limits<double>::infinity(), serial);
    std::vector<double> thresholds = pnmf::minimum_spanning_tree(*distances, serial).edges.length;
    for (int k = 0; k < 5; ++k) thresholds.push_back(all.length[random.between(0, all.size() - 1)]);
    if (random.chance(0.5)) thresholds.push_back(2 * all.length.back() + 1e-300);
    std::sort(thresholds.begin(), thresholds.end());
    const std::vector<double> counts = pnmf::count_edges(*distances, thresholds, serial);
    for (std::size_t t = 0; t < thresholds.size(); ++t) {
      const auto below = std::lower_bound(all.length.begin(), all.length.end(), thresholds[t]) - all.length.begin();
      CHECK(counts[t] == static_cast<double>(below));
    }
    const double cut = thresholds[thresholds.size() / 2];
    const pnmf::EdgeList some = pnmf::edges_below(*distances, cut, serial);
    CHECK(some.size() == counts[thresholds.size() / 2]);
    CHECK(std::equal(some.length.begin(), some.length.end(), all.length.begin()));
  }
}

TEST("counting works for thresholds that are all zero or too small to divide by") {
  pnmf::SerialExecutor serial;
  const Matrix equal = Matrix::Constant(3, 5, 2.0);
  CHECK(pnmf::count_edges(*euclidean(equal), {0.0}, serial) == std::vector<double>{0});
  CHECK((pnmf::count_edges(*euclidean(equal), {0.0, 1.0}, serial) == std::vector<double>{0, 10}));
  Matrix X(1, 3);
  X << 0, 0, 1;
  CHECK((pnmf::count_edges(*euclidean(X), {1e-320, 3e-320}, serial) == std::vector<double>{1, 1}));
}

TEST("a threshold just above a length counts it, also where a step of the lookup table begins") {
  pnmf::SerialExecutor serial;
  Matrix X(1, 2);
  X << 0, 2;
  CHECK((pnmf::count_edges(*euclidean(X), {2 * (1 + 2e-10), 4.0}, serial) == std::vector<double>{1, 1}));
  CHECK((pnmf::count_edges(*euclidean(X), {2.0, 4.0}, serial) == std::vector<double>{0, 1}));
  CHECK((pnmf::count_edges(*euclidean(X), {2 * (1 - 2e-10), 4.0}, serial) == std::vector<double>{0, 1}));
}

TEST("one cell has a tree without edges") {
  pnmf::SerialExecutor serial;
  const Matrix X = Matrix::Ones(3, 1);
  CHECK(pnmf::minimum_spanning_tree(*euclidean(X), serial).edges.size() == 0);
  CHECK(pnmf::edges_below(*euclidean(X), 1.0, serial).size() == 0);
}

TEST("the number of threads changes nothing, dense or sparse") {
  Random random(5);
  const Matrix X = random.sparse_matrix(400, 600, 0.5);
  const Compressed compressed(X);
  pnmf::SerialExecutor serial;
  for (const auto& distances : dense_and_sparse(X, compressed)) {
    const pnmf::SpanningTree tree = pnmf::minimum_spanning_tree(*distances, serial);
    const std::vector<double> counts = pnmf::count_edges(*distances, tree.edges.length, serial);
    const pnmf::EdgeList below = pnmf::edges_below(*distances, tree.edges.length[300], serial);
    for (Index threads : {2, 4}) {
      ThreadExecutor executor(threads);
      const pnmf::SpanningTree other = pnmf::minimum_spanning_tree(*distances, executor);
      CHECK(same_edges(other.edges, tree.edges) && other.longest_distance == tree.longest_distance);
      CHECK(pnmf::count_edges(*distances, tree.edges.length, executor) == counts);
      CHECK(same_edges(pnmf::edges_below(*distances, tree.edges.length[300], executor), below));
    }
  }
}

TEST("tree, counting and listing stop when they are asked to") {
  Random random(6);
  const Matrix X = random.matrix(400, 600);
  const auto distances = euclidean(X);
  for (Index threads : {1, 3}) {
    StoppingExecutor tree(threads, 20), count(threads, 5), list(threads, 5);
    CHECK_THROWS(pnmf::minimum_spanning_tree(*distances, tree), Stopped);
    CHECK_THROWS(pnmf::count_edges(*distances, {1.0}, count), Stopped);
    CHECK_THROWS(pnmf::edges_below(*distances, 1.0, list), Stopped);
  }
}
