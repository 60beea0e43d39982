#pragma once

#include <memory>

#include "pnmf/base/types.h"
#include "pnmf/data/data_matrix.h"
#include "pnmf/solver/objective.h"
#include "pnmf/state/fit_state.h"

namespace pnmf {

struct FitOptions : Model {
  int max_outer = 200;      // sweeps over all scales
  int max_inner = 10;       // steps per visit of a scale
  double tol = 0;           // when to stop, see pnmf_control() in R; 0 runs exactly max_outer sweeps (max_inner steps)
  bool record = false;      // keep the objective after every single update; hals then makes no extrapolation
  bool chain_start = true;  // hals: solve the finest scale first and start each scale from the finer one
  int start_sweeps = 300;   // hals: at most as many over fewer scales, on the projection and on the data
  bool extrapolate = true;  // hals
  int refining_sweeps = 0;  // hals: the first ones after a start that needs few; no extrapolation, no windows
  std::shared_ptr<const DataMatrix> chain_data;  // hals: what the start factorises first; null for the data
};

struct FitResult : FitRecord {
  Path path;
  bool stopped = false;          // the monitor asked to stop
  std::vector<double> movement;  // hals: predicted for as many sweeps again, per scale; empty where unknown
  double decrease = 0;           // the same of the objective
};

// Is notified of every sweep, on the thread that called the solver.
class Monitor {
 public:
  virtual ~Monitor() = default;
  // Returns false to stop after this sweep.
  virtual bool on_sweep(int /* sweep */, double /* objective */) { return true; }
  // Whether on_state() shall be called: asked before a long start, after the start, after every sweep and at the end
  // (last).
  virtual bool wants_state(int /* sweep */, bool /* last */) { return true; }
  virtual void on_state(const FitStateView&) {}
};

}  // namespace pnmf
