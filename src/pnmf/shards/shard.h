#pragma once

#include "pnmf/shards/shard_messages.h"
#include "pnmf/solver/held_cells.h"

namespace pnmf {

// What all shards of a fit have in common.
struct ShardModel : Model {
  int rank = 0;
  std::vector<double> thresholds;
  double alpha = 2;
  double unit = 1;  // of embeddings at borders, see BorderMatrix
};

// The cells of one shard: answers the requests of RemoteCells.
class Shard {
 public:
  // start: the embedding of the finest scale, or of every scale; start_data: see HeldCells
  Shard(std::unique_ptr<DataMatrix> data, ShardEdges edges, ShardModel model, std::vector<Matrix> start,
        std::shared_ptr<const DataMatrix> start_data = nullptr);
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;
  ShardAnswer answer(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor);
  Index cells() const { return held_.cells(); }
  const HeldState& state() const { return held_.state(); }
  int version() const { return version_; }
  // Returns whether the state is one of this shard and version, and then begins with it.
  bool restore(HeldState state, int version);

 private:
  ShardAnswer start_step(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor);
  ShardAnswer sweep(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor);
  ShardAnswer report(const ShardRequest& request, Executor& executor) const;
  void add_sums(const ShardRequest& request, ShardAnswer& answer, Executor& executor) const;
  BorderMatrices borders(const std::vector<Matrix>& H) const;

  std::unique_ptr<DataMatrix> data_;
  ShardModel model_;
  ScaleGraphs graphs_;
  CellBorder border_;
  HeldCells held_;
  int version_ = 0;
};

}  // namespace pnmf
