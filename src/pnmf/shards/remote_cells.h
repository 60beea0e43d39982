#pragma once

#include "pnmf/shards/borders.h"
#include "pnmf/shards/shard_messages.h"

namespace pnmf {

// The cells of a fit in shards, which other processes hold. A sweep is one request: every shard receives the bases and
// the embeddings of the cells next to its own, and returns its sums, its part of the objective and the embeddings of its
// border cells. All sums are added in the order of the shards, so the result does not depend on which process holds
// which shard. The sums are those of the embeddings with which the next sweep begins if this sweep is not undone; only
// an undoing needs another request.
class RemoteCells : public Cells {
 public:
  RemoteCells(Borders borders, ProblemSize size, const Model& model, ShardWorkers& workers, Executor& executor)
      : borders_(std::move(borders)), size_(size), model_(model), workers_(workers), executor_(executor) {}

  ProblemSize size() const override { return size_; }
  Index scales() const override { return borders_.scales(); }
  void restore(HeldState state) override;
  const HeldState& held() const override { return state_; }
  void store() override;
  bool may_be_lost() const override { return true; }
  Sums start_sums(Index t) override;
  double start_step(Index t, const Matrix* Wt, int rounds) override;
  PathTerms take_bases(const std::vector<Matrix>& Wt) override;
  std::vector<Sums> begin_sweep(const SweepOrder& order) override;
  PathTerms end_sweep(const std::vector<Matrix>& Wt, const SweepOrder& order, UpdateLog* log) override;
  PathTerms undo(const std::vector<char>& chosen, const std::vector<double>& next_step) override;
  Vector residuals(const std::vector<Matrix>& Wt) override;
  Matrix collect(Index t) override { return workers_.collect(state_.version, t); }

 private:
  ShardRequest request(ShardTask task) const;
  std::vector<ShardAnswer> ask(const ShardRequest& request, const std::vector<BorderMatrices>& ghosts);
  void ask_report(const std::vector<double>& next_step);
  PathTerms terms_of(const std::vector<ShardAnswer>& answers) const;

  Borders borders_;
  const ProblemSize size_;
  const Model& model_;
  ShardWorkers& workers_;
  Executor& executor_;
  HeldState state_;               // version and place; the shards have the embeddings
  std::vector<Sums> sums_;        // of all scales, or of one in the chain of starts; empty: not known
  Borders::Values now_, before_;  // now, and before the last sweep
};

}  // namespace pnmf
