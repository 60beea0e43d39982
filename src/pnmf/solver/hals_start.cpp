#include "pnmf/solver/hals_start.h"

#include <algorithm>

namespace pnmf {
namespace {

// The steps of a scale end early if one gains less than this share of the first one.
constexpr double min_chain_gain = 1e-6;
// Rounds over a basis of the chain. With more rounds, the first steps would settle on an optimum too early.
constexpr int max_basis_rounds = 3;

// Shorter paths are not fitted with fewer scales first.
constexpr Index min_filled_scales = 6;

// The finest scale gets about as many steps as all other scales together.
int chain_steps(Index t, Index scales) {
  return t > 0 ? 1 : static_cast<int>(std::min<Index>(std::max<Index>(scales, 10), 50));
}

}  // namespace

std::vector<Matrix> chain_starts(Cells& cells, Matrix Wt, Index scales, const FitOptions& options, Executor& executor) {
  std::vector<Matrix> bases;
  const int basis_rounds = std::min(max_basis_rounds, options.max_inner);
  for (Index t = 0; t < scales; ++t) {
    executor.poll();
    // H is moved first: W is still that of the finer neighbour, so its W'X is known.
    if (t > 0) cells.start_step(t, nullptr, options.max_inner);
    double first_gain = 0;
    for (int step = 0; step < chain_steps(t, scales); ++step) {
      const Sums sums = cells.start_sums(t);
      update_basis(Wt, sums.XHt, sums.HHt, basis_rounds);
      const double gain = cells.start_step(t, &Wt, options.max_inner);
      if (step == 0) first_gain = gain;
      if (gain <= min_chain_gain * first_gain) break;
    }
    bases.push_back(Wt);
  }
  return bases;
}

std::vector<Index> fewer_scales(Index scales) {
  if (scales < min_filled_scales) return {};
  const Index few = (scales + 2) / 3;
  std::vector<Index> chosen;
  for (Index k = 0; k < few; ++k) chosen.push_back((k * (scales - 1) + (few - 1) / 2) / (few - 1));
  return chosen;
}

ScaleWeights fewer_weights(const ScaleWeights& weights, const std::vector<Index>& chosen, Index scales) {
  ScaleWeights few{std::vector<double>(chosen.size(), 0), std::vector<double>(chosen.size(), 0)};
  std::size_t nearest = 0, coarser = 0;
  for (Index t = 0; t < scales; ++t) {
    while (nearest + 1 < chosen.size() && chosen[nearest + 1] - t < t - chosen[nearest]) ++nearest;
    if (t > chosen[coarser]) ++coarser;
    few.weight[nearest] += weights.of(t);
    few.gap[coarser] += 1 / weights.spring(t);
  }
  return few;
}

Matrix mean_embedding(const Matrix& H, const Eigen::Ref<const Eigen::MatrixXi>& near) {
  Matrix mean(H.rows(), near.rows());
  for (Index i = 0; i < near.rows(); ++i) {
    mean.col(i).setZero();
    for (Index k = 0; k < near.cols(); ++k) mean.col(i) += H.col(near(i, k));
    mean.col(i) /= static_cast<double>(near.cols());
  }
  return mean;
}

Path fill_between(const Path& few, const std::vector<Index>& chosen, Index scales) {
  Path all;
  for (Index t = 0, coarser = 0; t < scales; ++t) {
    if (t > chosen[coarser]) ++coarser;
    const Index finer = std::max<Index>(coarser - 1, 0), gap = chosen[coarser] - chosen[finer];
    const double share = gap > 0 ? static_cast<double>(t - chosen[finer]) / static_cast<double>(gap) : 1;
    all.Wt.push_back((1 - share) * few.Wt[finer] + share * few.Wt[coarser]);
    all.H.push_back((1 - share) * few.H[finer] + share * few.H[coarser]);
  }
  return all;
}

}  // namespace pnmf
