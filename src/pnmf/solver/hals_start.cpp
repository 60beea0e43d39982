#include "pnmf/solver/hals_start.h"

#include <algorithm>

#include "pnmf/kernels/kernels.h"

namespace pnmf {
namespace {

// H is updated first: W is still that of the finer neighbour, so its W'X is known.
void chain_from_finest(ScaleStates& states, const DataMatrix& data, const ScaleGraphs& graphs,
                       const FitOptions& options, const UpdateSettings& settings, Executor& executor) {
  Path& path = states.path;
  const DataMatrix& source = options.chain_data ? *options.chain_data : data;
  const Index T = graphs.scales();
  Matrix WtX, WtW, Wt = std::move(path.Wt[0]), H = std::move(path.H[0]);
  const int basis_rounds = std::min(chain_basis_rounds, options.max_inner);
  for (Index t = 0; t < T; ++t) {
    const auto graph = graphs.at(t);
    Neighbors finer = neighbors_of(path.H, t, settings.weights);
    finer.coarser = nullptr;
    const EmbeddingProblem problem{WtX, WtW, *graph, finer, settings.penalties};
    if (t > 0) update_embedding(H, problem, options.max_inner, executor);
    double first_gain = 0;
    for (int step = 0; step < chain_steps(t, T); ++step) {
      update_basis(Wt, source.embedding_product(H, executor), gram(H), basis_rounds);
      WtX = source.basis_product(Wt, executor);
      WtW = gram(Wt);
      const double gain = update_embedding(H, problem, options.max_inner, executor);
      if (step == 0) first_gain = gain;
      if (gain <= min_chain_gain * first_gain) break;
    }
    path.H[t] = H;
    path.Wt[t].resize(0, 0);
    if (!settings.shared_bases || t % scales_per_basis == 0) path.Wt[t] = Wt;
    states.products.WtX[t] = options.chain_data && !data.streamed() ? data.basis_product(Wt, executor) : WtX;
    states.products.WtW[t] = WtW;
  }
  if (options.chain_data && data.streamed()) find_products(states, all_scales(states), data, executor);
}

}  // namespace

// The finest scale gets about as many steps as all other scales together.
int chain_steps(Index t, Index scales) {
  return t > 0 ? 1 : static_cast<int>(std::min<Index>(std::max<Index>(scales, 10), 50));
}

void find_products(ScaleStates& states, const std::vector<Index>& scales, const DataMatrix& data, Executor& executor) {
  const Path& path = states.path;
  std::vector<Matrix> WtX(scales.size());
  if (data.streamed()) {
    std::vector<const Matrix*> Wt;
    for (Index t : scales) Wt.push_back(&path.Wt[t]);
    WtX = data.basis_products(Wt, executor);
  }
  run_items(executor, static_cast<Index>(scales.size()), [&](Index k, Executor& inner) {
    const Index t = scales[k];
    if (!data.streamed()) WtX[k] = data.basis_product(path.Wt[t], inner);
    states.products.WtX[t].swap(WtX[k]);
    states.products.WtW[t] = gram(path.Wt[t]);
  });
}

void make_start(ScaleStates& states, const DataMatrix& data, const ScaleGraphs& graphs, const FitOptions& options,
                const UpdateSettings& settings, Executor& executor) {
  Path& path = states.path;
  if (options.chain_start) {
    normalize_basis(path.Wt[0], path.H[0]);
    return chain_from_finest(states, data, graphs, options, settings, executor);
  }
  for (Index t = 0; t < states.scales(); ++t) normalize_basis(path.Wt[t], path.H[t]);
  find_products(states, all_scales(states), data, executor);
  if (!settings.shared_bases) return;
  for (Index t = 0; t < states.scales(); ++t) {
    if (t % scales_per_basis != 0) path.Wt[t].resize(0, 0);
  }
}

}  // namespace pnmf
