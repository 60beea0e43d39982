#include "pnmf/cluster/community_tree.h"

#include <numeric>

#include "check.h"
#include "random_data.h"

namespace {

struct Neighborhood {
  explicit Neighborhood(unsigned seed) {
    Random random(seed);
    const Index cells = random.between(8, 40);
    const Matrix X = random.matrix(3, cells);
    const pnmf::ConstVectorMap none(nullptr, 0);
    const auto distances = pnmf::dense_distances({X.data(), X.rows(), X.cols()}, pnmf::Metric::euclidean, none);
    near = pnmf::nearest_neighbors(*distances, 5, serial);
    links = pnmf::minimum_spanning_tree(*distances, serial).edges;
  }
  pnmf::SerialExecutor serial;
  pnmf::NearestNeighbors near;
  pnmf::EdgeList links;
};

Matrix weights(const pnmf::SimilarityGraph& graph) {
  Matrix W = Matrix::Zero(graph.cells(), graph.cells());
  for (Index i = 0; i < graph.cells(); ++i) {
    for (Index e = graph.start[i]; e < graph.start[i + 1]; ++e) W(i, graph.neighbor[e]) += graph.value[e];
  }
  return W;
}

// The largest resolution of any two clusters, merged one pair after the other.
std::vector<double> merged_one_by_one(Matrix W) {
  std::vector<double> resolutions;
  const double total = W.sum();
  Vector volume = W.rowwise().sum();
  std::vector<Index> alive(W.rows());
  std::iota(alive.begin(), alive.end(), Index(0));
  while (alive.size() > 1) {
    Index a = -1, b = -1;
    double best = -1;
    for (Index i : alive) {
      for (Index j : alive) {
        const double resolution = W(i, j) * total / (volume[i] * volume[j]);
        if (i < j && resolution > best) best = resolution, a = i, b = j;
      }
    }
    resolutions.push_back(best);
    W.row(a) += W.row(b);
    W.col(a) += W.col(b);
    W(a, a) = 0;
    volume[a] += volume[b];
    alive.erase(std::find(alive.begin(), alive.end(), b));
  }
  return resolutions;
}

}  // namespace

TEST("shared neighbours are symmetric, within 0 and 1, and connected by the links") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Neighborhood cells(seed);
    const pnmf::SimilarityGraph graph = pnmf::shared_neighbors(cells.near, cells.links);
    const Matrix W = weights(graph);
    CHECK(W == W.transpose());
    CHECK(W.minCoeff() >= 0 && W.maxCoeff() <= 1 && W.diagonal().isZero(0));
    CHECK(pnmf::community_tree(graph).size() == static_cast<std::size_t>(graph.cells() - 1));
  }
}

TEST("links of cells that share no neighbour are weaker than any shared neighbour, in proportion to 1 / length") {
  // Three pairs on a line: every cell has its partner as its only neighbour.
  pnmf::NearestNeighbors near;
  near.index.resize(6, 1);
  near.index << 1, 0, 3, 2, 5, 4;
  near.length = Matrix::Ones(6, 1);
  const pnmf::EdgeList links{{0, 1, 2, 3, 4}, {1, 2, 3, 4, 5}, {1, 10, 1, 40, 1}};
  const Matrix W = weights(pnmf::shared_neighbors(near, links));
  // Neighbourhoods of two cells each: one shared member would be 1 / (2 + 2 - 1).
  CHECK_NEAR(W(1, 2), 0.5 / 3, 1e-12);
  CHECK_NEAR(W(3, 4), 0.5 / 3 / 4, 1e-12);
  CHECK_NEAR(W(0, 1), 1.0, 1e-2);
  CHECK(W(0, 2) == 0 && W(0, 5) == 0);
}

TEST("chains of nearest neighbours merge what merging the best pair again and again does") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Neighborhood cells(seed);
    const pnmf::SimilarityGraph graph = pnmf::shared_neighbors(cells.near, cells.links);
    const auto tree = pnmf::community_tree(graph);
    const std::vector<double> expected = merged_one_by_one(weights(graph));
    CHECK(tree.size() == expected.size());
    for (std::size_t m = 0; m < tree.size(); ++m) CHECK_NEAR(tree[m].resolution, expected[m], 1e-9 * expected[m]);
  }
}

TEST("substantial clusters have their least size, and every leaf merges once") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Neighborhood cells(seed);
    const pnmf::SimilarityGraph graph = pnmf::shared_neighbors(cells.near, cells.links);
    const pnmf::ClusterTree tree = pnmf::substantial_clusters(graph.cells(), pnmf::community_tree(graph), 3);
    if (tree.leaves == 0) continue;
    CHECK(tree.mergers.size() == static_cast<std::size_t>(tree.leaves - 1));
    std::vector<int> size(tree.leaves, 0), merged(2 * tree.leaves - 1, 0);
    for (int leaf : tree.leaf_of_cell) {
      if (leaf >= 0) ++size[leaf];
    }
    for (int cells : size) CHECK(cells >= 3);
    for (const pnmf::Merger& merger : tree.mergers) {
      CHECK(merger.resolution < 1);
      ++merged[merger.a];
      ++merged[merger.b];
    }
    for (int cluster = 0; cluster < 2 * tree.leaves - 2; ++cluster) CHECK(merged[cluster] == 1);
  }
}

TEST("a merger below resolution 1 of two clusters of the least size is a split, all others are not") {
  // Cells 0 to 2 become cluster 8, cells 3 to 5 cluster 10, both together cluster 11; cell 6 joins last.
  const std::vector<pnmf::Merger> mergers{{0, 1, 9}, {7, 2, 8}, {3, 4, 7}, {9, 5, 6}, {8, 10, 0.5}, {11, 6, 0.1}};
  const pnmf::ClusterTree tree = pnmf::substantial_clusters(7, mergers, 3);
  CHECK(tree.leaves == 2 && tree.mergers.size() == 1);
  CHECK_NEAR(tree.mergers[0].resolution, 0.5, 0);
  const std::vector<int>& leaf = tree.leaf_of_cell;
  CHECK(leaf[0] == leaf[1] && leaf[1] == leaf[2] && leaf[3] == leaf[4] && leaf[4] == leaf[5]);
  CHECK(leaf[0] != leaf[3] && leaf[0] >= 0 && leaf[3] >= 0 && leaf[6] == -1);
  CHECK(pnmf::substantial_clusters(7, mergers, 4).leaves == 0);
}

TEST("the weights between leaves are sums of the weights between their cells") {
  const Neighborhood cells(3);
  const pnmf::SimilarityGraph graph = pnmf::shared_neighbors(cells.near, cells.links);
  const Matrix w = weights(graph);
  std::vector<int> leaf;
  for (pnmf::Index i = 0; i < graph.cells(); ++i) leaf.push_back(static_cast<int>(i % 3));
  const Matrix found = pnmf::leaf_weights(graph, leaf, 3);
  Matrix expected = Matrix::Zero(3, 3);
  for (pnmf::Index i = 0; i < w.rows(); ++i) {
    for (pnmf::Index j = 0; j < w.cols(); ++j) expected(leaf[i], leaf[j]) += w(i, j);
  }
  CHECK_NEAR((found - expected).cwiseAbs().maxCoeff(), 0, 1e-12);
}
