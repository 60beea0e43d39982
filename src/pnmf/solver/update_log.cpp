#include "pnmf/solver/update_log.h"

namespace pnmf {

Vector UpdateLog::data_terms(const ScaleStates& states) const {
  Vector value(states.scales());
  for (Index t = 0; t < states.scales(); ++t) {
    value[t] = settings_.weights.of(t) *
               data_term(data_.squared_norm(), states.products.WtX[t], states.products.WtW[t], states.path.H[t]);
  }
  return value;
}

// The part of the objective that depends on the embeddings of a colour.
Vector UpdateLog::local_objectives(const ScaleStates& states, Index colour) const {
  const std::vector<Index> scales = every_second(colour, states.scales());
  Vector value(scales.size());
  run_with_graphs(data_, executor_, static_cast<Index>(scales.size()), [&](Index k, Executor&) {
    const Index t = scales[k];
    const auto graph = graphs_.at(t);
    const EmbeddingProblem problem{states.products.WtX[t], states.products.WtW[t], *graph,
                                   neighbors_of(states.path.H, t, settings_.weights), settings_.penalties};
    value[k] = settings_.weights.of(t) * local_objective(states.path.H[t], problem, data_.squared_norm());
  });
  return value;
}

void UpdateLog::add(Index scale, char block, double change) {
  running_ += change;
  updates.push_back({sweep_, static_cast<int>(scale), block, running_});
}

void UpdateLog::after_bases(const ScaleStates& states) {
  const Vector change = data_terms(states) - before_;
  for (Index t = 0; t < change.size(); ++t) add(t, 'W', change[t]);
}

void UpdateLog::after(const ScaleStates& states, Index colour) {
  const Vector change = local_objectives(states, colour) - before_;
  for (Index k = 0; k < change.size(); ++k) add(colour + 2 * k, 'H', change[k]);
}

}  // namespace pnmf
