#pragma once

#include "pnmf/solver/scale_updates.h"

namespace pnmf {

// Observes every half of a round: the embeddings of scales colour, colour + 2, ... are about to move, or have moved.
struct HalfRoundObserver {
  virtual ~HalfRoundObserver() = default;
  virtual void before(const ScaleStates& states, Index colour) = 0;
  virtual void after(const ScaleStates& states, Index colour) = 0;
};

// While the bases are fixed, all embeddings together are one convex problem that does not need the data. Runs rounds of
// coordinate descent, odd scales, then even ones (each only depends on scales of the other colour), until a round gains
// little compared with the first. Every round lowers the objective.
class EmbeddingDescent {
 public:
  EmbeddingDescent(const DataMatrix& data, const ScaleGraphs& graphs, const UpdateSettings& settings,
                   Executor& executor, const std::vector<Vector>* shift = nullptr)
      : data_(data), graphs_(graphs), settings_(settings), executor_(executor), shift_(shift) {}

  void descend(ScaleStates& states, HalfRoundObserver* observer = nullptr) const;

 private:
  // Return the decrease of the objective.
  double run_round(ScaleStates& states, HalfRoundObserver* observer) const;
  double run_half(ScaleStates& states, Index colour) const;

  const DataMatrix& data_;
  const ScaleGraphs& graphs_;
  const UpdateSettings& settings_;
  Executor& executor_;
  const std::vector<Vector>* shift_;  // of each scale, see EmbeddingProblem; null: none
};

}  // namespace pnmf
