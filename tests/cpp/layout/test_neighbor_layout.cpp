#include "pnmf/layout/neighbor_layout.h"

#include <cmath>

#include "check.h"
#include "random_data.h"

namespace {

// Two clouds, far apart.
struct TwoClouds {
  TwoClouds() {
    Random random(3);
    X = random.matrix(3, 60);
    X.row(0).tail(30).array() += 100;
    const pnmf::ConstVectorMap none(nullptr, 0);
    const auto distances = pnmf::dense_distances({X.data(), X.rows(), X.cols()}, pnmf::Metric::euclidean, none);
    near = pnmf::nearest_neighbors(*distances, 10, serial);
  }
  pnmf::SerialExecutor serial;
  Matrix X;
  pnmf::NearestNeighbors near;
};

}  // namespace

TEST("the weights of a cell's neighbours fall with distance and have the sum log2(k + 1)") {
  const TwoClouds clouds;
  const Matrix weight = pnmf::neighbor_weights(clouds.near.length);
  for (Index i = 0; i < weight.rows(); ++i) {
    CHECK_NEAR(weight(i, 0), 1, 1e-12);
    CHECK_NEAR(weight.row(i).sum(), std::log2(11.0), 1e-6);
    for (Index k = 1; k < weight.cols(); ++k) CHECK(weight(i, k) <= weight(i, k - 1));
  }
}

TEST("copies of one cell have weight 1") {
  const Matrix weight = pnmf::neighbor_weights(Matrix::Zero(4, 3));
  CHECK_NEAR((weight.array() - 1).abs().maxCoeff(), 0, 1e-12);
}

TEST("a layout brings neighbours together and keeps clouds apart") {
  TwoClouds clouds;
  Random random(5);
  const Matrix start = 10 * random.matrix(2, 60);
  const Matrix map = pnmf::neighbor_layout(clouds.near, start, {300, 1}, clouds.serial);
  CHECK(map.allFinite());
  const Eigen::Vector2d first = map.leftCols(30).rowwise().mean(), second = map.rightCols(30).rowwise().mean();
  const double spread = (map.leftCols(30).colwise() - first).colwise().norm().maxCoeff();
  CHECK((first - second).norm() > spread);
  CHECK_NEAR((map - pnmf::neighbor_layout(clouds.near, start, {300, 1}, clouds.serial)).norm(), 0, 0);
}
