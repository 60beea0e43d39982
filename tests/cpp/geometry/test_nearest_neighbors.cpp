#include "pnmf/geometry/nearest_neighbors.h"

#include "check.h"

namespace {

pnmf::NearestNeighbors on_a_line(const pnmf::Matrix& places, pnmf::Index k) {
  pnmf::SerialExecutor executor;
  const pnmf::Vector none;
  const auto distances =
      pnmf::dense_distances({places.data(), 1, places.cols()}, pnmf::Metric::euclidean, {none.data(), 0});
  return pnmf::nearest_neighbors(*distances, k, executor);
}

}  // namespace

TEST("neighbours come nearest first, equal lengths by cell, without the cell itself") {
  pnmf::Matrix places(1, 5);
  places << 0, 2, 1, 1, 7;
  const auto found = on_a_line(places, 4);
  Eigen::MatrixXi wanted(5, 4);
  wanted << 2, 3, 1, 4, 2, 3, 0, 4, 3, 0, 1, 4, 2, 0, 1, 4, 1, 2, 3, 0;
  CHECK(found.index == wanted);
  CHECK(found.length(2, 0) == 0 && found.length(4, 3) == 7);
  CHECK(found.longest_distance == 7);
}

TEST("two cells are each other's neighbour, and more cells than one block holds are all seen") {
  pnmf::Matrix two(1, 2);
  two << 3, 5;
  const auto pair = on_a_line(two, 1);
  CHECK(pair.index(0, 0) == 1 && pair.index(1, 0) == 0 && pair.length(1, 0) == 2);
  const pnmf::Matrix many = pnmf::Vector::LinSpaced(600, 0, 599).transpose();
  const auto found = on_a_line(many, 2);
  for (int i = 1; i < 599; ++i) CHECK(found.index(i, 0) == i - 1 && found.index(i, 1) == i + 1);
  CHECK(found.longest_distance == 599);
}
