#include "pnmf/solver/hals_start.h"

#include "check.h"

using namespace pnmf;

TEST("start: fewer scales are ascending, a third of all, with the first and the last; short paths have none") {
  for (Index scales = 1; scales < 6; ++scales) CHECK(fewer_scales(scales).empty());
  CHECK(fewer_scales(12) == (std::vector<Index>{0, 4, 7, 11}));
  for (Index scales = 6; scales < 300; ++scales) {
    const std::vector<Index> few = fewer_scales(scales);
    CHECK(static_cast<Index>(few.size()) == (scales + 2) / 3);
    CHECK(few.front() == 0 && few.back() == scales - 1);
    for (std::size_t k = 1; k < few.size(); ++k) CHECK(few[k] > few[k - 1]);
  }
}

TEST("start: fewer scales count for all, and their springs are in series") {
  ScaleWeights weights;
  for (int t = 0; t < 12; ++t) {
    weights.weight.push_back(1 + t);
    weights.gap.push_back(t == 0 ? 0 : 0.5 * t);
  }
  const ScaleWeights few = fewer_weights(weights, {0, 4, 7, 11}, 12);
  CHECK(few.weight == (std::vector<double>{1 + 2 + 3, 4 + 5 + 6, 7 + 8 + 9 + 10, 11 + 12}));
  CHECK_NEAR(few.gap[1], 0.5 * (1 + 2 + 3 + 4), 1e-12);
  CHECK_NEAR(few.gap[2], 0.5 * (5 + 6 + 7), 1e-12);
  CHECK_NEAR(few.gap[3], 0.5 * (8 + 9 + 10 + 11), 1e-12);
  const ScaleWeights plain = fewer_weights({}, {0, 4, 7, 11}, 12);
  CHECK(plain.weight == (std::vector<double>{3, 3, 4, 2}));
  CHECK_NEAR(plain.gap[3], 4, 1e-12);
}

TEST("start: scales between known ones are their means, and known ones stay") {
  Path few;
  for (double value : {1.0, 5.0, 8.0}) {
    few.Wt.push_back(Matrix::Constant(2, 3, value));
    few.H.push_back(Matrix::Constant(2, 4, 10 * value));
  }
  const Path all = fill_between(few, {0, 4, 7}, 8);
  CHECK(all.Wt.size() == 8 && all.H.size() == 8);
  for (Index t = 0; t < 8; ++t) {
    CHECK_NEAR((all.Wt[t] - Matrix::Constant(2, 3, 1.0 + t)).norm(), 0, 1e-12);
    CHECK_NEAR((all.H[t] - Matrix::Constant(2, 4, 10.0 * (1 + t))).norm(), 0, 1e-12);
  }
}

TEST("start: cells begin with the mean embedding of the cells that are near them") {
  Matrix H(2, 3);
  H << 1, 2, 6, 0, 4, 2;
  Eigen::MatrixXi near(4, 2);
  near << 0, 1, 2, 0, 1, 2, 1, 1;
  Matrix expected(2, 4);
  expected << 1.5, 3.5, 4, 2, 2, 1, 3, 4;
  CHECK_NEAR((mean_embedding(H, near) - expected).norm(), 0, 1e-15);
}
