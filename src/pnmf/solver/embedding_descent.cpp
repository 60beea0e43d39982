#include "pnmf/solver/embedding_descent.h"

namespace pnmf {

void run_with_graphs(const ScaleGraphs& graphs, Executor& executor, Index n,
                     const std::function<void(Index item)>& body) {
  if (!graphs.one_at_a_time()) return executor.run(n, body);
  for (Index k = 0; k < n; ++k) body(k);
}

void EmbeddingDescent::descend(std::vector<Matrix>& H, int max_rounds) const {
  const double first = run_round(H);
  for (int k = 1; k < max_rounds; ++k) {
    if (!(run_round(H) > min_gain_share * first)) return;
  }
}

double EmbeddingDescent::run_round(std::vector<Matrix>& H) const {
  double gain = 0;
  for (Index colour = 0; colour < std::min<Index>(2, static_cast<Index>(H.size())); ++colour) {
    gain += run_half(H, colour);
  }
  return gain;
}

// The scales colour, colour + 2, ...
double EmbeddingDescent::run_half(std::vector<Matrix>& H, Index colour) const {
  const Index n = (static_cast<Index>(H.size()) - colour + 1) / 2;
  Vector gain(n), change = Vector::Zero(n);
  run_with_graphs(graphs_, executor_, n, [&](Index k) {
    const Index t = colour + 2 * k;
    const auto graph = graphs_.at(t);
    const EmbeddingProblem problem{products_.WtX[t], products_.WtW[t],
                                   *graph,           neighbors_of(H, t, model_.weights),
                                   model_.penalties, shift_.empty() ? nullptr : &shift_[t]};
    const double before = log_ ? local_objective(H[t], problem, 0) : 0;
    gain[k] = model_.weights.of(t) * update_embedding(H[t], problem, 1, executor_);
    if (log_) change[k] = model_.weights.of(t) * (local_objective(H[t], problem, 0) - before);
  });
  for (Index k = 0; log_ && k < n; ++k) log_->add(colour + 2 * k, 'H', change[k]);
  return gain.sum();
}

}  // namespace pnmf
