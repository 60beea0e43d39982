#include "pnmf/geometry/distances.h"

#include <numeric>

#include "check.h"
#include "random_data.h"

namespace {

using pnmf::Metric;

double length_of(const pnmf::Distances& distances, Index i, Index j) {
  double key;
  const int to = static_cast<int>(j);
  distances.keys(i, &to, 1, &key);
  return distances.length(key);
}

double formula(const Matrix& X, Metric metric, const Vector& s, Index i, Index j) {
  if (metric == Metric::cosine) return 1 - X.col(i).dot(X.col(j)) / (X.col(i).norm() * X.col(j).norm());
  const double d = (X.col(i) - X.col(j)).norm();
  return metric == Metric::local ? d / std::sqrt(s[i] * s[j]) * s.mean() : d;
}

struct Spaces {
  Spaces(const Matrix& given, Metric metric, const Vector& given_scale) : X(given), scale(given_scale), compressed(X) {
    const pnmf::ConstVectorMap s(scale.data(), scale.size());
    spaces.push_back(pnmf::dense_distances(map_of(X), metric, s));
    spaces.push_back(pnmf::sparse_distances(compressed.columns(), metric, s));
  }
  Matrix X;
  Vector scale;
  Compressed compressed;
  std::vector<std::unique_ptr<pnmf::Distances>> spaces;
};

}  // namespace

TEST("lengths follow the formula of their metric, dense or sparse, for 1 to 40 dimensions") {
  Random random(1);
  for (Metric metric : {Metric::euclidean, Metric::cosine, Metric::local}) {
    for (Index rows = 1; rows <= 40; ++rows) {
      const Index cells = random.between(2, 20);
      const Matrix X = random.sparse_matrix(rows, cells, 0.6).array() + (metric == Metric::cosine ? 0.01 : 0.0);
      const Vector s = random.matrix(cells, 1, 0.5, 2);
      const Spaces both(X, metric, s);
      for (const auto& space : both.spaces) {
        CHECK(space->size() == cells);
        for (Index i = 0; i < cells; ++i)
          for (Index j = 0; j < cells; ++j) {
            if (i == j) continue;
            // Cancellation in |x|^2 + |y|^2 - 2 x.y leaves 1e-16 in the square: 1e-8 in the length.
            CHECK_NEAR(length_of(*space, i, j), formula(X, metric, s, i, j), 3e-8);
          }
      }
    }
  }
}

TEST("both orders of a pair, and any number of pairs at once, give the same bits") {
  Random random(2);
  for (Metric metric : {Metric::euclidean, Metric::cosine, Metric::local}) {
    for (Index rows : {1, 2, 7, 8, 15, 16, 17, 33, 50}) {
      const Index cells = 23;
      const Spaces both(random.sparse_matrix(rows, cells, 0.7).array() + 0.01, metric, random.matrix(cells, 1, 0.5, 2));
      std::vector<int> all(cells);
      std::iota(all.begin(), all.end(), 0);
      for (const auto& space : both.spaces) {
        Matrix keys(cells, cells), single(cells, cells);
        for (Index i = 0; i < cells; ++i) {
          space->keys(i, all.data(), cells, keys.col(i).data());
          for (Index j = 0; j < cells; ++j) space->keys(i, &all[j], 1, &single(j, i));
        }
        CHECK(same_bits(keys, keys.transpose()));
        CHECK(same_bits(keys, single));
        CHECK(keys.diagonal().isZero(0));
      }
    }
  }
}

TEST("duplicates are at distance exactly zero, near duplicates at their own, far from the origin too") {
  Random random(3);
  for (Metric metric : {Metric::euclidean, Metric::cosine, Metric::local}) {
    Matrix X = random.matrix(20, 4).array() + 1e6;
    X.col(1) = X.col(0);
    X.col(3) = X.col(2);
    X(0, 3) += 1e-3;
    const Spaces both(X, metric, Vector::Ones(4));
    for (const auto& space : both.spaces) {
      CHECK(length_of(*space, 0, 1) == 0);
      if (metric == Metric::cosine) continue;
      CHECK_NEAR(length_of(*space, 2, 3), X(0, 3) - X(0, 2), 1e-12);
    }
  }
}

TEST("near duplicates that differ in entries which one of them lacks are at their own distance") {
  Matrix X = Matrix::Zero(6, 4);
  X.col(0) << 0, 1e6, 2e6, 0, 3e6, 0;
  for (Index j = 1; j < 4; ++j) X.col(j) = X.col(0);
  X(5, 1) = 1e-3;  // after all others
  X(0, 2) = 2e-3;  // before
  X(3, 3) = 4e-3;  // between
  const Spaces both(X, Metric::euclidean, Vector::Ones(4));
  for (const auto& space : both.spaces) {
    for (Index i = 0; i < 4; ++i) {
      for (Index j = 0; j < 4; ++j) {
        CHECK_NEAR(length_of(*space, i, j), (X.col(i) - X.col(j)).norm(), 1e-15);
      }
    }
  }
}

TEST("unit vectors of very short cells keep their direction") {
  Matrix X(2, 2);
  X << 1e-170, 0, 0, 1e-170;
  const Spaces both(X, Metric::cosine, Vector::Ones(2));
  for (const auto& space : both.spaces) CHECK_NEAR(length_of(*space, 0, 1), 1.0, 1e-15);
}

TEST("cells without any entry are at their partner's length") {
  Random random(4);
  Matrix X = random.sparse_matrix(9, 5, 0.5);
  X.col(0).setZero();
  X.col(4).setZero();
  const Spaces both(X, Metric::euclidean, Vector());
  for (const auto& space : both.spaces) {
    CHECK(length_of(*space, 0, 4) == 0);
    CHECK_NEAR(length_of(*space, 0, 2), X.col(2).norm(), 1e-15);
  }
}

TEST("stored distances are read from the lower triangle") {
  const std::vector<double> triangle = {1, 2, 3, 4, 5, 6};  // d21 d31 d41 d32 d42 d43
  const auto space = pnmf::stored_distances(4, triangle.data());
  CHECK(length_of(*space, 0, 1) == 1 && length_of(*space, 3, 0) == 3);
  CHECK(length_of(*space, 1, 2) == 4 && length_of(*space, 3, 1) == 5 && length_of(*space, 2, 3) == 6);
  CHECK(length_of(*space, 2, 2) == 0);
}
