#pragma once

#include <stdexcept>

#include "pnmf/base/types.h"

namespace pnmf {

// Embeddings of border cells, in units of the data (ShardModel::unit): rank x cells, one entry per scale. Shards round
// these embeddings to single precision, so nothing is lost here.
using BorderMatrix = Eigen::MatrixXf;
using BorderMatrices = std::vector<BorderMatrix>;

// What the driver of a fit asks of every shard.
//   chain:    one step of the chain of starts at one scale
//   sweep:    embeddings of all scales for new bases
//   undo:     the embeddings of some scales before the last sweep
//   report:   sums and borders as they are
//   residual: how far from stationary
enum class ShardTask { chain, sweep, undo, report, residual };

struct ShardRequest {
  ShardTask task = ShardTask::report;
  int version = 0;                // of the state that the task begins with
  std::vector<Index> scales;      // chain: one; undo: some; otherwise all
  std::vector<Matrix> Wt;         // chain (none: those of the step before), sweep, residual: the bases of these scales
  std::vector<double> lead;       // sweep: begins at H + lead (H - H before), for every scale
  std::vector<double> next_lead;  // sweep, undo, report: the next sweep's lead, with which the sums are extrapolated
  int rounds = 0;                 // chain, sweep: over the embeddings, at most
  bool copy_finer = false;        // chain: begins with the embedding of the finer scale
  bool snapshot = false;          // sweep: first remember the embeddings, to measure movement from here on
};

// Whether the task changes the state, whose version then grows by one.
inline bool changes_state(ShardTask task) { return task != ShardTask::report && task != ShardTask::residual; }

struct ShardAnswer {
  std::vector<Matrix> XHt, HHt;  // of the scales of the request. XHt: rank x features
  BorderMatrices border;         // chain: of one scale, with the border cells of the next coarser one; sweep, report
  BorderMatrices before;         // report: those before the last sweep
  std::vector<double> own;       // sweep: what each scale adds to the objective without |X|^2, crossing edges and steps
  std::vector<double> step;      // sweep, undo: smooth |H_t - H_{t-1}|^2
  std::vector<double> moved, length;      // sweep, undo: |H - snapshot|^2 and |H|^2
  std::vector<double> residual;           // of the embedding of each scale
  double gain = 0;                        // chain: of the first round
  double squared_norm = 0, nonzeros = 0;  // of the data
};

// A failure after which the fit can be resumed.
struct WorkersFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A worker does not hold the state of the requested version, because it was restarted.
struct StateLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

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
