#include "pnmf/solver/scale_updates.h"

#include <algorithm>
#include <numeric>

#include "pnmf/kernels/kernels.h"

namespace pnmf {
namespace {

// Rounds over a basis that started from the neighbouring scale's, until it is better than the scale's old basis.
constexpr int max_catch_ups = 20;

std::vector<const Matrix*> pointers(const std::vector<Matrix>& factors, const std::vector<Index>& scales) {
  std::vector<const Matrix*> chosen;
  for (Index t : scales) chosen.push_back(&factors[t]);
  return chosen;
}

}  // namespace

void run_with_graphs(const DataMatrix& data, Executor& executor, Index n,
                     const std::function<void(Index item, Executor& inner)>& body) {
  if (!data.streamed()) return run_items(executor, n, body);
  for (Index k = 0; k < n; ++k) body(k, executor);
}

std::vector<Index> every_second(Index colour, Index scales) {
  std::vector<Index> chosen;
  for (Index t = colour; t < scales; t += 2) chosen.push_back(t);
  return chosen;
}

std::vector<Index> all_scales(const ScaleStates& states) {
  std::vector<Index> scales(states.path.H.size());
  std::iota(scales.begin(), scales.end(), 0);
  return scales;
}

void ScaleUpdates::update_bases(ScaleStates& states) {
  const std::vector<Index> scales = all_scales(states);
  if (settings_.shared_bases) {
    return find_bases(states, scales,
                      [&](Index k, const Matrix& Wt, const Matrix&, const Matrix&, bool better, Executor& inner) {
                        const Index t = scales[k];
                        if (!better) return;
                        states.products.WtX[t] = data_.basis_product(Wt, inner);
                        states.products.WtW[t] = gram(Wt);
                        if (t % scales_per_basis == 0) states.path.Wt[t] = Wt;
                      });
  }
  if (data_.streamed()) return update_streamed_bases(states, scales);
  run_items(executor_, static_cast<Index>(scales.size()), [&](Index k, Executor& inner) {
    const Index t = scales[k];
    update_own_basis(states, t, data_.embedding_product(states.path.H[t], inner));
    states.products.WtX[t] = data_.basis_product(states.path.Wt[t], inner);
  });
}

void ScaleUpdates::update_own_basis(ScaleStates& states, Index t, const Matrix& XHt) const {
  Matrix& Wt = states.path.Wt[t];
  update_basis(Wt, XHt, gram(states.path.H[t]), settings_.basis_rounds);
  states.products.WtW[t] = gram(Wt);
}

void ScaleUpdates::update_streamed_bases(ScaleStates& states, const std::vector<Index>& scales) {
  Path& path = states.path;
  const std::vector<Matrix> XHt = data_.embedding_products(pointers(path.H, scales), executor_);
  run_items(executor_, static_cast<Index>(scales.size()),
            [&](Index k, Executor&) { update_own_basis(states, scales[k], XHt[k]); });
  for (Index t : scales) states.products.WtX[t].resize(0, 0);
  std::vector<Matrix> WtX = data_.basis_products(pointers(path.Wt, scales), executor_);
  for (std::size_t k = 0; k < scales.size(); ++k) states.products.WtX[scales[k]].swap(WtX[k]);
}

void ScaleUpdates::find_bases(const ScaleStates& states, const std::vector<Index>& scales, const FoundBasis& found) {
  std::vector<Index> leaders;  // their places
  for (std::size_t k = 0; k < scales.size(); ++k) {
    if (scales[k] % scales_per_basis == 0) leaders.push_back(static_cast<Index>(k));
  }
  run_items(executor_, static_cast<Index>(leaders.size()), [&](Index g, Executor& inner) {
    const bool last = g + 1 == static_cast<Index>(leaders.size());
    const Index end = last ? static_cast<Index>(scales.size()) : leaders[g + 1];
    find_group(states, scales, leaders[g], end, found, inner);
  });
}

void ScaleUpdates::find_group(const ScaleStates& states, const std::vector<Index>& scales, Index begin, Index end,
                              const FoundBasis& found, Executor& executor) {
  Matrix Wt = states.path.Wt[scales[begin]];
  for (Index k = begin; k < end; ++k) {
    executor.poll();
    const Index t = scales[k];
    const Matrix& H = states.path.H[t];
    const Matrix XHt = data_.embedding_product(H, executor), HHt = gram(H);
    const double before = data_term(data_.squared_norm(), states.products.WtX[t], states.products.WtW[t], H);
    bool better = false;
    for (int round = 0; round < max_catch_ups && !better; ++round) {
      update_basis(Wt, XHt, HHt, settings_.basis_rounds);
      better = data_term_by_features(data_.squared_norm(), XHt, HHt, Wt) <= before;
    }
    found(k, Wt, XHt, HHt, better, executor);
  }
}

Vector ScaleUpdates::basis_residuals(const ScaleStates& states) {
  const Path& path = states.path;
  Vector residual(states.scales());
  if (settings_.shared_bases) {
    find_bases(states, all_scales(states),
               [&](Index t, const Matrix& Wt, const Matrix& XHt, const Matrix& HHt, bool better, Executor&) {
                 const double before =
                     data_term(data_.squared_norm(), states.products.WtX[t], states.products.WtW[t], path.H[t], HHt);
                 const double after = data_term_by_features(data_.squared_norm(), XHt, HHt, Wt);
                 residual[t] = better ? std::max(0.0, before - after) : 0.0;
               });
    return residual;
  }
  std::vector<Matrix> XHt(states.scales());
  if (data_.streamed()) XHt = data_.embedding_products(pointers(path.H, all_scales(states)), executor_);
  run_items(executor_, states.scales(), [&](Index t, Executor& inner) {
    if (!data_.streamed()) XHt[t] = data_.embedding_product(path.H[t], inner);
    residual[t] = basis_residual(path.Wt[t], XHt[t], gram(path.H[t]));
    XHt[t].resize(0, 0);
  });
  return residual;
}

Vector ScaleUpdates::residuals(const ScaleStates& states) {
  Vector residual = basis_residuals(states);
  run_with_graphs(data_, executor_, states.scales(), [&](Index t, Executor&) {
    const auto graph = graphs_.at(t);
    residual[t] +=
        embedding_residual(states.path.H[t], {states.products.WtX[t], states.products.WtW[t], *graph,
                                              neighbors_of(states.path.H, t, settings_.weights), settings_.penalties});
  });
  return residual / data_.squared_norm();
}

}  // namespace pnmf
