#pragma once

#include <Eigen/Dense>
#include <vector>

namespace pnmf {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
// One row per function, one column per cell.
template <typename Scalar>
using Functions = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
template <typename Scalar>
using FunctionValues = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
using ConstMatrixMap = Eigen::Map<const Matrix>;
using ConstVectorMap = Eigen::Map<const Vector>;

// Shapes used everywhere: X features x cells, Wt rank x features (the basis W, transposed, so that the
// factors of one feature are contiguous), H rank x cells. One entry of a path per scale, finest first.
struct Path {
  std::vector<Matrix> Wt;
  std::vector<Matrix> H;
};

}  // namespace pnmf
