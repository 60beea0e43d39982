#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/solver/cell_border.h"
#include "pnmf/solver/cells.h"

namespace pnmf {

// The cells that one process holds: all cells of a fit, or those of a shard, which have a border with other shards.
// Arguments of the constructor must outlive it. start_data: what the chain of starts factorises; null for the data
class HeldCells {
 public:
  HeldCells(const DataMatrix& data, const ScaleGraphs& graphs, const Model& model, const CellBorder* border,
            std::shared_ptr<const DataMatrix> start_data)
      : data_(data), graphs_(graphs), model_(model), border_(border), start_data_(std::move(start_data)) {}

  Index scales() const { return graphs_.scales(); }
  Index cells() const { return data_.cells(); }
  void restore(HeldState state);
  const HeldState& state() const { return state_; }

  // See Cells. ghosts: of the scale or of all scales; empty without a border
  Sums start_sums(Index t, Executor& executor) const;
  double start_step(Index t, const Matrix* Wt, int rounds, const BorderMatrices& ghosts, Executor& executor);
  PathTerms take_bases(const std::vector<Matrix>& Wt, Executor& executor);
  void extrapolate(const SweepOrder& order, Executor& executor);
  PathTerms end_sweep(const std::vector<Matrix>& Wt, int rounds, const BorderMatrices& ghosts, UpdateLog* log,
                      Executor& executor);
  PathTerms refine(const std::vector<Matrix>& Wt, int rounds, Executor& executor);
  PathTerms undo(const std::vector<Index>& scales, Executor& executor);
  // Of the embeddings; their squares are not yet divided by |X|^2.
  std::vector<double> residuals(const std::vector<Matrix>& Wt, const BorderMatrices& ghosts, Executor& executor);
  // Of the embeddings as they are. Drops the products of the last bases.
  std::vector<Sums> sums(Executor& executor);
  // Of the embedding with which the next sweep begins.
  Sums next_sums(Index t, double next_step, Executor& executor) const;
  Matrix collect(Index t) { return std::move(state_.H[t]); }

 private:
  void find_missing_products(const std::vector<Matrix>& Wt, Executor& executor);
  std::vector<BorderPull> add_pulls(const BorderMatrices& ghosts);
  PathTerms terms(const std::vector<BorderPull>& pulls, Executor& executor) const;
  void add_changes(PathTerms& terms, Executor& executor) const;

  const DataMatrix& data_;
  const ScaleGraphs& graphs_;
  const Model& model_;
  const CellBorder* border_;
  std::shared_ptr<const DataMatrix> start_data_;
  HeldState state_;
  Products products_;  // of the last bases; empty where they are not known
};

// All cells of a fit in this process, on the threads of the executor.
class LocalCells : public Cells {
 public:
  LocalCells(const DataMatrix& data, const ScaleGraphs& graphs, const Model& model,
             std::shared_ptr<const DataMatrix> start_data, Executor& executor);
  ProblemSize size() const override { return size_; }
  Index scales() const override { return cells_.scales(); }
  void restore(HeldState state) override { cells_.restore(std::move(state)); }
  const HeldState& held() const override { return cells_.state(); }
  Sums start_sums(Index t) override { return cells_.start_sums(t, executor_); }
  double start_step(Index t, const Matrix* Wt, int rounds) override {
    return cells_.start_step(t, Wt, rounds, {}, executor_);
  }
  PathTerms take_bases(const std::vector<Matrix>& Wt) override { return cells_.take_bases(Wt, executor_); }
  std::vector<Sums> begin_sweep(const SweepOrder& order) override {
    cells_.extrapolate(order, executor_);
    return cells_.sums(executor_);
  }
  PathTerms end_sweep(const std::vector<Matrix>& Wt, const SweepOrder& order, UpdateLog* log) override;
  PathTerms undo(const std::vector<char>& chosen, const std::vector<double>& next_step) override;
  Vector residuals(const std::vector<Matrix>& Wt) override;
  Matrix collect(Index t) override { return cells_.collect(t); }

 private:
  HeldCells cells_;
  ProblemSize size_;
  Executor& executor_;
};

// Adds the residuals of the bases and divides by |X|^2.
Vector whole_residuals(const std::vector<Matrix>& Wt, const std::vector<Sums>& sums,
                       const std::vector<double>& of_embeddings, double squared_norm, Executor& executor);

// The scales for which the flag is set.
std::vector<Index> chosen_scales(const std::vector<char>& chosen);

}  // namespace pnmf
