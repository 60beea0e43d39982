#include "pnmf/kernels/kernels.h"

#include <algorithm>

#include "pnmf/kernels/simd.h"

namespace pnmf {
namespace {

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

// Rows offset ... offset + NV * VL - 1 and, if TAIL is set, the last VL rows, which overlap them: only those not yet
// covered count.
template <int VL, int NV, bool TAIL>
PNMF_INLINE void columns_in_registers(const ColumnsArguments& p, Index offset) {
  using V = typename Doubles<VL>::type;
  const Index last = p.rank - VL;
  V sum[NV], tail{};
#pragma GCC unroll 4
  for (int v = 0; v < NV; ++v) sum[v] = *reinterpret_cast<const V*>(p.out + offset + v * VL);
  for (Index e = 0; e < p.count; ++e) {
    const double* h = p.H + static_cast<Index>(p.column[e]) * p.rank;
    const double weight = p.factor * p.weight[e];
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v) sum[v] += *reinterpret_cast<const V*>(h + offset + v * VL) * weight;
    if (TAIL) tail += *reinterpret_cast<const V*>(h + last) * weight;
  }
#pragma GCC unroll 4
  for (int v = 0; v < NV; ++v) *reinterpret_cast<V*>(p.out + offset + v * VL) = sum[v];
  const double* lanes = reinterpret_cast<const double*>(&tail);
  for (Index k = offset + NV * VL; TAIL && k < p.rank; ++k) p.out[k] += lanes[k - last];
}

PNMF_INLINE void columns_one_by_one(const ColumnsArguments& p) {
  for (Index e = 0; e < p.count; ++e) {
    const double* h = p.H + static_cast<Index>(p.column[e]) * p.rank;
    const double weight = p.factor * p.weight[e];
    for (Index k = 0; k < p.rank; ++k) p.out[k] += h[k] * weight;
  }
}

// The last NV vectors, and the rows beyond whole vectors if there are any.
template <int VL, int NV>
PNMF_INLINE void last_columns(const ColumnsArguments& p, Index offset) {
  if (offset + NV * VL == p.rank) return columns_in_registers<VL, NV, false>(p, offset);
  columns_in_registers<VL, NV, true>(p, offset);
}

// Four vectors at a time.
template <int VL>
PNMF_INLINE void columns_loops(const ColumnsArguments& p) {
  if (p.rank < VL) return VL > 4 ? columns_loops<(VL > 4 ? VL / 2 : VL)>(p) : columns_one_by_one(p);
  Index offset = 0;
  for (; p.rank - offset >= 5 * VL; offset += 4 * VL) columns_in_registers<VL, 4, false>(p, offset);
  const Index vectors = (p.rank - offset) / VL;
  if (vectors == 1) last_columns<VL, 1>(p, offset);
  if (vectors == 2) last_columns<VL, 2>(p, offset);
  if (vectors == 3) last_columns<VL, 3>(p, offset);
  if (vectors == 4) last_columns<VL, 4>(p, offset);
}

// Rows of a PaddedSquare are padded to whole vectors of any length up to this.
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
  Index k = 0;
  for (; k + VL <= p.rank; k += VL) {
    *reinterpret_cast<V*>(p.work + k) =
        *reinterpret_cast<const V*>(p.r + k) - *reinterpret_cast<const V*>(p.h + k) * p.shift;
  }
  for (; k < p.padded; ++k) p.work[k] = k < p.rank ? p.r[k] - p.shift * p.h[k] : 0.0;
  for (Index j = 0; j < p.padded; j += VL) {
    const V curvature = *reinterpret_cast<const V*>(p.diagonal + j) + p.shift;
    *reinterpret_cast<V*>(p.work + p.padded + j) = curvature > 0 ? 1.0 / curvature : V{};
  }
}

// The gradient g = r - (S + shift I) h in NV vectors that stay in registers. A coordinate's own entry is not needed
// again once it has moved, so its shift is never applied.
template <int VL, int NV>
PNMF_INLINE Descent descend_in_registers(const DescentArguments& p) {
  using V = typename Doubles<VL>::type;
  begin_descent<VL>(p);
  const double* inverse = p.work + p.padded;
  V g[NV];
#pragma GCC unroll 16
  for (int v = 0; v < NV; ++v) g[v] = *reinterpret_cast<const V*>(p.work + v * VL);
  for (Index j = 0; j < p.rank; ++j) {
#pragma GCC unroll 16
    for (int v = 0; v < NV; ++v) g[v] -= *reinterpret_cast<const V*>(p.S + j * p.padded + v * VL) * p.h[j];
  }
  Descent descent;
#pragma GCC unroll 16
  for (int own = 0; own < NV; ++own) {
#pragma GCC unroll 16
    for (int lane = 0; lane < VL; ++lane) {
      const Index j = own * VL + lane;
      if (j >= p.rank) break;
      const double slope = g[own][lane], step = std::max(-p.h[j], slope * inverse[j]);
#pragma GCC unroll 16
      for (int v = own; v < NV; ++v) g[v] -= *reinterpret_cast<const V*>(p.S + j * p.padded + v * VL) * step;
      p.h[j] += step;
      descent.add(step, slope, p.diagonal[j] + p.shift);
    }
  }
  return descent;
}

template <int VL>
PNMF_INLINE Descent descend_in_memory(const DescentArguments& p) {
  begin_descent<VL>(p);
  const double* inverse = p.work + p.padded;
  for (Index j = 0; j < p.rank; ++j) {
    if (p.h[j] != 0) add_scaled<VL>(p.work, p.S + j * p.padded, -p.h[j], p.padded);
  }
  Descent descent;
  for (Index j = 0; j < p.rank; ++j) {
    const double slope = p.work[j], step = std::max(-p.h[j], slope * inverse[j]);
    if (step == 0) continue;
    const Index first = j / padding * padding;
    add_scaled<VL>(p.work + first, p.S + j * p.padded + first, -step, p.padded - first);
    p.h[j] += step;
    descent.add(step, slope, p.diagonal[j] + p.shift);
  }
  return descent;
}

template <int VL>
PNMF_INLINE Descent descend_loops(const DescentArguments& p) {
  constexpr int unit = 8 / VL;
  if constexpr (VL >= 4) {
    if (p.padded == 8) return descend_in_registers<VL, unit>(p);
    if (p.padded == 16) return descend_in_registers<VL, 2 * unit>(p);
    if (p.padded == 24) return descend_in_registers<VL, 3 * unit>(p);
    if (p.padded == 32) return descend_in_registers<VL, 4 * unit>(p);
    if (p.padded == 40) return descend_in_registers<VL, 5 * unit>(p);
    if (p.padded == 48) return descend_in_registers<VL, 6 * unit>(p);
    if (p.padded == 56) return descend_in_registers<VL, 7 * unit>(p);
    if (p.padded == 64) return descend_in_registers<VL, 8 * unit>(p);
  }
  return descend_in_memory<VL>(p);
}

struct DifferencesArguments {
  const double* H;
  Index rank, i;
  const int* column;
  const double* weight;
  Index count;
};

// As columns_in_registers.
template <int VL, int NV, bool TAIL>
PNMF_INLINE double differences_in_registers(const DifferencesArguments& p, Index offset) {
  using V = typename Doubles<VL>::type;
  const double* x = p.H + p.i * p.rank;
  const Index last = p.rank - VL;
  V sum[NV], tail{};
#pragma GCC unroll 4
  for (int v = 0; v < NV; ++v) sum[v] = V{};
  for (Index e = 0; e < p.count; ++e) {
    const double* y = p.H + static_cast<Index>(p.column[e]) * p.rank;
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v) {
      const V d = *reinterpret_cast<const V*>(x + offset + v * VL) - *reinterpret_cast<const V*>(y + offset + v * VL);
      sum[v] += d * d * p.weight[e];
    }
    if (TAIL) {
      const V d = *reinterpret_cast<const V*>(x + last) - *reinterpret_cast<const V*>(y + last);
      tail += d * d * p.weight[e];
    }
  }
#pragma GCC unroll 4
  for (int v = 1; v < NV; ++v) sum[0] += sum[v];
  const double *lanes = reinterpret_cast<const double*>(&sum[0]), *rest = reinterpret_cast<const double*>(&tail);
  double total = 0;
  for (int v = 0; v < VL; ++v) total += lanes[v];
  for (Index k = offset + NV * VL; TAIL && k < p.rank; ++k) total += rest[k - last];
  return total;
}

template <int VL>
PNMF_INLINE double differences_loops(const DifferencesArguments& p) {
  if (p.rank < VL) return differences_loops<1>(p);
  double total = 0;
  Index offset = 0;
  for (; p.rank - offset >= 5 * VL; offset += 4 * VL) total += differences_in_registers<VL, 4, false>(p, offset);
  const Index vectors = (p.rank - offset) / VL;
  if (vectors == 1) total += differences_in_registers<VL, 1, true>(p, offset);
  if (vectors == 2) total += differences_in_registers<VL, 2, true>(p, offset);
  if (vectors == 3) total += differences_in_registers<VL, 3, true>(p, offset);
  if (vectors == 4) total += differences_in_registers<VL, 4, true>(p, offset);
  return total;
}

template <>
PNMF_INLINE double differences_loops<1>(const DifferencesArguments& p) {
  const double* x = p.H + p.i * p.rank;
  double total = 0;
  for (Index e = 0; e < p.count; ++e) {
    const double* y = p.H + static_cast<Index>(p.column[e]) * p.rank;
    for (Index k = 0; k < p.rank; ++k) total += (x[k] - y[k]) * (x[k] - y[k]) * p.weight[e];
  }
  return total;
}

PNMF_DISPATCHED(void, add_columns, (const ColumnsArguments& p), (p), (columns_one_by_one(p)), (columns_loops<4>(p)),
                (columns_loops<8>(p)))
PNMF_DISPATCHED(Descent, descend, (const DescentArguments& p), (p), (descend_loops<1>(p)), (descend_loops<4>(p)),
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

Descent descend_coordinates(const PaddedSquare& S, double shift, const double* r, double* h, double* work) {
  return descend({S.data(), S.diagonal(), S.rank(), S.padded_rank(), shift, r, h, work});
}

double weighted_differences(const double* H, Index rank, Index i, const int* column, const double* weight,
                            Index count) {
  return add_differences({H, rank, i, column, weight, count});
}

void add_weighted_columns(const double* H, Index rank, const int* column, const double* weight, Index count,
                          double factor, double* out) {
  add_columns({H, rank, column, weight, count, factor, out});
}

}  // namespace pnmf
