#include "kernels.h"

#include <algorithm>

#include "simd.h"

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

struct MinimizerArguments {
  const double *b, *A, *c, *w;
  double inverse_curvature;
  Index n, k;
  double* out;
};

template <int VL>
PNMF_INLINE double minimizer_loops(const MinimizerArguments& p) {
  using V = typename Doubles<VL>::type;
  V squares{};
  Index i = 0;
  for (; i + 4 * VL <= p.n; i += 4 * VL) {
    V s[4];
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v) s[v] = *reinterpret_cast<const V*>(p.b + i + v * VL);
    for (Index j = 0; j < p.k; ++j) {
      const double* a = p.A + j * p.n + i;
      const double cj = p.c[j];
#pragma GCC unroll 4
      for (int v = 0; v < 4; ++v) s[v] -= *reinterpret_cast<const V*>(a + v * VL) * cj;
    }
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v) {
      s[v] = *reinterpret_cast<const V*>(p.w + i + v * VL) + s[v] * p.inverse_curvature;
      s[v] = s[v] > 0 ? s[v] : V{};
      squares += s[v] * s[v];
      *reinterpret_cast<V*>(p.out + i + v * VL) = s[v];
    }
  }
  const double* lanes = reinterpret_cast<const double*>(&squares);
  double total = 0;
  for (int v = 0; v < VL; ++v) total += lanes[v];
  for (; i < p.n; ++i) {
    double s = p.b[i];
    for (Index j = 0; j < p.k; ++j) s -= p.A[j * p.n + i] * p.c[j];
    s = std::max(0.0, p.w[i] + s * p.inverse_curvature);
    total += s * s;
    p.out[i] = s;
  }
  return total;
}

template <int VL>
PNMF_INLINE double replace_loops(double* w, const double* v, double scale, Index n) {
  using V = typename Doubles<VL>::type;
  V squares{};
  Index i = 0;
  for (; i + VL <= n; i += VL) {
    const V updated = *reinterpret_cast<const V*>(v + i) * scale;
    const V d = updated - *reinterpret_cast<const V*>(w + i);
    squares += d * d;
    *reinterpret_cast<V*>(w + i) = updated;
  }
  const double* lanes = reinterpret_cast<const double*>(&squares);
  double total = 0;
  for (int k = 0; k < VL; ++k) total += lanes[k];
  for (; i < n; ++i) {
    const double updated = v[i] * scale;
    total += (updated - w[i]) * (updated - w[i]);
    w[i] = updated;
  }
  return total;
}

template <int VL>
PNMF_INLINE void add_scaled(double* out, const double* x, double a, Index n) {
  using V = typename Doubles<VL>::type;
  Index i = 0;
  for (; i + VL <= n; i += VL) {
    *reinterpret_cast<V*>(out + i) = *reinterpret_cast<const V*>(out + i) + *reinterpret_cast<const V*>(x + i) * a;
  }
  for (; i < n; ++i) out[i] += x[i] * a;
}

struct ColumnsArguments {
  const double* H;
  Index rank;
  const int* column;
  const double* weight;
  Index count;
  double factor;
  double* out;
};

template <int VL>
PNMF_INLINE void columns_loops(const ColumnsArguments& p) {
  for (Index e = 0; e < p.count; ++e) {
    add_scaled<VL>(p.out, p.H + static_cast<Index>(p.column[e]) * p.rank, p.factor * p.weight[e], p.rank);
  }
}

template <int VL>
PNMF_INLINE double descend_loops(const double* S, Index rank, double shift, const double* r, double* h,
                                 double* work) {
  // work = r - (S + shift I) h, kept up to date
  for (Index j = 0; j < rank; ++j) work[j] = r[j] - shift * h[j];
  for (Index j = 0; j < rank; ++j) {
    if (h[j] != 0) add_scaled<VL>(work, S + j * rank, -h[j], rank);
  }
  double change = 0;
  for (Index j = 0; j < rank; ++j) {
    const double curvature = S[j * rank + j] + shift;
    if (!(curvature > 0)) continue;
    const double updated = std::max(0.0, h[j] + work[j] / curvature);
    const double delta = updated - h[j];
    if (delta == 0) continue;
    add_scaled<VL>(work, S + j * rank, -delta, rank);
    work[j] -= shift * delta;
    h[j] = updated;
    change += delta * delta;
  }
  return change;
}

PNMF_DISPATCHED(double, minimize_factor, (const MinimizerArguments& p), (p), (minimizer_loops<1>(p)),
                (minimizer_loops<4>(p)), (minimizer_loops<8>(p)))
PNMF_DISPATCHED(void, add_columns, (const ColumnsArguments& p), (p), (columns_loops<1>(p)), (columns_loops<4>(p)),
                (columns_loops<8>(p)))

}  // namespace

PNMF_DISPATCHED(double, dot, (const double* x, const double* y, Index n), (x, y, n),
                (dot_loops<1>(x, y, n)), (dot_loops<4>(x, y, n)), (dot_loops<8>(x, y, n)))

PNMF_DISPATCHED(double, replace_scaled, (double* w, const double* v, double scale, Index n), (w, v, scale, n),
                (replace_loops<1>(w, v, scale, n)), (replace_loops<4>(w, v, scale, n)),
                (replace_loops<8>(w, v, scale, n)))

PNMF_DISPATCHED(double, descend_coordinates,
                (const double* S, Index rank, double shift, const double* r, double* h, double* work),
                (S, rank, shift, r, h, work), (descend_loops<1>(S, rank, shift, r, h, work)),
                (descend_loops<4>(S, rank, shift, r, h, work)), (descend_loops<8>(S, rank, shift, r, h, work)))

double nonnegative_minimizer(const double* b, const double* A, const double* c, const double* w, double curvature,
                             Index n, Index k, double* out) {
  return minimize_factor({b, A, c, w, 1 / curvature, n, k, out});
}

void add_weighted_columns(const double* H, Index rank, const int* column, const double* weight, Index count,
                          double factor, double* out) {
  add_columns({H, rank, column, weight, count, factor, out});
}

Matrix transposed(const Matrix& A) {
  constexpr Index block = 8;
  const Index rows = A.rows(), columns = A.cols();
  Matrix out(columns, rows);
  for (Index c = 0; c < columns; c += block) {
    const Index width = std::min(block, columns - c);
    const double* in = A.data() + c * rows;
    if (width == block) {
      for (Index r = 0; r < rows; ++r) {
        double* to = out.data() + r * columns + c;
        for (Index k = 0; k < block; ++k) to[k] = in[k * rows + r];
      }
      continue;
    }
    for (Index r = 0; r < rows; ++r)
      for (Index k = 0; k < width; ++k) out.data()[r * columns + c + k] = in[k * rows + r];
  }
  return out;
}

Matrix gram(const Matrix& A) {
  const Matrix At = transposed(A);
  Matrix G(A.rows(), A.rows());
  dense_product(PackedFactor(A), At.data(), 0, A.rows(), G.data());
  return 0.5 * (G + G.transpose());
}

double inner_product(const Matrix& A, const Matrix& B) { return dot(A.data(), B.data(), A.size()); }

}  // namespace pnmf
