#include "pnmf/solver/projection.h"

#include <algorithm>
#include <cmath>

#include "pnmf/kernels/kernels.h"
#include "pnmf/solver/hals_updates.h"

namespace pnmf {
namespace {

// Coordinate descent on h'Sh - 2 h'r, h >= 0, started at 0, until a round moves less than tol times |h|.
void solve_cell(const PaddedSquare& S, const Vector& r, int max_steps, double tol, Eigen::Ref<Vector> h) {
  h.setZero();
  Vector work(2 * S.padded_rank());
  for (int step = 0; step < max_steps; ++step) {
    const double change = descend_coordinates(S, 0, r.data(), h.data(), work.data()).change;
    if (change <= tol * tol * h.squaredNorm()) return;
  }
}

}  // namespace

Matrix project_cells(const DataMatrix& data, const Matrix& Wt, int max_steps, double tol, Executor& executor) {
  const Matrix WtX = data.basis_product(Wt, executor);
  const PaddedSquare WtW(gram(Wt));
  Matrix H(Wt.rows(), data.cells());
  run_blocks(executor, data.cells(), 256, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) solve_cell(WtW, WtX.col(i), max_steps, tol, H.col(i));
  });
  return H;
}

Matrix basis_for(const DataMatrix& data, const Matrix& H, int max_steps, double tol, Executor& executor) {
  const Matrix XHt = data.embedding_product(H, executor), HHt = gram(H);
  Matrix Wt = Matrix::Zero(H.rows(), data.features());
  for (int step = 0; step < max_steps; ++step) {
    executor.poll();
    update_basis(Wt, XHt, HHt, 10);
    if (basis_residual(Wt, XHt, HHt) <= tol * data.squared_norm()) break;
  }
  return Wt;
}

}  // namespace pnmf
