#include "pnmf/solver/embedding_descent.h"

namespace pnmf {

void EmbeddingDescent::descend(ScaleStates& states, HalfRoundObserver* observer) const {
  const double first = run_round(states, observer);
  for (int k = 1; k < settings_.embedding_rounds; ++k) {
    if (!(run_round(states, observer) > min_gain_share * first)) return;
  }
}

double EmbeddingDescent::run_round(ScaleStates& states, HalfRoundObserver* observer) const {
  double gain = 0;
  for (Index colour = 0; colour < std::min<Index>(2, states.scales()); ++colour) {
    if (observer) observer->before(states, colour);
    gain += run_half(states, colour);
    if (observer) observer->after(states, colour);
  }
  return gain;
}

double EmbeddingDescent::run_half(ScaleStates& states, Index colour) const {
  const std::vector<Index> scales = every_second(colour, states.scales());
  Vector gain(scales.size());
  run_with_graphs(data_, executor_, static_cast<Index>(scales.size()), [&](Index k, Executor& inner) {
    const Index t = scales[k];
    const auto graph = graphs_.at(t);
    const EmbeddingProblem problem{states.products.WtX[t],
                                   states.products.WtW[t],
                                   *graph,
                                   neighbors_of(states.path.H, t, settings_.weights),
                                   settings_.penalties,
                                   shift_ ? &(*shift_)[t] : nullptr};
    gain[k] = settings_.weights.of(t) * update_embedding(states.path.H[t], problem, 1, inner);
  });
  return gain.sum();
}

}  // namespace pnmf
