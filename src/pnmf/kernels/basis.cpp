#include "pnmf/kernels/kernels.h"

#include <algorithm>

#include "pnmf/kernels/simd.h"

namespace pnmf {
namespace {

struct SubtractionArguments {
  const double *B, *A, *C;
  Index n, k;
  double* S;
};

// Rows i ... i + MV * VL - 1 of S = B - A C for M columns; each vector of A is read once for all of them.
template <int VL, int MV, int M>
PNMF_INLINE void subtract_tile(const SubtractionArguments& p, Index i) {
  using V = typename Doubles<VL>::type;
  V s[M][MV];
#pragma GCC unroll 6
  for (int m = 0; m < M; ++m)
#pragma GCC unroll 4
    for (int v = 0; v < MV; ++v) s[m][v] = *reinterpret_cast<const V*>(p.B + m * p.n + i + v * VL);
  for (Index j = 0; j < p.k; ++j) {
    V a[MV];
#pragma GCC unroll 4
    for (int v = 0; v < MV; ++v) a[v] = *reinterpret_cast<const V*>(p.A + j * p.n + i + v * VL);
#pragma GCC unroll 6
    for (int m = 0; m < M; ++m) {
      const double c = p.C[m * p.k + j];
#pragma GCC unroll 4
      for (int v = 0; v < MV; ++v) s[m][v] -= a[v] * c;
    }
  }
#pragma GCC unroll 6
  for (int m = 0; m < M; ++m)
#pragma GCC unroll 4
    for (int v = 0; v < MV; ++v) *reinterpret_cast<V*>(p.S + m * p.n + i + v * VL) = s[m][v];
}

template <int VL, int MV, int M>
PNMF_INLINE void subtract_rows(const SubtractionArguments& p) {
  Index i = 0;
  for (; i + MV * VL <= p.n; i += MV * VL) subtract_tile<VL, MV, M>(p, i);
  for (; i + VL <= p.n; i += VL) subtract_tile<VL, 1, M>(p, i);
  for (; i < p.n; ++i) subtract_tile<1, 1, M>(p, i);
}

template <int VL, int MV>
PNMF_INLINE void subtract_loops(const SubtractionArguments& p, Index columns) {
  if (columns == 1) subtract_rows<VL, MV, 1>(p);
  if (columns == 2) subtract_rows<VL, MV, 2>(p);
  if (columns == 3) subtract_rows<VL, MV, 3>(p);
  if (columns == 4) subtract_rows<VL, MV, 4>(p);
  if (columns == 5) subtract_rows<VL, MV, 5>(p);
  if (columns == 6) subtract_rows<VL, MV, 6>(p);
}

struct StepArguments {
  double* s;
  const double *w, *D, *c;
  Index moved;
  double inverse_curvature;
  Index n;
};

template <int VL>
PNMF_INLINE double step_loops(const StepArguments& p) {
  using V = typename Doubles<VL>::type;
  V squares{};
  Index i = 0;
  for (; i + VL <= p.n; i += VL) {
    V s = *reinterpret_cast<const V*>(p.s + i);
    for (Index r = 0; r < p.moved; ++r) s -= *reinterpret_cast<const V*>(p.D + r * p.n + i) * p.c[r];
    s = *reinterpret_cast<const V*>(p.w + i) + s * p.inverse_curvature;
    s = s > 0 ? s : V{};
    squares += s * s;
    *reinterpret_cast<V*>(p.s + i) = s;
  }
  const double* lanes = reinterpret_cast<const double*>(&squares);
  double total = 0;
  for (int v = 0; v < VL; ++v) total += lanes[v];
  for (; i < p.n; ++i) {
    double s = p.s[i];
    for (Index r = 0; r < p.moved; ++r) s -= p.D[r * p.n + i] * p.c[r];
    s = std::max(0.0, p.w[i] + s * p.inverse_curvature);
    total += s * s;
    p.s[i] = s;
  }
  return total;
}

template <int VL>
PNMF_INLINE double replace_loops(double* w, double* v, double scale, Index n) {
  using V = typename Doubles<VL>::type;
  V squares{};
  Index i = 0;
  for (; i + VL <= n; i += VL) {
    const V updated = *reinterpret_cast<const V*>(v + i) * scale;
    const V d = updated - *reinterpret_cast<const V*>(w + i);
    squares += d * d;
    *reinterpret_cast<V*>(w + i) = updated;
    *reinterpret_cast<V*>(v + i) = d;
  }
  const double* lanes = reinterpret_cast<const double*>(&squares);
  double total = 0;
  for (int k = 0; k < VL; ++k) total += lanes[k];
  for (; i < n; ++i) {
    const double updated = v[i] * scale, d = updated - w[i];
    total += d * d;
    w[i] = updated;
    v[i] = d;
  }
  return total;
}

PNMF_DISPATCHED(void, subtract_columns, (const SubtractionArguments& p, Index columns), (p, columns),
                (subtract_loops<PNMF_PORTABLE_LENGTH, 2>(p, columns)), (subtract_loops<4, 2>(p, columns)),
                (subtract_loops<8, 4>(p, columns)))
PNMF_DISPATCHED(double, step_factor, (const StepArguments& p), (p), (step_loops<1>(p)), (step_loops<4>(p)),
                (step_loops<8>(p)))

}  // namespace

void subtract_product(const double* B, const double* A, const double* C, Index n, Index k, Index columns, double* S) {
  subtract_columns({B, A, C, n, k, S}, columns);
}

double nonnegative_step(double* s, const double* w, const double* D, const double* c, Index moved, double curvature,
                        Index n) {
  return step_factor({s, w, D, c, moved, 1 / curvature, n});
}

PNMF_DISPATCHED(double, replace_scaled, (double* w, double* v, double scale, Index n), (w, v, scale, n),
                (replace_loops<1>(w, v, scale, n)), (replace_loops<4>(w, v, scale, n)),
                (replace_loops<8>(w, v, scale, n)))

}  // namespace pnmf
