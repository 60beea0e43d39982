#include "pnmf/kernels/kernels.h"

#include "check.h"
#include "random_data.h"

namespace {

// |a - b| summed over at most `terms` products of numbers below 1: rounding, whatever the order.
double rounding(Index terms) { return 1e-15 * static_cast<double>(terms + 8); }

void check_equal(const Matrix& A, const Matrix& B, double tolerance) {
  CHECK(A.rows() == B.rows() && A.cols() == B.cols());
  CHECK_NEAR((A - B).cwiseAbs().maxCoeff(), 0.0, tolerance);
}

Matrix loop_product(const Matrix& B, const Matrix& Y) {
  Matrix C = Matrix::Zero(B.rows(), Y.cols());
  for (Index c = 0; c < Y.cols(); ++c)
    for (Index k = 0; k < Y.rows(); ++k)
      for (Index r = 0; r < B.rows(); ++r) C(r, c) += B(r, k) * Y(k, c);
  return C;
}

Matrix dense(const Matrix& B, const Matrix& Y, const std::vector<Index>& cuts) {
  Matrix C = Matrix::Constant(B.rows(), Y.cols(), -7);
  const pnmf::PackedFactor packed({&B});
  for (std::size_t k = 1; k < cuts.size(); ++k) pnmf::dense_product(packed, Y.data(), cuts[k - 1], cuts[k], C.data());
  return C;
}

// Y' is the lower part of a larger matrix.
Matrix dense_transposed(const Matrix& B, const Matrix& Y, const std::vector<Index>& cuts) {
  constexpr Index above = 3;
  Matrix Yt = Matrix::Constant(above + Y.cols(), Y.rows(), 7), C = Matrix::Constant(B.rows(), Y.cols(), -7);
  Yt.bottomRows(Y.cols()) = Y.transpose();
  const pnmf::PackedFactor packed({&B});
  for (std::size_t k = 1; k < cuts.size(); ++k) {
    pnmf::dense_product_transposed(packed, Yt.data() + above, Yt.rows(), cuts[k - 1], cuts[k], C.data());
  }
  return C;
}

Matrix sparse(const Matrix& B, const Compressed& Y, const std::vector<Index>& cuts) {
  Matrix C = Matrix::Constant(B.rows(), Y.columns_, -7);
  const pnmf::PaddedFactor padded(B);
  for (std::size_t k = 1; k < cuts.size(); ++k) {
    pnmf::sparse_product(padded, Y.row.data(), Y.value.data(), Y.start.data(), cuts[k - 1], cuts[k], C.data());
  }
  return C;
}

}  // namespace

TEST("dense products equal plain loops for ranks 1 to 40 and odd sizes") {
  Random random(1);
  for (Index rank = 1; rank <= 40; ++rank) {
    const Index shared = random.between(1, 70), columns = random.between(1, 60);
    const Matrix B = random.matrix(rank, shared, -1, 1), Y = random.matrix(shared, columns, -1, 1);
    check_equal(dense(B, Y, {0, columns}), loop_product(B, Y), rounding(shared));
    CHECK(dense_transposed(B, Y, {0, columns / 2, columns}) == dense(B, Y, {0, columns}));
  }
  const Matrix B = random.matrix(11, 1100, -1, 1), Y = random.matrix(1100, 53, -1, 1);  // longer than a depth block
  check_equal(dense(B, Y, {0, 53}), loop_product(B, Y), rounding(1100));
  CHECK(dense_transposed(B, Y, {0, 50, 53}) == dense(B, Y, {0, 53}));
}

TEST("sparse products equal plain loops for ranks 1 to 40, odd sizes and empty columns") {
  Random random(2);
  for (Index rank = 1; rank <= 40; ++rank) {
    const Index shared = random.between(1, 70), columns = random.between(1, 60);
    Matrix B = random.matrix(rank, shared, -1, 1), Y = random.sparse_matrix(shared, columns, random.uniform());
    if (columns > 2) Y.col(1).setZero();
    check_equal(sparse(B, Compressed(Y), {0, columns}), loop_product(B, Y), rounding(shared));
  }
  // Longer than the block of rows that is kept in cache.
  const Matrix B = random.matrix(33, 2500, -1, 1), Y = random.sparse_matrix(2500, 9, 0.2);
  check_equal(sparse(B, Compressed(Y), {0, 9}), loop_product(B, Y), rounding(2500));
}

TEST("how columns are split among calls changes no bit of a product") {
  Random random(3);
  for (Index rank : {1, 7, 8, 13, 17, 32, 40}) {
    const Index columns = 61;
    const Matrix B = random.matrix(rank, 600), Y = random.sparse_matrix(600, columns, 0.4);
    const Compressed compressed(Y);
    const Matrix whole = dense(B, Y, {0, columns}), whole_sparse = sparse(B, compressed, {0, columns});
    std::vector<Index> cuts = {0, 1, 2, 5, 17, 18, 30, 47, columns};
    CHECK(same_bits(dense(B, Y, cuts), whole));
    CHECK(same_bits(sparse(B, compressed, cuts), whole_sparse));
  }
}

TEST("dot products and inner products equal plain loops at every length") {
  Random random(4);
  for (Index n = 0; n <= 80; ++n) {
    const std::vector<double> x = random.values(n), y = random.values(n);
    double sum = 0;
    for (Index k = 0; k < n; ++k) sum += x[k] * y[k];
    CHECK_NEAR(pnmf::dot(x.data(), y.data(), n), sum, rounding(n));
  }
  const Matrix A = random.matrix(7, 13, -1, 1), B = random.matrix(7, 13, -1, 1);
  CHECK_NEAR(pnmf::inner_product(A, B), A.cwiseProduct(B).sum(), rounding(91));
}

TEST("what a product leaves of a matrix equals its formula at every length and number of columns") {
  Random random(5);
  for (Index n = 1; n <= 70; ++n) {
    const Index k = random.between(1, 12), columns = random.between(1, pnmf::columns_at_once);
    const Matrix A = random.matrix(n, k, -1, 1), B = random.matrix(n, columns, -1, 1),
                 C = random.matrix(k, columns, -1, 1);
    Matrix S = Matrix::Constant(n, columns, -7);
    pnmf::subtract_product(B.data(), A.data(), C.data(), n, k, columns, S.data());
    for (Index m = 0; m < columns; ++m) {
      for (Index i = 0; i < n; ++i) {
        double expected = B(i, m);
        for (Index j = 0; j < k; ++j) expected -= A(i, j) * C(j, m);
        CHECK_NEAR(S(i, m), expected, 4 * rounding(k));
      }
    }
  }
}

TEST("the step of a factor equals its formula at every length") {
  Random random(5);
  for (Index n = 1; n <= 70; ++n) {
    const Index moved = random.between(0, 3);
    const Matrix D = random.matrix(n, moved, -1, 1);
    const std::vector<double> before = random.values(n), c = random.values(moved), w = random.values(n, 0, 1);
    std::vector<double> s = before;
    const double curvature = random.uniform(0.5, 2);
    const double squared = pnmf::nonnegative_step(s.data(), w.data(), D.data(), c.data(), moved, curvature, n);
    double expected_squared = 0;
    for (Index i = 0; i < n; ++i) {
      double rest = before[i];
      for (Index r = 0; r < moved; ++r) rest -= D(i, r) * c[r];
      const double expected = std::max(0.0, w[i] + rest / curvature);
      CHECK_NEAR(s[i], expected, 4 * rounding(4));
      expected_squared += expected * expected;
    }
    CHECK_NEAR(squared, expected_squared, 1e-13 * (1 + expected_squared));
  }
}

TEST("scaled replacement leaves the change and returns its square") {
  Random random(6);
  for (Index n = 0; n <= 40; ++n) {
    std::vector<double> w = random.values(n), v = random.values(n);
    const std::vector<double> before = w, target = v;
    const double change = pnmf::replace_scaled(w.data(), v.data(), 0.25, n);
    double expected = 0;
    for (Index k = 0; k < n; ++k) {
      CHECK(w[k] == 0.25 * target[k]);
      CHECK(v[k] == w[k] - before[k]);
      expected += (w[k] - before[k]) * (w[k] - before[k]);
    }
    CHECK_NEAR(change, expected, rounding(n));
  }
}

TEST("extrapolation goes on as before and never below zero") {
  Random random(12);
  for (Index n : {1, 3, 4, 8, 17, 40}) {
    const Matrix now = random.matrix(n, 1), before = random.matrix(n, 1);
    Matrix out = before;
    pnmf::extrapolate_nonnegative(now.data(), 0.7, n, out.data());
    for (Index i = 0; i < n; ++i) {
      CHECK_NEAR(out(i, 0), std::max(0.0, now(i, 0) + 0.7 * (now(i, 0) - before(i, 0))), rounding(2));
    }
  }
}

TEST("weighted sums of columns equal plain loops") {
  Random random(7);
  for (Index rank = 1; rank <= 40; ++rank) {
    const Matrix H = random.matrix(rank, 9, -1, 1);
    const std::vector<int> column = {3, 0, 8, 3};
    const std::vector<double> weight = random.values(4);
    std::vector<double> out = random.values(rank), expected = out;
    pnmf::add_weighted_columns(H.data(), rank, column.data(), weight.data(), 4, 0.5, out.data());
    for (int e = 0; e < 4; ++e)
      for (Index r = 0; r < rank; ++r) expected[r] += 0.5 * weight[e] * H(r, column[e]);
    for (Index r = 0; r < rank; ++r) CHECK_NEAR(out[r], expected[r], rounding(8));
    pnmf::add_weighted_columns(H.data(), rank, column.data(), weight.data(), 0, 0.5, out.data());
    for (Index r = 0; r < rank; ++r) CHECK_NEAR(out[r], expected[r], rounding(8));
  }
}

namespace {

template <typename Scalar>
void check_laplacian_step(Index rows, double tolerance) {
  using Functions = pnmf::Functions<Scalar>;
  Random random(23);
  // Cells 1 and 2 have neighbours; the weights of cell 1 do not begin where its neighbours do.
  const std::vector<Index> first = {0, 1, 4}, begin = {0, 0, 2, 3};
  const std::vector<int> neighbor = {9, 2, 0, 9, 1};
  const std::vector<double> weight = random.values(3);
  const Functions x = random.matrix(rows, 3, -1, 1).template cast<Scalar>();
  const Functions before = random.matrix(rows, 3, -1, 1).template cast<Scalar>();
  const Functions shares = random.matrix(rows, 3, -1, 1).template cast<Scalar>();
  Functions y = before, expected = before, sum = Functions::Ones(rows, 1), expected_sum = sum;
  pnmf::laplacian_step({first.data(), begin.data(), neighbor.data(), weight.data(), rows, x.data(),
                        shares.col(0).data(), shares.col(1).data(), y.data(), sum.data()},
                       1, 3);
  Functions Lx = Functions::Zero(rows, 3);
  Lx.col(1) = Scalar(weight[0]) * (x.col(1) - x.col(2)) + Scalar(weight[1]) * (x.col(1) - x.col(0));
  Lx.col(2) = Scalar(weight[2]) * (x.col(2) - x.col(1));
  for (Index c = 1; c < 3; ++c) {
    expected.col(c) = shares.col(0).cwiseProduct(Lx.col(c)) - shares.col(1).cwiseProduct(before.col(c));
    expected_sum += x.col(c).cwiseProduct(expected.col(c));
  }
  CHECK_NEAR(static_cast<double>((y - expected).cwiseAbs().maxCoeff()), 0.0, tolerance);
  CHECK_NEAR(static_cast<double>((sum - expected_sum).cwiseAbs().maxCoeff()), 0.0, tolerance);
  pnmf::subtract_share(x.data(), shares.col(2).data(), rows, 3, y.data(), sum.data());
  for (Index c = 0; c < 3; ++c) {
    expected.col(c) -= shares.col(2).cwiseProduct(x.col(c));
    expected_sum += expected.col(c).cwiseAbs2();
  }
  CHECK_NEAR(static_cast<double>((y - expected).cwiseAbs().maxCoeff()), 0.0, tolerance);
  CHECK_NEAR(static_cast<double>((sum - expected_sum).cwiseAbs().maxCoeff()), 0.0, tolerance);
}

}  // namespace

TEST("a step with the Laplacian equals plain loops, in both precisions") {
  for (Index rows = 1; rows <= 40; ++rows) {
    check_laplacian_step<double>(rows, rounding(16));
    check_laplacian_step<float>(rows, 1e-5);
  }
}

TEST("weighted squared differences of columns equal plain loops, at ranks beyond all registers, too") {
  Random random(17);
  for (Index rank = 1; rank <= 90; ++rank) {
    const Matrix H = random.matrix(rank, 9, -1, 1);
    const std::vector<int> column = {3, 0, 8, 3};
    const std::vector<double> weight = random.values(4);
    double expected = 0;
    for (int e = 0; e < 4; ++e) expected += weight[e] * (H.col(2) - H.col(column[e])).squaredNorm();
    const double found = pnmf::weighted_differences(H.data(), rank, 2, column.data(), weight.data(), 4);
    CHECK_NEAR(found, expected, rounding(8 * rank));
    CHECK(pnmf::weighted_differences(H.data(), rank, 2, column.data(), weight.data(), 0) == 0);
  }
}

TEST("a round of coordinate descent equals plain loops and never raises the quadratic") {
  Random random(8);
  for (Index rank = 1; rank <= 70; ++rank) {
    const Matrix B = random.matrix(rank, rank + 2, -1, 1);
    const Matrix S = B * B.transpose();
    const double shift = random.uniform(0, 2);
    const Vector r = random.matrix(rank, 1, -1, 3);
    Vector h = random.matrix(rank, 1), expected = h;
    const pnmf::PaddedSquare padded(S);
    Vector work(2 * padded.padded_rank());
    const auto quadratic = [&](const Vector& v) { return v.dot(S * v) + shift * v.squaredNorm() - 2 * v.dot(r); };
    const double before = quadratic(h);
    double expected_change = 0;
    for (Index j = 0; j < rank; ++j) {
      const double gradient = r[j] - S.row(j).dot(expected) - shift * expected[j];
      const double updated = std::max(0.0, expected[j] + gradient / (S(j, j) + shift));
      expected_change += (updated - expected[j]) * (updated - expected[j]);
      expected[j] = updated;
    }
    const pnmf::Descent descent = pnmf::descend_coordinates(padded, shift, r.data(), h.data(), work.data());
    check_equal(h, expected, 1e-10);
    CHECK_NEAR(descent.change, expected_change, 1e-9 * (1 + expected_change));
    CHECK_NEAR(descent.gain, before - quadratic(h), 1e-12 * (1 + std::abs(before)));
    CHECK(descent.gain >= 0);
    CHECK((h.array() >= 0).all());
  }
}

TEST("coordinates without curvature stay where they are") {
  const pnmf::PaddedSquare S(Matrix::Zero(3, 3));
  Vector h(3), r = Vector::Ones(3), work(2 * S.padded_rank());
  h << 1, 0, 2;
  const pnmf::Descent descent = pnmf::descend_coordinates(S, 0.0, r.data(), h.data(), work.data());
  CHECK(descent.change == 0 && descent.gain == 0);
  CHECK(h[0] == 1 && h[1] == 0 && h[2] == 2);
}

TEST("transposes and Gram matrices are what they say") {
  Random random(9);
  for (Index rank = 1; rank <= 40; rank += 3) {
    const Matrix A = random.matrix(rank, random.between(1, 50), -1, 1);
    CHECK(same_bits(pnmf::transposed(A), A.transpose()));
    const Matrix G = pnmf::gram(A);
    check_equal(G, A * A.transpose(), rounding(A.cols()));
    CHECK(same_bits(G, G.transpose()));
  }
}
