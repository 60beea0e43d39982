#include "pnmf/solver/projection.h"

#include <algorithm>

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

// The scales of one cell, started at 0 and, on the first way up, at the next finer scale.
class CellPlacement {
 public:
  CellPlacement(const PlacementProblem& problem, Index cell)
      : problem_(problem), cell_(cell), H_(Matrix::Zero(problem.r[0].rows(), problem.r.size())), r_(H_.rows()) {
    Index padded = 0;
    for (const PaddedSquare& S : problem.S) padded = std::max<Index>(padded, S.padded_rank());
    work_.resize(2 * padded);
  }

  const Matrix& solve(int max_rounds, double tol) {
    const Index T = H_.cols();
    for (Index t = 0; t < T; ++t) {
      if (t > 0) H_.col(t) = H_.col(t - 1);
      descend(t);
    }
    for (int round = 0; round < max_rounds; ++round) {
      double change = 0;
      for (Index t = T - 1; t >= 0; --t) change += descend(t);
      for (Index t = 0; t < T; ++t) change += descend(t);
      if (change <= tol * tol * H_.squaredNorm()) break;
    }
    return H_;
  }

 private:
  // Returns the squared change.
  double descend(Index t) {
    const double q = problem_.weight[t];
    double shift = problem_.c(t, cell_);
    r_ = problem_.r[t].col(cell_);
    const auto pull = [&](Index other, double spring) {
      shift += spring / q;
      r_.noalias() += spring / q * H_.col(other);
    };
    if (t > 0) pull(t - 1, problem_.spring[t]);
    if (t + 1 < H_.cols()) pull(t + 1, problem_.spring[t + 1]);
    return descend_coordinates(problem_.S[t], shift, r_.data(), H_.col(t).data(), work_.data()).change;
  }

  const PlacementProblem& problem_;
  Index cell_;
  Matrix H_;  // rank x scales
  Vector r_, work_;
};

}  // namespace

std::vector<Matrix> place_cells(const PlacementProblem& problem, int max_rounds, double tol, Executor& executor) {
  std::vector<Matrix> H(problem.r.size(), Matrix(problem.r[0].rows(), problem.r[0].cols()));
  run_blocks(executor, problem.r[0].cols(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      CellPlacement cell(problem, i);
      const Matrix& found = cell.solve(max_rounds, tol);
      for (std::size_t t = 0; t < H.size(); ++t) H[t].col(i) = found.col(t);
    }
  });
  return H;
}

Matrix project_cells(const DataMatrix& data, const Matrix& Wt, int max_steps, double tol, Executor& executor) {
  const Matrix WtX = data.basis_product(Wt, executor);
  const PaddedSquare WtW(gram(Wt));
  Matrix H(Wt.rows(), data.cells());
  run_blocks(executor, data.cells(), 256, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) solve_cell(WtW, WtX.col(i), max_steps, tol, H.col(i));
  });
  return H;
}

}  // namespace pnmf
