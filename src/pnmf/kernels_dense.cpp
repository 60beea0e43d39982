#include "kernels.h"

#include <algorithm>

#include "simd.h"

namespace pnmf {
namespace {

// Rows of C per panel; a multiple of every vector length.
constexpr Index panel_rows = 8;
// Rows of Y per pass: a packed block of B (rank 32) of this depth stays in the second-level cache.
constexpr Index depth_block = 512;

// One tile of C: PANELS x 8 rows, NR columns, accumulated over `depth` entries of the shared dimension.
template <int VL, int PANELS, int NR>
PNMF_INLINE void accumulate_tile(const double* panel, Index panel_stride, Index depth, const double* Y,
                                 Index stride, double* C, Index rank, Index rows) {
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

PNMF_DISPATCHED(void, multiply_panels, (const ProductArguments& p), (p),
                (product_loops<PNMF_PORTABLE_LENGTH, 1, 2, 2>(p)), (product_loops<4, 1, 5, 5>(p)),
                (product_loops<8, 2, 12, 12>(p)))

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
  multiply_panels({B.panels(), B.rank(), B.shared(), Y, begin, end, C});
}

}  // namespace pnmf
