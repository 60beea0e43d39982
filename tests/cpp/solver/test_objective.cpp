#include "pnmf/solver/objective.h"

#include "check.h"
#include "pnmf/kernels/kernels.h"
#include "random_data.h"

TEST("both forms of the data term are |X - WH|^2") {
  for (int seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Index rank = random.between(1, 20);
    const Matrix X = random.sparse_matrix(random.between(1, 40), random.between(1, 40), random.uniform());
    const Matrix Wt = random.matrix(rank, X.rows()), H = random.matrix(rank, X.cols());
    const double direct = (X - Wt.transpose() * H).squaredNorm(), norm = X.squaredNorm();
    const Matrix WtX = Wt * X, XHt = H * X.transpose();
    // Three sums of the size of |X|^2 + |WH|^2 are subtracted.
    const double tolerance = 1e-13 * (norm + (Wt.transpose() * H).squaredNorm());
    CHECK_NEAR(pnmf::data_term(norm, WtX, pnmf::gram(Wt), H), direct, tolerance);
    CHECK_NEAR(pnmf::data_term_by_features(norm, XHt, pnmf::gram(H), Wt), direct, tolerance);
  }
}

TEST("the penalties are their formulas, each with its own weight") {
  Random random(1);
  const Matrix X = random.matrix(3, 20);
  pnmf::SerialExecutor serial;
  const pnmf::NestedGraph nested(20, pnmf::edges_below(*euclidean(X), 10.0, serial));
  const pnmf::ScaleGraph graph(nested, 0.7, 1.5);
  std::vector<Matrix> H;
  for (int t = 0; t < 4; ++t) H.push_back(random.matrix(3, 20));
  const pnmf::Penalties penalties{2, 3, 5};
  CHECK_NEAR(pnmf::embedding_terms(graph, H[0], penalties), 2 * graph.penalty(H[0]) + 5 * H[0].squaredNorm(), 1e-11);
  CHECK_NEAR(pnmf::smooth_term(H[0], H[1], penalties), 3 * (H[0] - H[1]).squaredNorm(), 1e-12);
  double smooth = 0;
  for (int t = 1; t < 4; ++t) smooth += 3 * (H[t] - H[t - 1]).squaredNorm();
  CHECK_NEAR(pnmf::total_smooth_term(H, penalties), smooth, 1e-12);
}

TEST("a penalty of zero switches its term off") {
  Random random(2);
  const Matrix X = random.matrix(3, 10), H = random.matrix(2, 10);
  pnmf::SerialExecutor serial;
  const pnmf::NestedGraph nested(10, pnmf::edges_below(*euclidean(X), 10.0, serial));
  const pnmf::ScaleGraph graph(nested, 2.0, 1.5);
  CHECK(pnmf::embedding_terms(graph, H, {0, 1, 0}) == 0);
  CHECK(pnmf::smooth_term(H, 2 * H, {1, 0, 1}) == 0);
  CHECK(pnmf::total_smooth_term({H}, {1, 1, 1}) == 0);
}
