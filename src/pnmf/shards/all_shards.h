#pragma once

#include "pnmf/shards/shard_borders.h"
#include "pnmf/shards/sharded_state.h"
#include "pnmf/solver/fit.h"

namespace pnmf {

// The sums of the answers of all shards, added in the order of the shards.
Matrix sum_of(const std::vector<ShardAnswer>& answers, std::vector<Matrix> ShardAnswer::*part, std::size_t k);
Vector sum_of(const std::vector<ShardAnswer>& answers, std::vector<double> ShardAnswer::*part);
double sum_of(const std::vector<ShardAnswer>& answers, double ShardAnswer::*part);

// values[shard][scale]; empties the answers.
Borders::Values take_borders(std::vector<ShardAnswer>& answers, BorderMatrices ShardAnswer::*part);

// All shards of a fit as one: sends requests, adds up the answers and keeps what the next sweep needs.
class AllShards {
 public:
  AllShards(const Borders& borders, const FitOptions& options, ShardWorkers& workers, Executor& executor)
      : borders_(borders), options_(options), workers_(workers), executor_(executor), T_(borders.scales()) {}

  // Embeddings for the bases of the state. Without rounds they stay as they are, but those of border cells are rounded.
  // Fills state.own, raises the version and returns what each scale adds to the objective.
  Vector sweep(ShardedState& state, int rounds, std::vector<double> next_lead);
  // Puts scales back as they were before the sweep. The bases and `own` of the state must already be from before it.
  Vector undo(ShardedState& state, const std::vector<char>& chosen, std::vector<double> next_lead);
  // Asks for the sums and borders of a state that the shards hold.
  void ask_sums(const ShardedState& state);
  // How far each scale is from stationary, as a share of |X|^2.
  Vector residuals(const ShardedState& state);

  double squared_norm() const { return squared_norm_; }
  double nonzeros() const { return nonzeros_; }
  // Movement of the embedding of each scale since the current convergence window began.
  const std::vector<double>& movement() const { return movement_; }
  // Products of the embeddings from which the next sweep begins. XHt: rank x features
  std::vector<Matrix> XHt, HHt;

 private:
  ShardRequest request(ShardTask task, const ShardedState& state) const;
  void take_data(const std::vector<ShardAnswer>& answers);
  void take_sums(const std::vector<ShardAnswer>& answers, const std::vector<Index>& scales);
  void take_movement(const std::vector<ShardAnswer>& answers);
  std::vector<double> own_parts(const std::vector<ShardAnswer>& answers);
  Vector by_scale(const ShardedState& state, const std::vector<ShardAnswer>& answers) const;

  const Borders& borders_;
  const FitOptions& options_;
  ShardWorkers& workers_;
  Executor& executor_;
  Index T_;
  double squared_norm_ = 0, nonzeros_ = 0;
  Borders::Values now_, before_;  // now, and before the last sweep
  std::vector<double> movement_;
};

}  // namespace pnmf
