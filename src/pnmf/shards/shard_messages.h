#pragma once

#include "pnmf/solver/cell_border.h"
#include "pnmf/solver/cells.h"

namespace pnmf {

// What the driver of a fit asks of every shard, see Cells.
//   start:    one step of the chain of starts at one scale
//   bases:    the terms of the starting embeddings
//   sweep:    embeddings of all scales for new bases
//   undo:     the embeddings of some scales before the last sweep
//   report:   sums and borders as they are
//   residual: how far from stationary
enum class ShardTask { start, bases, sweep, undo, report, residual };

struct ShardRequest {
  int task = static_cast<int>(ShardTask::report);
  int version = 0;          // of the state that the task begins with
  std::vector<int> scales;  // start: one; undo: some; otherwise all
  std::vector<Matrix> Wt;   // start (none: that of the step before), bases, sweep, residual: of these scales
  SweepOrder order;         // start: rounds; sweep, undo, report: next_step
  bool is(ShardTask asked) const { return task == static_cast<int>(asked); }
  // Whether the state changes. Its version then grows by one.
  bool changes_state() const { return !is(ShardTask::report) && !is(ShardTask::residual); }
};

struct ShardAnswer {
  std::vector<Sums> sums;        // of the scales of the request, with the embeddings of the next sweep
  BorderMatrices border;         // start: of one scale, with the border cells of the next coarser one; otherwise all
  BorderMatrices before;         // report: those before the last sweep
  PathTerms terms;               // bases, sweep, undo: without crossing edges
  std::vector<double> residual;  // of the embedding of each scale
  double gain = 0;               // start: of the first round
};

template <class Archive>
void visit(Archive& archive, SweepOrder& order) {
  fields(archive, "step", order.step, "next_step", order.next_step, "rounds", order.rounds, "begins_window",
         order.begins_window);
}

template <class Archive>
void visit(Archive& archive, ShardRequest& request) {
  fields(archive, "task", request.task, "version", request.version, "scales", request.scales, "Wt", request.Wt, "order",
         request.order);
}

template <class Archive>
void visit(Archive& archive, Sums& sums) {
  fields(archive, "XHt", sums.XHt, "HHt", sums.HHt);
}

template <class Archive>
void visit(Archive& archive, PathTerms& terms) {
  fields(archive, "own", terms.own, "step", terms.step, "moved", terms.moved, "length", terms.length);
}

template <class Archive>
void visit(Archive& archive, ShardAnswer& answer) {
  fields(archive, "sums", answer.sums, "border", answer.border, "before", answer.before, "terms", answer.terms,
         "residual", answer.residual, "gain", answer.gain);
}

// The processes that hold the shards.
class ShardWorkers {
 public:
  virtual ~ShardWorkers() = default;
  // The answers of all shards, in order. ghosts: of every shard, for the scales of the request.
  virtual std::vector<ShardAnswer> run(const ShardRequest& request, const std::vector<BorderMatrices>& ghosts) = 0;
  // Stores the states of this version, so that they can be found again under the number of the place, 0 or 1. Returns
  // only after all states are stored. The states at the other place do not change.
  virtual void save(int version, int place) = 0;
  // The embedding of a scale of all cells, in their order: rank x cells
  virtual Matrix collect(int version, Index t) = 0;
};

}  // namespace pnmf
