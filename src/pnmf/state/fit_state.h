#pragma once

#include "pnmf/base/types.h"

namespace pnmf {

// One entry per block update: the whole objective right after it.
struct UpdateRecord {
  int outer;
  int scale;   // 0-based
  char block;  // 'W' or 'H'
  double objective;
};

// What a fit reports besides the factors.
struct FitRecord {
  std::vector<double> objective;  // after each sweep
  std::vector<double> residual;   // per scale; empty if not measured
  std::vector<int> steps;         // per scale
  std::vector<char> converged;    // per scale
  std::vector<UpdateRecord> updates;
};

// How far the embedding of a scale is extrapolated between sweeps, see momentum.h.
struct Momentum {
  double factor = 0.5, limit = 1;
  double step = 0;  // of the next sweep, which begins at H + step (H - last H)
};

// What a window of sweeps changed, or is predicted to change.
struct Change {
  std::vector<double> movement;  // of each scale's embedding, relative to its length
  double decrease = 0;           // of the objective, relative to it
};

// What is known of convergence, see convergence.h.
struct Windows {
  int begin = -1;        // sweeps done when the window began; -1: there are no windows
  double objective = 0;  // at that time
  std::vector<Change> last;
  Change prediction;
  int predicted_after = 0;  // this many sweeps; 0: never
};

// What a solver keeps between sweeps besides the factors.
struct Progress {
  int sweeps() const { return static_cast<int>(record.objective.size()); }
  FitRecord record;
  std::vector<double> own;         // what each scale adds to the objective, without the steps between scales
  std::vector<double> by_scale;    // hals: the same with its share of these steps
  std::vector<Momentum> momentum;  // hals: of each scale
  Windows windows;                 // hals
  double first_objective = 0;      // mu, authors: of the start
};

// What a holder of cells keeps between sweeps. One entry per scale: embeddings now, before the last sweep (empty before
// the first one) and when the convergence window began (empty without windows).
struct HeldState {
  std::vector<Matrix> H, before, snapshot;
  int version = 0, place = -1;  // in shards: of their states, and where these were stored last
};

// What a solver begins with: starting factors, or the state of an earlier run. In shards, the embeddings are elsewhere.
struct FitState {
  FitState() = default;
  FitState(Path start) : Wt(std::move(start.Wt)) { held.H = std::move(start.H); }
  char started = false;  // the start is made and some sweeps may be done
  Progress progress;
  std::vector<Matrix> Wt;
  HeldState held;
};

// The same of a running fit, without a copy.
struct FitStateView {
  char started;
  const Progress& progress;
  const std::vector<Matrix>& Wt;
  const HeldState& held;
  Index cells;
};

// The names of all parts, for an archive that writes or reads them. If you change them, raise archive_version.
template <class Archive, class Record>
void visit_record(Archive& archive, Record& record) {
  fields(archive, "objective", record.objective, "residual", record.residual, "steps", record.steps, "converged",
         record.converged, "updates", record.updates);
}

template <class Archive, class Held>
void visit_held(Archive& archive, Held& held) {
  fields(archive, "version", held.version, "place", held.place, "H", held.H, "before", held.before, "snapshot",
         held.snapshot);
}

template <class Archive, class State>
void visit_state(Archive& archive, State& state) {
  auto& progress = state.progress;
  archive("started", state.started);
  visit_record(archive, progress.record);
  fields(archive, "own", progress.own, "by_scale", progress.by_scale, "momentum", progress.momentum, "window_begin",
         progress.windows.begin, "window_objective", progress.windows.objective, "windows", progress.windows.last,
         "prediction", progress.windows.prediction, "predicted_after", progress.windows.predicted_after,
         "first_objective", progress.first_objective, "Wt", state.Wt);
  visit_held(archive, state.held);
}

template <class Archive>
void visit(Archive& archive, UpdateRecord& update) {
  fields(archive, "outer", update.outer, "scale", update.scale, "block", update.block, "objective", update.objective);
}

template <class Archive>
void visit(Archive& archive, Momentum& momentum) {
  fields(archive, "factor", momentum.factor, "limit", momentum.limit, "step", momentum.step);
}

template <class Archive>
void visit(Archive& archive, Change& change) {
  fields(archive, "movement", change.movement, "decrease", change.decrease);
}

}  // namespace pnmf
