#include "pnmf/kernels/kernels.h"

#include <algorithm>

#include "pnmf/kernels/simd.h"

namespace pnmf {
namespace {

// Sum of x_k y_k in four independent chains of VL-wide partial sums.
template <int VL>
PNMF_INLINE double dot_loops(const double* x, const double* y, Index n) {
  using V = typename Doubles<VL>::type;
  V sum[4] = {V{}, V{}, V{}, V{}};
  Index k = 0;
  for (; k + 4 * VL <= n; k += 4 * VL) {
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c) {
      sum[c] += *reinterpret_cast<const V*>(x + k + c * VL) * *reinterpret_cast<const V*>(y + k + c * VL);
    }
  }
  for (; k + VL <= n; k += VL) sum[0] += *reinterpret_cast<const V*>(x + k) * *reinterpret_cast<const V*>(y + k);
  const V all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  const double* lanes = reinterpret_cast<const double*>(&all);
  double total = 0;
  for (int v = 0; v < VL; ++v) total += lanes[v];
  for (; k < n; ++k) total += x[k] * y[k];
  return total;
}

template <int VL>
PNMF_INLINE double change_loops(const double* w, const double* v, double scale, Index n) {
  using V = typename Doubles<VL>::type;
  V squares{};
  Index i = 0;
  for (; i + VL <= n; i += VL) {
    const V d = *reinterpret_cast<const V*>(v + i) * scale - *reinterpret_cast<const V*>(w + i);
    squares += d * d;
  }
  const double* lanes = reinterpret_cast<const double*>(&squares);
  double total = 0;
  for (int k = 0; k < VL; ++k) total += lanes[k];
  for (; i < n; ++i) total += (v[i] * scale - w[i]) * (v[i] * scale - w[i]);
  return total;
}

template <int VL>
PNMF_INLINE void extrapolate_loops(const double* now, double momentum, Index n, double* previous) {
  using V = typename Doubles<VL>::type;
  Index i = 0;
  for (; i + VL <= n; i += VL) {
    const V x = *reinterpret_cast<const V*>(now + i);
    const V y = x + (x - *reinterpret_cast<const V*>(previous + i)) * momentum;
    *reinterpret_cast<V*>(previous + i) = y > 0 ? y : V{};
  }
  for (; i < n; ++i) previous[i] = std::max(0.0, now[i] + (now[i] - previous[i]) * momentum);
}

// Columns c ... c + N - 1 of A become rows.
template <int N>
void transpose_columns(const Matrix& A, Index c, Matrix& out) {
  const double* in = A.data() + c * A.rows();
  for (Index r = 0; r < A.rows(); ++r) {
    double* to = out.data() + r * A.cols() + c;
#pragma GCC unroll 16
    for (int k = 0; k < N; ++k) to[k] = in[k * A.rows() + r];
  }
}

}  // namespace

PNMF_DISPATCHED(double, dot, (const double* x, const double* y, Index n), (x, y, n), (dot_loops<1>(x, y, n)),
                (dot_loops<4>(x, y, n)), (dot_loops<8>(x, y, n)))

PNMF_DISPATCHED(double, squared_change, (const double* w, const double* v, double scale, Index n), (w, v, scale, n),
                (change_loops<1>(w, v, scale, n)), (change_loops<4>(w, v, scale, n)), (change_loops<8>(w, v, scale, n)))

PNMF_DISPATCHED(void, extrapolate_nonnegative, (const double* now, double momentum, Index n, double* previous),
                (now, momentum, n, previous), (extrapolate_loops<1>(now, momentum, n, previous)),
                (extrapolate_loops<4>(now, momentum, n, previous)), (extrapolate_loops<8>(now, momentum, n, previous)))

Matrix transposed(const Matrix& A) {
  Matrix out;
  transpose(A, out);
  return out;
}

void transpose(const Matrix& A, Matrix& out) {
  out.resize(A.cols(), A.rows());
  Index c = 0;
  for (; c + 16 <= A.cols(); c += 16) transpose_columns<16>(A, c, out);
  for (; c + 4 <= A.cols(); c += 4) transpose_columns<4>(A, c, out);
  for (; c < A.cols(); ++c) transpose_columns<1>(A, c, out);
}

double inner_product(const Matrix& A, const Matrix& B) { return dot(A.data(), B.data(), A.size()); }

}  // namespace pnmf
