#include "pnmf/kernels/kernels.h"

#include <algorithm>
#include <memory>

#include "pnmf/kernels/simd.h"

namespace pnmf {
namespace {

// Rows of C per panel; a multiple of every vector length.
constexpr Index panel_rows = 8;
// Rows of Y per pass: a packed block of B (rank 32) of this depth stays in the second-level cache.
constexpr Index depth_block = 512;
// Columns of Y per pass
constexpr Index column_block = 48;
// Rows of Y' are far apart in memory, so the next ones are read ahead.
constexpr Index rows_ahead = 8;

// One tile of C: PANELS x 8 rows, NR columns, accumulated over `depth` entries of the shared dimension. TRANSPOSED: Y is
// given as Y'.
template <int VL, int PANELS, int NR, bool TRANSPOSED>
PNMF_INLINE void accumulate_tile(const double* panel, Index panel_stride, Index depth, const double* Y, Index stride,
                                 double* C, Index rank, Index rows) {
  using V = typename Doubles<VL>::type;
  constexpr int parts = 8 / VL;
  constexpr int MV = PANELS * parts;
  V sum[NR][MV];
  for (int c = 0; c < NR; ++c)
    for (int v = 0; v < MV; ++v) sum[c][v] = V{};
  for (Index k = 0; k < depth; ++k) {
    V left[MV];
#pragma GCC unroll 16
    for (int v = 0; v < MV; ++v) {
      left[v] = *reinterpret_cast<const V*>(panel + (v / parts) * panel_stride + k * panel_rows + (v % parts) * VL);
    }
#pragma GCC unroll 16
    for (int c = 0; c < NR; ++c) {
      const double y = TRANSPOSED ? Y[k * stride + c] : Y[c * stride + k];
#pragma GCC unroll 16
      for (int v = 0; v < MV; ++v) sum[c][v] += left[v] * y;
    }
  }
  for (int c = 0; c < NR; ++c) {
    const double* values = reinterpret_cast<const double*>(&sum[c][0]);
    for (Index r = 0; r < rows; ++r) C[c * rank + r] += values[r];
  }
}

template <int VL, int PANELS, int NR, bool TRANSPOSED>
PNMF_INLINE void tile_columns(const double* panel, Index panel_stride, Index depth, const double* Y, Index stride,
                              Index columns, double* C, Index rank, Index rows) {
  const Index next = TRANSPOSED ? 1 : stride;
  Index c = 0;
  for (; c + NR <= columns; c += NR) {
    accumulate_tile<VL, PANELS, NR, TRANSPOSED>(panel, panel_stride, depth, Y + c * next, stride, C + c * rank, rank,
                                                rows);
  }
  for (; c < columns; ++c) {
    accumulate_tile<VL, PANELS, 1, TRANSPOSED>(panel, panel_stride, depth, Y + c * next, stride, C + c * rank, rank,
                                               rows);
  }
}

struct ProductArguments {
  const double* panels;
  Index rank, shared;
  const double* Y;
  Index stride;  // from one column of Y, or of Y', to the next
  Index begin, end;
  double* C;
  double* block;  // room for a block of Y', which is copied: its rows lie on as many memory pages as it has columns
};

// WIDE panels at a time, then the remaining ones singly.
template <int VL, int WIDE, int NR, int NR1, bool TRANSPOSED>
PNMF_INLINE void product_loops(const ProductArguments& p) {
  const Index n_panels = (p.rank + panel_rows - 1) / panel_rows;
  const Index panel_stride = p.shared * panel_rows;
  std::fill(p.C + p.begin * p.rank, p.C + p.end * p.rank, 0.0);
  for (Index k0 = 0; k0 < p.shared; k0 += depth_block) {
    const Index depth = std::min(depth_block, p.shared - k0);
    for (Index c0 = p.begin; c0 < p.end; c0 += column_block) {
      const Index columns = std::min(column_block, p.end - c0);
      const double* Y = p.Y + (TRANSPOSED ? c0 + k0 * p.stride : c0 * p.stride + k0);
      Index stride = p.stride;
      if (TRANSPOSED) {
        for (Index k = 0; k < depth; ++k) {
          if (k + rows_ahead < depth) prefetch(Y + (k + rows_ahead) * stride, columns);
          std::copy_n(Y + k * stride, columns, p.block + k * columns);
        }
        Y = p.block;
        stride = columns;
      }
      Index q = 0;
      for (; q + WIDE <= n_panels; q += WIDE) {
        const Index first = q * panel_rows;
        tile_columns<VL, WIDE, NR, TRANSPOSED>(p.panels + q * panel_stride + k0 * panel_rows, panel_stride, depth, Y,
                                               stride, columns, p.C + c0 * p.rank + first, p.rank,
                                               std::min<Index>(WIDE * panel_rows, p.rank - first));
      }
      for (; q < n_panels; ++q) {
        const Index first = q * panel_rows;
        tile_columns<VL, 1, NR1, TRANSPOSED>(p.panels + q * panel_stride + k0 * panel_rows, panel_stride, depth, Y,
                                             stride, columns, p.C + c0 * p.rank + first, p.rank,
                                             std::min<Index>(panel_rows, p.rank - first));
      }
    }
  }
}

struct GramArguments {
  const double* A;  // rank x columns
  Index rank, columns;
  // Columns tail_begin ... again, followed by zeros: vectors read up to 7 entries beyond a column.
  const double* tail;
  Index tail_begin;
  double* G;  // padded x padded; rows and columns beyond the rank are not defined
};

// Columns s ... s + NR - 1, rows q ... q + 7 of A A', in CHAINS independent sums.
template <int VL, int NR, int CHAINS>
PNMF_INLINE void gram_tile(const GramArguments& p, Index q, Index s) {
  using V = typename Doubles<VL>::type;
  constexpr int parts = 8 / VL, vectors = NR * parts;
  const Index stride = (p.rank + 7) / 8 * 8;
  V sum[CHAINS][vectors];
#pragma GCC unroll 4
  for (int m = 0; m < CHAINS; ++m) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sum[m][v] = V{};
  }
  Index k = 0;
  for (; k + CHAINS <= p.tail_begin; k += CHAINS) {
#pragma GCC unroll 4
    for (int m = 0; m < CHAINS; ++m) {
      const double* a = p.A + (k + m) * p.rank;
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        sum[m][v] += *reinterpret_cast<const V*>(a + q + v % parts * VL) * a[s + v / parts];
      }
    }
  }
  for (; k < p.columns; ++k) {
    const double* a = k < p.tail_begin ? p.A + k * p.rank : p.tail + (k - p.tail_begin) * p.rank;
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      sum[0][v] += *reinterpret_cast<const V*>(a + q + v % parts * VL) * a[s + v / parts];
    }
  }
#pragma GCC unroll 8
  for (int v = 0; v < vectors; ++v) {
#pragma GCC unroll 4
    for (int m = 1; m < CHAINS; ++m) sum[0][v] += sum[m][v];
    *reinterpret_cast<V*>(p.G + (s + v / parts) * stride + q + v % parts * VL) = sum[0][v];
  }
}

// The upper triangle: NR columns at a time, the remaining ones two and one at a time.
template <int VL, int NR>
PNMF_INLINE void gram_loops(const GramArguments& p) {
  for (Index q = 0; q < p.rank; q += 8) {
    Index s = q;
    for (; s + NR <= p.rank; s += NR) gram_tile<VL, NR, 1>(p, q, s);
    for (; s + 2 <= p.rank; s += 2) gram_tile<VL, 2, VL == 8 ? 4 : 1>(p, q, s);
    for (; s < p.rank; ++s) gram_tile<VL, 1, VL >= 4 ? 4 : 1>(p, q, s);
  }
}

PNMF_DISPATCHED(void, multiply_by_own, (const GramArguments& p), (p), (gram_loops<PNMF_PORTABLE_LENGTH, 2>(p)),
                (gram_loops<4, 4>(p)), (gram_loops<8, 8>(p)))

PNMF_DISPATCHED(void, multiply_panels, (const ProductArguments& p), (p),
                (product_loops<PNMF_PORTABLE_LENGTH, 1, 2, 2, false>(p)), (product_loops<4, 1, 5, 5, false>(p)),
                (product_loops<8, 2, 12, 12, false>(p)))

PNMF_DISPATCHED(void, multiply_panels_transposed, (const ProductArguments& p), (p),
                (product_loops<PNMF_PORTABLE_LENGTH, 1, 2, 2, true>(p)), (product_loops<4, 1, 5, 5, true>(p)),
                (product_loops<8, 2, 12, 12, true>(p)))

// A panel's whole row in a loop of fixed length, which compilers turn into few instructions.
PNMF_INLINE void copy_rows(const double* from, Index n, double* to) {
  if (n == panel_rows) {
    for (Index r = 0; r < panel_rows; ++r) to[r] = from[r];
  } else {
    for (Index r = 0; r < n; ++r) to[r] = from[r];
  }
}

}  // namespace

PackedFactor::PackedFactor(const std::vector<const Matrix*>& factors) : shared_(factors.at(0)->cols()) {
  for (const Matrix* factor : factors) rank_ += factor->rows();
  const Index padded = (rank_ + panel_rows - 1) / panel_rows * panel_rows, values = padded * shared_;
  memory_.reset(new double[static_cast<std::size_t>(values + panel_rows)]);
  void* begin = memory_.get();
  std::size_t room = (values + panel_rows) * sizeof(double);
  panels_ = static_cast<double*>(std::align(panel_rows * sizeof(double), values * sizeof(double), begin, room));
  for (Index k = 0; rank_ < padded && k < shared_; ++k) {
    double* last = panels_ + (padded - panel_rows) * shared_ + k * panel_rows;
    std::fill(last + panel_rows - (padded - rank_), last + panel_rows, 0.0);
  }
  Index first = 0;
  for (const Matrix* factor : factors) {
    pack(*factor, first);
    first += factor->rows();
  }
}

// The rows of a factor from row `first` of B on. Columns stay in the cache until all panels have their rows.
void PackedFactor::pack(const Matrix& factor, Index first) {
  constexpr Index columns_per_block = 32;
  const Index rows = factor.rows();
  for (Index begin = 0; begin < shared_; begin += columns_per_block) {
    const Index end = std::min(shared_, begin + columns_per_block);
    for (Index r = 0, n; r < rows; r += n) {
      const Index place = (first + r) % panel_rows;
      n = std::min(panel_rows - place, rows - r);
      double* to = panels_ + (first + r - place) * shared_ + place;
      for (Index k = begin; k < end; ++k) copy_rows(factor.data() + k * rows + r, n, to + k * panel_rows);
    }
  }
}

void dense_product(const PackedFactor& B, const double* Y, Index begin, Index end, double* C) {
  multiply_panels({B.panels(), B.rank(), B.shared(), Y, B.shared(), begin, end, C, nullptr});
}

void dense_product_transposed(const PackedFactor& B, const double* Yt, Index stride, Index begin, Index end,
                              double* C) {
  const std::unique_ptr<double[]> block(new double[std::min(depth_block, B.shared()) * column_block]);
  multiply_panels_transposed({B.panels(), B.rank(), B.shared(), Yt, stride, begin, end, C, block.get()});
}

Matrix gram(const Matrix& A) {
  const Index rank = A.rows(), padded = (rank + 7) / 8 * 8, tail_begin = std::max<Index>(0, A.cols() - 8);
  const Index tail_size = (A.cols() - tail_begin) * rank;
  Vector tail = Vector::Zero(tail_size + 8);
  std::copy_n(A.data() + tail_begin * rank, tail_size, tail.data());
  Matrix G(padded, padded);
  multiply_by_own({A.data(), rank, A.cols(), tail.data(), tail_begin, G.data()});
  return G.topLeftCorner(rank, rank).selfadjointView<Eigen::Upper>();
}

}  // namespace pnmf
