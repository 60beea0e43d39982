#include "pnmf/kernels/kernels.h"

#include <algorithm>

#include "pnmf/kernels/simd.h"

namespace pnmf {
namespace {

// Columns of B are padded to this many rows, a multiple of every vector length.
constexpr Index padding = 8;
// The part of the left factor that is kept in the second-level cache: 256 KB.
constexpr Index cache_doubles = 32768;

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
  using V = typename Doubles<VL>::type;
  const Index rows = std::min<Index>(MV * VL, p.rank - offset);
  for (Index m = 0; m < p.columns; ++m) {
    V sum[CHAINS][MV];
    for (int c = 0; c < CHAINS; ++c)
      for (int v = 0; v < MV; ++v) sum[c][v] = V{};
    const Index end = p.to[m];
    Index e = p.from[m];  // wider than int: e + CHAINS may pass 2^31
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

PNMF_DISPATCHED(void, add_sparse, (const SparseArguments& p), (p), (sparse_loops<PNMF_PORTABLE_LENGTH>(p)),
                (sparse_loops<4>(p)), (sparse_loops<8>(p)))

}  // namespace

PaddedFactor::PaddedFactor(const Matrix& B)
    : rank_(B.rows()), shared_(B.cols()), padded_((B.rows() + padding - 1) / padding * padding),
      values_(new double[static_cast<std::size_t>(padded_ * B.cols())]) {
  for (Index k = 0; k < B.cols(); ++k) {
    const double* from = B.data() + k * rank_;
    double* to = values_.get() + k * padded_;
    for (Index r = 0; r < rank_; ++r) to[r] = from[r];
    for (Index r = rank_; r < padded_; ++r) to[r] = 0;
  }
}

void sparse_product(const PaddedFactor& B, const int* row, const double* value, const int* column_start, Index begin,
                    Index end, double* C) {
  std::fill(C + begin * B.rank(), C + end * B.rank(), 0.0);
  // Rows of Y are processed in blocks whose part of B stays in the second-level cache while all columns are visited.
  const Index block = std::max<Index>(256, cache_doubles / B.padded_rank());
  std::vector<int> from(column_start + begin, column_start + end), to(from.size());
  for (Index first = 0; first < B.shared(); first += block) {
    const bool last = first + block >= B.shared();
    for (Index m = 0; m < end - begin; ++m) {
      const int* stop = row + column_start[begin + m + 1];
      to[m] = static_cast<int>((last ? stop : std::lower_bound(row + from[m], stop, first + block)) - row);
    }
    add_sparse(
        {B.data(), B.padded_rank(), B.rank(), row, value, from.data(), to.data(), end - begin, C + begin * B.rank()});
    from.swap(to);
  }
}

}  // namespace pnmf
