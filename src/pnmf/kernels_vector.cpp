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

// Rows of a PaddedSquare come in whole vectors of any length up to this.
constexpr Index padding = 8;

struct DescentArguments {
  const double *S, *diagonal;
  Index rank, padded;
  double shift;
  const double* r;
  double *h, *work;
};

// work = r - shift h, then the inverse curvatures 1 / (S_jj + shift); 0 where there is no curvature.
template <int VL>
PNMF_INLINE void begin_descent(const DescentArguments& p) {
  using V = typename Doubles<VL>::type;
  for (Index j = 0; j < p.padded; ++j) p.work[j] = j < p.rank ? p.r[j] - p.shift * p.h[j] : 0.0;
  for (Index j = 0; j < p.padded; j += VL) {
    const V curvature = *reinterpret_cast<const V*>(p.diagonal + j) + p.shift;
    *reinterpret_cast<V*>(p.work + p.padded + j) = curvature > 0 ? 1.0 / curvature : V{};
  }
}

// The gradient g = r - (S + shift I) h in NV vectors that stay in registers. A coordinate's own entry is not needed
// again once it has moved, so its shift is never applied.
template <int VL, int NV>
PNMF_INLINE double descend_in_registers(const DescentArguments& p) {
  using V = typename Doubles<VL>::type;
  begin_descent<VL>(p);
  const double* inverse = p.work + p.padded;
  V g[NV];
#pragma GCC unroll 8
  for (int v = 0; v < NV; ++v) g[v] = *reinterpret_cast<const V*>(p.work + v * VL);
  for (Index j = 0; j < p.rank; ++j) {
    if (p.h[j] == 0) continue;
#pragma GCC unroll 8
    for (int v = 0; v < NV; ++v) g[v] -= *reinterpret_cast<const V*>(p.S + j * p.padded + v * VL) * p.h[j];
  }
  double change = 0;
#pragma GCC unroll 8
  for (int own = 0; own < NV; ++own) {
    const Index last = std::min<Index>(p.rank, (own + 1) * VL);
    for (Index j = own * VL; j < last; ++j) {
      *reinterpret_cast<V*>(p.work) = g[own];
      const double step = std::max(-p.h[j], p.work[j - own * VL] * inverse[j]);
      if (step == 0) continue;
#pragma GCC unroll 8
      for (int v = own; v < NV; ++v) g[v] -= *reinterpret_cast<const V*>(p.S + j * p.padded + v * VL) * step;
      p.h[j] += step;
      change += step * step;
    }
  }
  return change;
}

template <int VL>
PNMF_INLINE double descend_in_memory(const DescentArguments& p) {
  begin_descent<VL>(p);
  const double* inverse = p.work + p.padded;
  for (Index j = 0; j < p.rank; ++j) {
    if (p.h[j] != 0) add_scaled<VL>(p.work, p.S + j * p.padded, -p.h[j], p.padded);
  }
  double change = 0;
  for (Index j = 0; j < p.rank; ++j) {
    const double step = std::max(-p.h[j], p.work[j] * inverse[j]);
    if (step == 0) continue;
    const Index first = j / padding * padding;
    add_scaled<VL>(p.work + first, p.S + j * p.padded + first, -step, p.padded - first);
    p.h[j] += step;
    change += step * step;
  }
  return change;
}

template <int VL>
PNMF_INLINE double descend_loops(const DescentArguments& p) {
  constexpr int unit = 8 / VL;
  if (VL >= 4 && p.padded == 8) return descend_in_registers<VL, unit>(p);
  if (VL >= 4 && p.padded == 16) return descend_in_registers<VL, 2 * unit>(p);
  if (VL >= 4 && p.padded == 24) return descend_in_registers<VL, 3 * unit>(p);
  if (VL >= 4 && p.padded == 32) return descend_in_registers<VL, 4 * unit>(p);
  return descend_in_memory<VL>(p);
}

struct DifferencesArguments {
  const double* H;
  Index rank, i;
  const int* column;
  const double* weight;
  Index count;
};

template <int VL>
PNMF_INLINE double differences_loops(const DifferencesArguments& p) {
  using V = typename Doubles<VL>::type;
  const double* x = p.H + p.i * p.rank;
  V squares{};
  double total = 0;
  for (Index e = 0; e < p.count; ++e) {
    const double* y = p.H + static_cast<Index>(p.column[e]) * p.rank;
    Index k = 0;
    for (; k + VL <= p.rank; k += VL) {
      const V d = *reinterpret_cast<const V*>(x + k) - *reinterpret_cast<const V*>(y + k);
      squares += d * d * p.weight[e];
    }
    for (; k < p.rank; ++k) total += (x[k] - y[k]) * (x[k] - y[k]) * p.weight[e];
  }
  const double* lanes = reinterpret_cast<const double*>(&squares);
  for (int v = 0; v < VL; ++v) total += lanes[v];
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

PNMF_DISPATCHED(double, minimize_factor, (const MinimizerArguments& p), (p), (minimizer_loops<1>(p)),
                (minimizer_loops<4>(p)), (minimizer_loops<8>(p)))
PNMF_DISPATCHED(void, add_columns, (const ColumnsArguments& p), (p), (columns_loops<1>(p)), (columns_loops<4>(p)),
                (columns_loops<8>(p)))
PNMF_DISPATCHED(double, descend, (const DescentArguments& p), (p), (descend_loops<1>(p)), (descend_loops<4>(p)),
                (descend_loops<8>(p)))
PNMF_DISPATCHED(double, add_differences, (const DifferencesArguments& p), (p), (differences_loops<1>(p)),
                (differences_loops<4>(p)), (differences_loops<8>(p)))

}  // namespace

PaddedSquare::PaddedSquare(const Matrix& S)
    : rank_(S.rows()), padded_((S.rows() + padding - 1) / padding * padding), values_(padded_ * (S.rows() + 1), 0.0) {
  for (Index j = 0; j < rank_; ++j) {
    std::copy_n(S.data() + j * rank_, rank_, values_.data() + j * padded_);
    values_[rank_ * padded_ + j] = S(j, j);
  }
}

double descend_coordinates(const PaddedSquare& S, double shift, const double* r, double* h, double* work) {
  return descend({S.data(), S.diagonal(), S.rank(), S.padded_rank(), shift, r, h, work});
}

double weighted_differences(const double* H, Index rank, Index i, const int* column, const double* weight,
                            Index count) {
  return add_differences({H, rank, i, column, weight, count});
}

PNMF_DISPATCHED(double, dot, (const double* x, const double* y, Index n), (x, y, n), (dot_loops<1>(x, y, n)),
                (dot_loops<4>(x, y, n)), (dot_loops<8>(x, y, n)))

PNMF_DISPATCHED(double, replace_scaled, (double* w, const double* v, double scale, Index n), (w, v, scale, n),
                (replace_loops<1>(w, v, scale, n)), (replace_loops<4>(w, v, scale, n)),
                (replace_loops<8>(w, v, scale, n)))

PNMF_DISPATCHED(double, squared_change, (const double* w, const double* v, double scale, Index n), (w, v, scale, n),
                (change_loops<1>(w, v, scale, n)), (change_loops<4>(w, v, scale, n)), (change_loops<8>(w, v, scale, n)))

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

double inner_product(const Matrix& A, const Matrix& B) { return dot(A.data(), B.data(), A.size()); }

}  // namespace pnmf
