#include "pnmf/kernels/kernels.h"
#include "pnmf/kernels/simd.h"

namespace pnmf {
namespace {

// VL rows of one cell, from `row` on, which stay in registers.
template <int VL, typename Scalar>
PNMF_INLINE void step_of_rows(const LaplacianStep<Scalar>& p, Index cell, Index row) {
  using V = typename Lanes<Scalar, VL>::type;
  const V x = *reinterpret_cast<const V*>(p.x + cell * p.rows + row);
  V *y = reinterpret_cast<V*>(p.y + cell * p.rows + row), *sum = reinterpret_cast<V*>(p.sum + row);
  const int* neighbor = p.neighbor + p.first[cell];
  V Lx{};
  for (Index e = p.begin[cell]; e < p.begin[cell + 1]; ++e, ++neighbor) {
    Lx += (x - *reinterpret_cast<const V*>(p.x + *neighbor * p.rows + row)) * static_cast<Scalar>(p.weight[e]);
  }
  *y = Lx * *reinterpret_cast<const V*>(p.scale + row) - *y * *reinterpret_cast<const V*>(p.last + row);
  *sum += x * *y;
}

template <int VL, typename Scalar>
PNMF_INLINE void step_loops(const LaplacianStep<Scalar>& p, Index begin, Index end) {
  constexpr int part = VL > 4 ? 4 : 1;
  for (Index cell = begin; cell < end; ++cell) {
    Index row = 0;
    for (; row + VL <= p.rows; row += VL) step_of_rows<VL>(p, cell, row);
    for (; row + part <= p.rows; row += part) step_of_rows<part>(p, cell, row);
    for (; row < p.rows; ++row) step_of_rows<1>(p, cell, row);
  }
}

template <int VL, typename Scalar>
PNMF_INLINE void subtract_loops(const Scalar* x, const Scalar* share, Index rows, Index cells, Scalar* y,
                                Scalar* squares) {
  using V = typename Lanes<Scalar, VL>::type;
  for (Index cell = 0; cell < cells; ++cell, x += rows, y += rows) {
    Index row = 0;
    for (; row + VL <= rows; row += VL) {
      V *next = reinterpret_cast<V*>(y + row), *sum = reinterpret_cast<V*>(squares + row);
      *next -= *reinterpret_cast<const V*>(share + row) * *reinterpret_cast<const V*>(x + row);
      *sum += *next * *next;
    }
    for (; row < rows; ++row) {
      y[row] -= share[row] * x[row];
      squares[row] += y[row] * y[row];
    }
  }
}

}  // namespace

#define PNMF_LAPLACIAN_KERNELS(Scalar)                                                                               \
  PNMF_DISPATCHED(void, laplacian_step, (const LaplacianStep<Scalar>& p, Index begin, Index end), (p, begin, end),   \
                  (step_loops<PNMF_PORTABLE_LENGTH>(p, begin, end)), (step_loops<16>(p, begin, end)),                \
                  (step_loops<16>(p, begin, end)))                                                                   \
  PNMF_DISPATCHED(                                                                                                   \
      void, subtract_share, (const Scalar* x, const Scalar* share, Index rows, Index cells, Scalar* y, Scalar* sum), \
      (x, share, rows, cells, y, sum), (subtract_loops<PNMF_PORTABLE_LENGTH>(x, share, rows, cells, y, sum)),        \
      (subtract_loops<4>(x, share, rows, cells, y, sum)), (subtract_loops<4>(x, share, rows, cells, y, sum)))

PNMF_LAPLACIAN_KERNELS(double)
PNMF_LAPLACIAN_KERNELS(float)

}  // namespace pnmf
