#include "pnmf/geometry/approximate_tree.h"

#include <numeric>

#include "check.h"
#include "fuzz.h"
#include "pnmf/geometry/approximate_neighbors.h"
#include "pnmf/geometry/cell_groups.h"
#include "pnmf/geometry/exact_neighbors.h"
#include "pnmf/geometry/outgoing_edge_search.h"
#include "random_data.h"
#include "thread_executor.h"

namespace {

// Groups of points around random centers; every third case on a grid with duplicates.
Matrix clusters(Random& random, Index cells, int seed) {
  const Index rows = random.between(1, 12), n_centers = random.between(1, 6);
  if (seed % 3 == 0) return random.matrix(2, cells, 0, 5).array().floor();
  const Matrix centers = random.matrix(rows, n_centers) * random.uniform(1, 30);
  Matrix X = random.matrix(rows, cells);
  for (Index c = 0; c < cells; ++c) X.col(c) += centers.col(random.between(0, n_centers - 1));
  return X;
}

bool spans(const pnmf::EdgeList& edges, Index cells) {
  pnmf::Components components(cells);
  for (Index e = 0; e < edges.size(); ++e) components.join(edges.i[e], edges.j[e]);
  return components.count() == 1 && edges.size() == cells - 1;
}

// Cells away from the origin, whose distances exist in every metric, stored dense and sparse.
struct AnyMetric {
  AnyMetric(Random& random, Index cells, int seed)
      : X(clusters(random, cells, seed).array() + 0.5), scale(random.matrix(cells, 1, 0.5, 2)), compressed(X) {}
  std::unique_ptr<pnmf::Distances> local() const {
    return pnmf::dense_distances(map_of(X), pnmf::Metric::local, pnmf::ConstVectorMap(scale.data(), scale.size()));
  }
  std::unique_ptr<pnmf::Distances> dense(pnmf::Metric metric) const {
    return pnmf::dense_distances(map_of(X), metric, none);
  }
  std::unique_ptr<pnmf::Distances> sparse(pnmf::Metric metric) const {
    return pnmf::sparse_distances(compressed.columns(), metric, none);
  }
  const Matrix X;
  const Vector scale;
  const Compressed compressed;
  const pnmf::ConstVectorMap none{nullptr, 0};
};

}  // namespace

TEST("the approximate tree spans, is the exact one when all pairs are neighbours, and never shorter otherwise") {
  pnmf::SerialExecutor serial;
  for (int seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Index cells = random.between(2, 150);
    const Matrix X = clusters(random, cells, seed);
    const auto distances = euclidean(X);
    const pnmf::SpanningTree exact = pnmf::minimum_spanning_tree(*distances, serial);
    const auto tree_of = [&](Index k) {
      return pnmf::approximate_spanning_tree(*distances, pnmf::nearest_neighbors(*distances, k, serial).index, serial);
    };
    CHECK(tree_of(cells - 1).edges.length == exact.edges.length);
    const pnmf::SpanningTree tree = tree_of(std::min<Index>(cells - 1, random.between(1, 4)));
    CHECK(spans(tree.edges, cells));
    for (Index e = 0; e < tree.edges.size(); ++e) CHECK(tree.edges.length[e] >= exact.edges.length[e]);
    CHECK(tree.longest_distance <= exact.longest_distance && tree.longest_distance >= tree.edges.length.back());
  }
}

TEST("joins are exact: from single cells they make the minimum spanning tree, in metrics of any kind") {
  pnmf::SerialExecutor serial;
  for (int seed = 0; seed < (fuzz::is_sanitized ? 10 : 60); ++seed) {
    Random random(seed);
    const Index cells = random.between(2, 400);
    const AnyMetric points(random, cells, seed);
    for (const auto& distances : {points.dense(pnmf::Metric::euclidean), points.dense(pnmf::Metric::cosine),
                                  points.local(), points.sparse(pnmf::Metric::euclidean)}) {
      const pnmf::SpanningTree exact = pnmf::minimum_spanning_tree(*distances, serial);
      const pnmf::SpanningTree joined = pnmf::approximate_spanning_tree(*distances, Eigen::MatrixXi(cells, 0), serial);
      CHECK(joined.edges.length == exact.edges.length);
    }
  }
}

TEST("the shortest out of components are the shortest of all pairs that leave them, groups of any size") {
  pnmf::SerialExecutor serial;
  for (int seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Index cells = 900;
    const Matrix X = clusters(random, cells, 1 + 3 * seed);
    const auto distances = euclidean(X);
    pnmf::Components components(cells);
    for (int c = 1; c < cells; ++c) {
      if (random.chance(0.995)) components.join(c - 1, c);
    }
    if (components.count() == 1) continue;
    pnmf::OutgoingEdgeSearch search(*distances, components, serial);
    const std::vector<pnmf::Pair> shortest = search.shortest_outgoing_edges(components, serial);
    CHECK(static_cast<Index>(shortest.size()) == components.count() - 1);
    const pnmf::EdgeList all = pnmf::edges_below(*distances, std::numeric_limits<double>::infinity(), serial);
    for (const pnmf::Pair& way : shortest) {
      const int from = components.root(way.i), to = components.root(way.j);
      CHECK(from != to);
      double shortest_from = 1e300, shortest_to = 1e300;
      for (Index e = 0; e < all.size(); ++e) {
        const int a = components.root(all.i[e]), b = components.root(all.j[e]);
        if (a == b) continue;
        if (a == from || b == from) shortest_from = std::min(shortest_from, all.length[e]);
        if (a == to || b == to) shortest_to = std::min(shortest_to, all.length[e]);
      }
      const double length = distances->length(way.key);
      CHECK(length == shortest_from || length == shortest_to);
    }
  }
}

TEST("neighbour descent finds nearly all neighbours, each once, sorted, and never the cell itself") {
  pnmf::SerialExecutor serial;
  for (int seed = 0; seed < 4; ++seed) {
    Random random(seed);
    const Index cells = 1500, k = 10;
    const Matrix X = clusters(random, cells, 3 * seed + 1);
    const auto distances = euclidean(X);
    const pnmf::NearestNeighbors exact = pnmf::nearest_neighbors(*distances, k, serial),
                                 found = pnmf::approximate_neighbors(*distances, k, serial);
    Index right = 0;
    for (Index i = 0; i < cells; ++i) {
      for (Index r = 0; r < k; ++r) {
        CHECK(found.index(i, r) != i);
        CHECK(found.length(i, r) >= exact.length(i, r));
        if (r > 0) CHECK(found.length(i, r - 1) <= found.length(i, r));
        if (r > 0) CHECK((found.index.row(i).head(r).array() != found.index(i, r)).all());
        right += (exact.index.row(i).array() == found.index(i, r)).any();
      }
    }
    // 0.99 and more on these; a descent that stops at the splits has about 0.7.
    CHECK(static_cast<double>(right) > 0.97 * static_cast<double>(cells * k));
  }
}

TEST("exact neighbours are those of all pairs, in every metric, ties included") {
  pnmf::SerialExecutor serial;
  for (int seed = 0; seed < 12; ++seed) {
    Random random(seed);
    const Index cells = random.between(400, 900), k = random.between(1, 12);
    const AnyMetric points(random, cells, seed);
    for (const auto& distances :
         {points.dense(pnmf::Metric::euclidean), points.local(), points.sparse(pnmf::Metric::cosine)}) {
      const pnmf::NearestNeighbors all = pnmf::nearest_neighbors(*distances, k, serial),
                                   found = pnmf::exact_neighbors(*distances, k, serial);
      CHECK((found.index.array() == all.index.array()).all() && same_bits(found.length, all.length));
    }
  }
}

TEST("cells that are all equal, and few cells, have neighbours and a tree") {
  pnmf::SerialExecutor serial;
  for (Index cells : {2, 30, 700}) {
    const Matrix X = Matrix::Constant(3, cells, 2.0);
    const auto distances = euclidean(X);
    const pnmf::NearestNeighbors near = pnmf::approximate_neighbors(*distances, std::min<Index>(cells - 1, 25), serial);
    CHECK(near.length.maxCoeff() == 0);
    const pnmf::SpanningTree tree = pnmf::approximate_spanning_tree(*distances, near.index, serial);
    CHECK(spans(tree.edges, cells) && tree.longest_distance == 0);
  }
}

TEST("large components are joined by pairs close to the shortest ones, never shorter, the same for any threads") {
  pnmf::SerialExecutor serial;
  ThreadExecutor threads(3);
  for (int seed = 0; seed < (fuzz::is_sanitized ? 2 : 10); ++seed) {
    Random random(seed);
    const Index cells = 900, sets = 5;
    Matrix X(10, cells);
    for (Index c = 0; c < cells; ++c) {
      for (Index d = 0; d < X.rows(); ++d)
        X(d, c) = random.uniform(-2, 2) + random.uniform(-2, 2) + 8 * ((c % sets) == d);
    }
    const auto distances = euclidean(X);
    const auto outgoing = [&](double max_pairs, pnmf::Executor& executor) {
      pnmf::Components components(cells);
      for (int c = static_cast<int>(sets); c < cells; ++c) components.join(c - static_cast<int>(sets), c);
      pnmf::OutgoingEdgeSearch search(*distances, components, executor, max_pairs);
      return search.shortest_outgoing_edges(components, executor);
    };
    const std::vector<pnmf::Pair> exact = outgoing(1e8, serial), near = outgoing(0, serial);
    CHECK(exact.size() == sets - 1 && near.size() == exact.size());
    for (std::size_t k = 0; k < exact.size(); ++k) {
      // Real joins were at most 2% too long.
      CHECK(near[k].key >= exact[k].key && std::sqrt(near[k].key) < 1.05 * std::sqrt(exact[k].key));
      CHECK(near[k].i % sets != near[k].j % sets && near[k].i < near[k].j);
    }
    const std::vector<pnmf::Pair> again = outgoing(0, threads);
    for (std::size_t k = 0; k < near.size(); ++k) CHECK(again[k].i == near[k].i && again[k].j == near[k].j);
  }
}

TEST("groups hold every cell once, within the size asked for") {
  pnmf::SerialExecutor serial;
  for (int seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const Index cells = random.between(1, 500), largest = random.between(2, 60);
    const Matrix X = clusters(random, cells, seed);
    std::vector<int> order(cells);
    std::iota(order.begin(), order.end(), 0);
    const auto starts = pnmf::split_into_groups(*euclidean(X), order.data(), cells, largest, 7, serial);
    CHECK(starts.front() == 0 && starts.back() == cells);
    for (std::size_t g = 1; g < starts.size(); ++g) {
      CHECK(starts[g] > starts[g - 1] && starts[g] - starts[g - 1] <= largest);
    }
    std::sort(order.begin(), order.end());
    for (Index c = 0; c < cells; ++c) CHECK(order[c] == c);
  }
}

TEST("neighbour descent and the approximate tree do not depend on threads, dense or sparse") {
  Random random(5);
  const Matrix X = random.sparse_matrix(40, 900, 0.5);
  const Compressed compressed(X);
  pnmf::SerialExecutor serial;
  for (const auto& distances : dense_and_sparse(X, compressed)) {
    const pnmf::NearestNeighbors near = pnmf::approximate_neighbors(*distances, 3, serial);
    const Eigen::MatrixXi one = near.index.leftCols(1);
    const pnmf::SpanningTree tree = pnmf::approximate_spanning_tree(*distances, one, serial);
    for (Index threads : {2, 4}) {
      ThreadExecutor executor(threads);
      const pnmf::NearestNeighbors other = pnmf::approximate_neighbors(*distances, 3, executor);
      CHECK((other.index.array() == near.index.array()).all() && same_bits(other.length, near.length));
      const pnmf::SpanningTree another = pnmf::approximate_spanning_tree(*distances, one, executor);
      CHECK(same_edges(another.edges, tree.edges) && another.longest_distance == tree.longest_distance);
    }
  }
}

TEST("neighbour descent and the approximate tree stop when they are asked to") {
  Random random(6);
  const Matrix X = random.matrix(20, 1000);
  const auto distances = euclidean(X);
  for (Index threads : {1, 3}) {
    StoppingExecutor descent(threads, 20), tree(threads, 20);
    CHECK_THROWS(pnmf::approximate_neighbors(*distances, 5, descent), Stopped);
    CHECK_THROWS(pnmf::approximate_spanning_tree(*distances, Eigen::MatrixXi(1000, 0), tree), Stopped);
  }
}
