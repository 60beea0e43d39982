#pragma once

#include "pnmf/solver/hals_updates.h"
#include "pnmf/state/fit_state.h"

namespace pnmf {

// W'X and W'W of all bases. WtX: rank x cells, WtW: rank x rank
struct Products {
  std::vector<Matrix> WtX, WtW;
};

// The whole objective after every single update of a sweep without extrapolation, as a running sum of the changes.
struct UpdateLog {
  void add(Index scale, char block, double change) {
    objective += change;
    updates.push_back({sweep, static_cast<int>(scale), block, objective});
  }
  int sweep;
  double objective;
  std::vector<UpdateRecord>& updates;
};

// Runs body over items that use the graphs of scales: one after the other if graphs are made for each use, because their
// weights may be as large as an embedding.
void run_with_graphs(const ScaleGraphs& graphs, Executor& executor, Index n,
                     const std::function<void(Index item)>& body);

// While the bases are fixed, all embeddings together are one convex problem that does not need the data. Runs rounds of
// coordinate descent, odd scales, then even ones (each only depends on scales of the other colour), until a round gains
// little compared with the first. Every round lowers the objective.
class EmbeddingDescent {
 public:
  // shift: of each scale, see EmbeddingProblem; empty: none
  EmbeddingDescent(const Products& products, const ScaleGraphs& graphs, const Model& model,
                   const std::vector<Vector>& shift, Executor& executor, UpdateLog* log)
      : products_(products), graphs_(graphs), model_(model), shift_(shift), executor_(executor), log_(log) {}

  void descend(std::vector<Matrix>& H, int max_rounds) const;

 private:
  // Returns the decrease of the objective.
  double run_round(std::vector<Matrix>& H) const;
  double run_half(std::vector<Matrix>& H, Index colour) const;

  const Products& products_;
  const ScaleGraphs& graphs_;
  const Model& model_;
  const std::vector<Vector>& shift_;
  Executor& executor_;
  UpdateLog* log_;  // null: none
};

}  // namespace pnmf
