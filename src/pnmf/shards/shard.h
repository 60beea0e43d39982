#pragma once

#include <memory>

#include "pnmf/data/data_matrix.h"
#include "pnmf/graph/shard_edges.h"
#include "pnmf/shards/shard_borders.h"
#include "pnmf/solver/scale_updates.h"

namespace pnmf {

// What all shards of a fit have in common.
struct ShardModel {
  std::vector<double> thresholds;
  double alpha = 2;
  Penalties penalties;
  ScaleWeights weights;
  bool measures = false;  // remembers embeddings, to measure movement
  double unit = 1;        // of embeddings at borders, a power of 2: single precision has a small range of exponents
};

// The embeddings of a shard that last from one request to the next.
struct ShardState {
  int version = 0;
  std::vector<Matrix> H, before, snapshot;  // of every scale: now, before the last sweep, when the window began
};

// The cells of one shard: their data, their embeddings at all scales, their edges. All shards are updated at the same
// time. An edge to a cell of another shard is therefore replaced by its majoriser
//   w |h_i - h_j|^2 <= 2 w (|h_i - m|^2 + |h_j - m|^2),   m = (h_i + h_j) / 2 as they were when the sweep began,
// so that no sweep raises the objective.
class Shard {
 public:
  // start: the embedding of the finest scale, or of every scale; chain_data: see FitOptions
  Shard(std::unique_ptr<DataMatrix> data, ShardEdges edges, ShardModel model, std::vector<Matrix> start,
        std::unique_ptr<DataMatrix> chain_data = nullptr);
  ShardAnswer answer(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor);
  Index cells() const { return data_->cells(); }
  const ShardState& state() const { return state_; }
  void restore(ShardState state) { state_ = std::move(state); }

 private:
  ShardAnswer chain(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor);
  ShardAnswer sweep(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor);
  ShardAnswer undo(const ShardRequest& request, Executor& executor);
  ShardAnswer report(const ShardRequest& request, Executor& executor) const;
  ShardAnswer residual(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor) const;

  void find_products(const std::vector<Matrix>& Wt, Products& products, Executor& executor) const;
  void leap(const std::vector<double>& lead);
  void add_sums(const ShardRequest& request, ShardAnswer& answer, Executor& executor) const;
  void add_objective(const Products& products, const std::vector<BorderPull>& pulls, ShardAnswer& answer) const;
  void add_steps(ShardAnswer& answer) const;
  void add_movement(ShardAnswer& answer) const;
  Index scales() const { return static_cast<Index>(model_.thresholds.size()); }

  std::unique_ptr<DataMatrix> data_, chain_data_;
  ShardModel model_;
  ScaleGraphs graphs_;
  ShardBorder border_;
  ShardState state_;
  Matrix chain_WtX_, chain_WtW_;
};

}  // namespace pnmf
