#include "kernels.h"

#include <algorithm>

#include "simd.h"

namespace pnmf {
namespace {

// Doubles per panel row; a multiple of every vector length.
constexpr Index panel_rows = 8;
// Rows of Y per pass: a packed block of B (rank 32) of this depth stays in the second-level cache.
constexpr Index depth_block = 512;
// What sparse_product keeps in the second-level cache of its left factor: 256 KB.
constexpr Index cache_doubles = 32768;

template <int VL>
struct VectorOf;
#if defined(__GNUC__) || defined(__clang__)
template <>
struct VectorOf<8> {
  typedef double type __attribute__((vector_size(64), aligned(8), may_alias));
};
template <>
struct VectorOf<4> {
  typedef double type __attribute__((vector_size(32), aligned(8), may_alias));
};
template <>
struct VectorOf<2> {
  typedef double type __attribute__((vector_size(16), aligned(8), may_alias));
};
#endif
template <>
struct VectorOf<1> {
  typedef double type;
};

// One tile of C: PANELS x 8 rows, NR columns, accumulated over `depth` entries of the shared dimension.
template <int VL, int PANELS, int NR>
PNMF_INLINE void accumulate_tile(const double* panel, Index panel_stride, Index depth, const double* Y,
                                 Index stride, double* C, Index rank, Index rows) {
  using V = typename VectorOf<VL>::type;
  constexpr int parts = 8 / VL;
  constexpr int MV = PANELS * parts;
  V sum[NR][MV];
  for (int c = 0; c < NR; ++c)
    for (int v = 0; v < MV; ++v) sum[c][v] = V{};
  for (Index k = 0; k < depth; ++k) {
    V left[MV];
#pragma GCC unroll 16
    for (int v = 0; v < MV; ++v) {
      left[v] = *reinterpret_cast<const V*>(panel + (v / parts) * panel_stride + k * panel_rows +
                                            (v % parts) * VL);
    }
#pragma GCC unroll 16
    for (int c = 0; c < NR; ++c) {
      const double y = Y[c * stride + k];
#pragma GCC unroll 16
      for (int v = 0; v < MV; ++v) sum[c][v] += left[v] * y;
    }
  }
  for (int c = 0; c < NR; ++c) {
    const double* values = reinterpret_cast<const double*>(&sum[c][0]);
    for (Index r = 0; r < rows; ++r) C[c * rank + r] += values[r];
  }
}

template <int VL, int PANELS, int NR>
PNMF_INLINE void tile_columns(const double* panel, Index panel_stride, Index depth, const double* Y, Index stride,
                              Index columns, double* C, Index rank, Index rows) {
  Index c = 0;
  for (; c + NR <= columns; c += NR) {
    accumulate_tile<VL, PANELS, NR>(panel, panel_stride, depth, Y + c * stride, stride, C + c * rank, rank, rows);
  }
  for (; c < columns; ++c) {
    accumulate_tile<VL, PANELS, 1>(panel, panel_stride, depth, Y + c * stride, stride, C + c * rank, rank, rows);
  }
}

struct ProductArguments {
  const double* panels;
  Index rank, shared;
  const double* Y;
  Index begin, end;
  double* C;
};

// WIDE panels at a time while they last, then single ones.
template <int VL, int WIDE, int NR, int NR1>
PNMF_INLINE void product_loops(const ProductArguments& p) {
  const Index n_panels = (p.rank + panel_rows - 1) / panel_rows;
  const Index panel_stride = p.shared * panel_rows;
  std::fill(p.C + p.begin * p.rank, p.C + p.end * p.rank, 0.0);
  constexpr Index column_block = 48;
  for (Index k0 = 0; k0 < p.shared; k0 += depth_block) {
    const Index depth = std::min(depth_block, p.shared - k0);
    for (Index c0 = p.begin; c0 < p.end; c0 += column_block) {
      const Index columns = std::min(column_block, p.end - c0);
      const double* Y = p.Y + c0 * p.shared + k0;
      Index q = 0;
      for (; q + WIDE <= n_panels; q += WIDE) {
        const Index first = q * panel_rows;
        tile_columns<VL, WIDE, NR>(p.panels + q * panel_stride + k0 * panel_rows, panel_stride, depth, Y, p.shared,
                                   columns, p.C + c0 * p.rank + first, p.rank,
                                   std::min<Index>(WIDE * panel_rows, p.rank - first));
      }
      for (; q < n_panels; ++q) {
        const Index first = q * panel_rows;
        tile_columns<VL, 1, NR1>(p.panels + q * panel_stride + k0 * panel_rows, panel_stride, depth, Y, p.shared,
                                 columns, p.C + c0 * p.rank + first, p.rank,
                                 std::min<Index>(panel_rows, p.rank - first));
      }
    }
  }
}

// Sum of VL-wide partial sums over four independent chains.
template <int VL, bool DIFFERENCE>
PNMF_INLINE double reduce_pairs(const double* x, const double* y, Index n) {
  using V = typename VectorOf<VL>::type;
  V s0{}, s1{}, s2{}, s3{};
  Index k = 0;
  for (; k + 4 * VL <= n; k += 4 * VL) {
    const V x0 = *reinterpret_cast<const V*>(x + k), x1 = *reinterpret_cast<const V*>(x + k + VL);
    const V x2 = *reinterpret_cast<const V*>(x + k + 2 * VL), x3 = *reinterpret_cast<const V*>(x + k + 3 * VL);
    const V y0 = *reinterpret_cast<const V*>(y + k), y1 = *reinterpret_cast<const V*>(y + k + VL);
    const V y2 = *reinterpret_cast<const V*>(y + k + 2 * VL), y3 = *reinterpret_cast<const V*>(y + k + 3 * VL);
    if (DIFFERENCE) {
      const V d0 = x0 - y0, d1 = x1 - y1, d2 = x2 - y2, d3 = x3 - y3;
      s0 += d0 * d0, s1 += d1 * d1, s2 += d2 * d2, s3 += d3 * d3;
    } else {
      s0 += x0 * y0, s1 += x1 * y1, s2 += x2 * y2, s3 += x3 * y3;
    }
  }
  for (; k + VL <= n; k += VL) {
    const V x0 = *reinterpret_cast<const V*>(x + k), y0 = *reinterpret_cast<const V*>(y + k);
    if (DIFFERENCE) {
      const V d0 = x0 - y0;
      s0 += d0 * d0;
    } else {
      s0 += x0 * y0;
    }
  }
  const V s = (s0 + s1) + (s2 + s3);
  const double* lanes = reinterpret_cast<const double*>(&s);
  double total = 0;
  for (int v = 0; v < VL; ++v) total += lanes[v];
  for (; k < n; ++k) {
    const double d = DIFFERENCE ? x[k] - y[k] : x[k];
    total += DIFFERENCE ? d * d : d * y[k];
  }
  return total;
}

// Entries from[m] ... to[m] - 1 of every column m.
struct SparseArguments {
  const double* B;
  Index padded, rank;
  const int* row;
  const double* value;
  const int *from, *to;
  Index columns;
  double* C;
};

// Rows offset ... of C: C_m += sum over the nonzeros (k, v) of column m of v * B_k, in CHAINS independent sums.
template <int VL, int MV, int CHAINS>
PNMF_INLINE void sparse_strip(const SparseArguments& p, Index offset) {
  using V = typename VectorOf<VL>::type;
  const Index rows = std::min<Index>(MV * VL, p.rank - offset);
  for (Index m = 0; m < p.columns; ++m) {
    V sum[CHAINS][MV];
    for (int c = 0; c < CHAINS; ++c)
      for (int v = 0; v < MV; ++v) sum[c][v] = V{};
    const int end = p.to[m];
    int e = p.from[m];
    for (; e + CHAINS <= end; e += CHAINS) {
#pragma GCC unroll 4
      for (int c = 0; c < CHAINS; ++c) {
        const double* b = p.B + static_cast<Index>(p.row[e + c]) * p.padded + offset;
        const double value = p.value[e + c];
#pragma GCC unroll 4
        for (int v = 0; v < MV; ++v) sum[c][v] += *reinterpret_cast<const V*>(b + v * VL) * value;
      }
    }
    for (; e < end; ++e) {
      const double* b = p.B + static_cast<Index>(p.row[e]) * p.padded + offset;
      for (int v = 0; v < MV; ++v) sum[0][v] += *reinterpret_cast<const V*>(b + v * VL) * p.value[e];
    }
    for (int c = 1; c < CHAINS; ++c)
      for (int v = 0; v < MV; ++v) sum[0][v] += sum[c][v];
    const double* values = reinterpret_cast<const double*>(&sum[0][0]);
    double* c = p.C + m * p.rank + offset;
    for (Index r = 0; r < rows; ++r) c[r] += values[r];
  }
}

// Strips of 32, 16 and 8 rows: 8 rows are the padding.
template <int VL>
PNMF_INLINE void sparse_loops(const SparseArguments& p) {
  constexpr int unit = 8 / VL;
  Index offset = 0;
  if (VL == 8) {
    for (; offset + 32 <= p.padded; offset += 32) sparse_strip<VL, 4 * unit, 4>(p, offset);
    for (; offset + 24 <= p.padded; offset += 24) sparse_strip<VL, 3 * unit, 4>(p, offset);
    for (; offset + 16 <= p.padded; offset += 16) sparse_strip<VL, 2 * unit, 4>(p, offset);
  }
  for (; offset + 8 <= p.padded; offset += 8) sparse_strip<VL, unit, VL == 8 ? 4 : 2>(p, offset);
}

struct MinimizerArguments {
  const double *b, *A, *c, *w;
  double inverse_curvature;
  Index n, k;
  double* out;
};

template <int VL>
PNMF_INLINE double minimizer_loops(const MinimizerArguments& p) {
  using V = typename VectorOf<VL>::type;
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
  using V = typename VectorOf<VL>::type;
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
  using V = typename VectorOf<VL>::type;
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

void product_portable(const ProductArguments& p) {
#if defined(__GNUC__) || defined(__clang__)
  product_loops<2, 1, 2, 2>(p);
#else
  product_loops<1, 1, 2, 2>(p);
#endif
}
double distance_portable(const double* x, const double* y, Index n) { return reduce_pairs<1, true>(x, y, n); }
double dot_portable(const double* x, const double* y, Index n) { return reduce_pairs<1, false>(x, y, n); }
void columns_portable(const ColumnsArguments& p) { columns_loops<1>(p); }
double descend_portable(const double* S, Index rank, double shift, const double* r, double* h, double* work) {
  return descend_loops<1>(S, rank, shift, r, h, work);
}
double minimizer_portable(const MinimizerArguments& p) { return minimizer_loops<1>(p); }
double replace_portable(double* w, const double* v, double scale, Index n) {
  return replace_loops<1>(w, v, scale, n);
}
void sparse_portable(const SparseArguments& p) {
#if defined(__GNUC__) || defined(__clang__)
  sparse_loops<2>(p);
#else
  sparse_loops<1>(p);
#endif
}

#ifdef PNMF_X86_DISPATCH
PNMF_TARGET_AVX2 void product_avx2(const ProductArguments& p) { product_loops<4, 1, 5, 5>(p); }
PNMF_TARGET_AVX2 double distance_avx2(const double* x, const double* y, Index n) {
  return reduce_pairs<4, true>(x, y, n);
}
PNMF_TARGET_AVX2 double dot_avx2(const double* x, const double* y, Index n) {
  return reduce_pairs<4, false>(x, y, n);
}
PNMF_TARGET_AVX2 void columns_avx2(const ColumnsArguments& p) { columns_loops<4>(p); }
PNMF_TARGET_AVX2 double descend_avx2(const double* S, Index rank, double shift, const double* r, double* h,
                                     double* work) {
  return descend_loops<4>(S, rank, shift, r, h, work);
}
PNMF_TARGET_AVX2 double minimizer_avx2(const MinimizerArguments& p) { return minimizer_loops<4>(p); }
PNMF_TARGET_AVX2 double replace_avx2(double* w, const double* v, double scale, Index n) {
  return replace_loops<4>(w, v, scale, n);
}
PNMF_TARGET_AVX2 void sparse_avx2(const SparseArguments& p) { sparse_loops<4>(p); }
PNMF_TARGET_AVX512 void product_avx512(const ProductArguments& p) { product_loops<8, 2, 12, 12>(p); }
PNMF_TARGET_AVX512 double distance_avx512(const double* x, const double* y, Index n) {
  return reduce_pairs<8, true>(x, y, n);
}
PNMF_TARGET_AVX512 double dot_avx512(const double* x, const double* y, Index n) {
  return reduce_pairs<8, false>(x, y, n);
}
PNMF_TARGET_AVX512 void columns_avx512(const ColumnsArguments& p) { columns_loops<8>(p); }
PNMF_TARGET_AVX512 double descend_avx512(const double* S, Index rank, double shift, const double* r, double* h,
                                     double* work) {
  return descend_loops<8>(S, rank, shift, r, h, work);
}
PNMF_TARGET_AVX512 double minimizer_avx512(const MinimizerArguments& p) { return minimizer_loops<8>(p); }
PNMF_TARGET_AVX512 double replace_avx512(double* w, const double* v, double scale, Index n) {
  return replace_loops<8>(w, v, scale, n);
}
PNMF_TARGET_AVX512 void sparse_avx512(const SparseArguments& p) { sparse_loops<8>(p); }
#endif

void add_sparse(const SparseArguments& p) {
#ifdef PNMF_X86_DISPATCH
  if (instruction_set() == InstructionSet::avx512) return sparse_avx512(p);
  if (instruction_set() == InstructionSet::avx2) return sparse_avx2(p);
#endif
  sparse_portable(p);
}

}  // namespace

PackedFactor::PackedFactor(const Matrix& B)
    : rank_(B.rows()), shared_(B.cols()), padded_((B.rows() + panel_rows - 1) / panel_rows * panel_rows) {
  panels_.assign(static_cast<std::size_t>(padded_ * shared_), 0.0);
  for (Index first = 0; first < rank_; first += panel_rows) {
    const Index rows = std::min(panel_rows, rank_ - first);
    double* panel = panels_.data() + first * shared_;
    for (Index k = 0; k < shared_; ++k) std::copy_n(B.data() + k * rank_ + first, rows, panel + k * panel_rows);
  }
}

void dense_product(const PackedFactor& B, const double* Y, Index begin, Index end, double* C) {
  const ProductArguments p{B.panels(), B.rank(), B.shared(), Y, begin, end, C};
#ifdef PNMF_X86_DISPATCH
  if (instruction_set() == InstructionSet::avx512) return product_avx512(p);
  if (instruction_set() == InstructionSet::avx2) return product_avx2(p);
#endif
  product_portable(p);
}

PaddedFactor::PaddedFactor(const Matrix& B)
    : rank_(B.rows()), shared_(B.cols()), padded_((B.rows() + panel_rows - 1) / panel_rows * panel_rows) {
  values_.assign(static_cast<std::size_t>(padded_ * B.cols()), 0.0);
  for (Index k = 0; k < B.cols(); ++k) std::copy_n(B.data() + k * rank_, rank_, values_.data() + k * padded_);
}

void sparse_product(const PaddedFactor& B, const int* row, const double* value, const int* column_start,
                    Index begin, Index end, double* C) {
  std::fill(C + begin * B.rank(), C + end * B.rank(), 0.0);
  // Rows of Y in blocks whose part of B stays in the second-level cache while all columns are visited.
  const Index block = std::max<Index>(256, cache_doubles / B.padded_rank());
  std::vector<int> from(column_start + begin, column_start + end), to(from.size());
  for (Index first = 0; first < B.shared(); first += block) {
    const bool last = first + block >= B.shared();
    for (Index m = 0; m < end - begin; ++m) {
      const int* stop = row + column_start[begin + m + 1];
      to[m] = static_cast<int>((last ? stop : std::lower_bound(row + from[m], stop, first + block)) - row);
    }
    add_sparse({B.data(), B.padded_rank(), B.rank(), row, value, from.data(), to.data(), end - begin,
                C + begin * B.rank()});
    from.swap(to);
  }
}

double squared_distance(const double* x, const double* y, Index n) {
#ifdef PNMF_X86_DISPATCH
  if (instruction_set() == InstructionSet::avx512) return distance_avx512(x, y, n);
  if (instruction_set() == InstructionSet::avx2) return distance_avx2(x, y, n);
#endif
  return distance_portable(x, y, n);
}

double dot(const double* x, const double* y, Index n) {
#ifdef PNMF_X86_DISPATCH
  if (instruction_set() == InstructionSet::avx512) return dot_avx512(x, y, n);
  if (instruction_set() == InstructionSet::avx2) return dot_avx2(x, y, n);
#endif
  return dot_portable(x, y, n);
}

double nonnegative_minimizer(const double* b, const double* A, const double* c, const double* w, double curvature,
                             Index n, Index k, double* out) {
  const MinimizerArguments p{b, A, c, w, 1 / curvature, n, k, out};
#ifdef PNMF_X86_DISPATCH
  if (instruction_set() == InstructionSet::avx512) return minimizer_avx512(p);
  if (instruction_set() == InstructionSet::avx2) return minimizer_avx2(p);
#endif
  return minimizer_portable(p);
}

double replace_scaled(double* w, const double* v, double scale, Index n) {
#ifdef PNMF_X86_DISPATCH
  if (instruction_set() == InstructionSet::avx512) return replace_avx512(w, v, scale, n);
  if (instruction_set() == InstructionSet::avx2) return replace_avx2(w, v, scale, n);
#endif
  return replace_portable(w, v, scale, n);
}

void add_weighted_columns(const double* H, Index rank, const int* column, const double* weight, Index count,
                          double factor, double* out) {
  const ColumnsArguments p{H, rank, column, weight, count, factor, out};
#ifdef PNMF_X86_DISPATCH
  if (instruction_set() == InstructionSet::avx512) return columns_avx512(p);
  if (instruction_set() == InstructionSet::avx2) return columns_avx2(p);
#endif
  columns_portable(p);
}

double descend_coordinates(const double* S, Index rank, double shift, const double* r, double* h, double* work) {
#ifdef PNMF_X86_DISPATCH
  if (instruction_set() == InstructionSet::avx512) return descend_avx512(S, rank, shift, r, h, work);
  if (instruction_set() == InstructionSet::avx2) return descend_avx2(S, rank, shift, r, h, work);
#endif
  return descend_portable(S, rank, shift, r, h, work);
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
