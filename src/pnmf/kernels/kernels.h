#pragma once

#include <memory>

#include "pnmf/base/types.h"

namespace pnmf {

// The inner loops. Each element of a result is summed in an order that depends only on the shared dimension,
// so results do not depend on how columns are split among threads or calls.

// The left factor of dense_product, packed once for many calls: B (rank x shared) in row panels. Several factors are
// below each other in B.
class PackedFactor {
 public:
  explicit PackedFactor(const std::vector<const Matrix*>& factors);
  Index rank() const { return rank_; }
  Index shared() const { return shared_; }
  const double* panels() const { return panels_; }

 private:
  void pack(const Matrix& factor, Index first);
  Index rank_ = 0, shared_;
  std::unique_ptr<double[]> memory_;
  double* panels_;  // in memory_, where no vector crosses a line of the cache
};

// C = B Y for columns begin ... end-1.   B: rank x shared, Y: shared x columns (column-major), C: rank x columns
void dense_product(const PackedFactor& B, const double* Y, Index begin, Index end, double* C);
// The same, with the same bits, from Y': columns x shared, the columns of Y' `stride` apart
void dense_product_transposed(const PackedFactor& B, const double* Yt, Index stride, Index begin, Index end, double* C);

// The left factor of sparse_product: B (rank x shared) with its columns padded to whole vectors.
class PaddedFactor {
 public:
  explicit PaddedFactor(const Matrix& B);
  Index rank() const { return rank_; }
  Index shared() const { return shared_; }
  Index padded_rank() const { return padded_; }
  const double* data() const { return values_.get(); }

 private:
  Index rank_, shared_, padded_;
  std::unique_ptr<double[]> values_;
};

// The same for Y in compressed sparse columns.
void sparse_product(const PaddedFactor& B, const int* row, const double* value, const int* column_start, Index begin,
                    Index end, double* C);

// sum_k x_k y_k
double dot(const double* x, const double* y, Index n);

// Maximum number of columns per call of subtract_product.
constexpr Index columns_at_once = 6;

// S = B - A C.   A: n x k, C: k x columns, B and S: n x columns (all column-major)
void subtract_product(const double* B, const double* A, const double* C, Index n, Index k, Index columns, double* S);

// One factor's unconstrained-but-nonnegative minimiser, in place of s, and its squared length:
//   s <- max(0, w + (s - D c) / curvature).   D: n x moved (column-major), s and w: n, c: moved
double nonnegative_step(double* s, const double* w, const double* D, const double* c, Index moved, double curvature,
                        Index n);

// w <- scale * v, v <- the change of w; its square
double replace_scaled(double* w, double* v, double scale, Index n);

// |scale * v - w|^2
double squared_change(const double* w, const double* v, double scale, Index n);

// previous <- max(0, now + momentum (now - previous))
void extrapolate_nonnegative(const double* now, double momentum, Index n, double* previous);

// out += factor * sum_e weight[e] * H[:, column[e]].   H: rank x columns, out: rank
void add_weighted_columns(const double* H, Index rank, const int* column, const double* weight, Index count,
                          double factor, double* out);

// A step of a recurrence with a graph's Laplacian L, for functions x of the cells (rows x cells) and some of the cells:
//   y = scale L x - last y,   sum += x y
// L x adds differences between neighbours, which are right in single precision even for smooth functions.
template <typename Scalar>
struct LaplacianStep {
  const Index *first, *begin;  // see ScaleGraph
  const int* neighbor;
  const double* weight;
  Index rows;
  const Scalar *x, *scale, *last;
  Scalar *y, *sum;
};
void laplacian_step(const LaplacianStep<double>& step, Index begin, Index end);
void laplacian_step(const LaplacianStep<float>& step, Index begin, Index end);

// y -= share x,   sum += y^2
void subtract_share(const double* x, const double* share, Index rows, Index cells, double* y, double* sum);
void subtract_share(const float* x, const float* share, Index rows, Index cells, float* y, float* sum);

// A symmetric matrix with its columns padded to whole vectors, made once for many calls of descend_coordinates.
class PaddedSquare {
 public:
  explicit PaddedSquare(const Matrix& S);
  Index rank() const { return rank_; }
  Index padded_rank() const { return padded_; }
  const double* data() const { return values_.data(); }
  const double* diagonal() const { return values_.data() + rank_ * padded_; }

 private:
  Index rank_, padded_;
  std::vector<double> values_;
};

struct Descent {
  double change = 0;  // of h, squared
  double gain = 0;    // decrease of the function
  void add(double step, double slope, double curvature) {
    change += step * step;
    gain += step * (2 * slope - curvature * step);
  }
};

// One round of coordinate descent on h'(S + shift I)h - 2 h'r over h >= 0.   work: 2 padded_rank
Descent descend_coordinates(const PaddedSquare& S, double shift, const double* r, double* h, double* work);

// sum_e weight[e] |h_i - h_column[e]|^2.   H: rank x columns
double weighted_differences(const double* H, Index rank, Index i, const int* column, const double* weight, Index count);

// A' in blocks that read and write whole cache lines; the second function writes it to `out`
Matrix transposed(const Matrix& A);
void transpose(const Matrix& A, Matrix& out);

// A A' for A: rank x columns
Matrix gram(const Matrix& A);

// <A, B> = sum of A_ij B_ij
double inner_product(const Matrix& A, const Matrix& B);

}  // namespace pnmf
