#pragma once

#include "objective.h"
#include "types.h"

namespace pnmf {

struct FitOptions {
  Penalties penalties;
  int max_outer = 200;      // sweeps over all scales
  int max_inner = 10;       // steps per visit of a scale
  double tol = 1e-4;        // 0 runs exactly max_outer sweeps (and, for the multiplicative solvers, max_inner steps)
  bool record = false;      // keep the objective after every single update
  bool chain_start = true;  // hals: solve the finest scale first and start each scale from the finer one
  bool extrapolate = true;  // hals
};

// One entry per block update: the whole objective right after it.
struct UpdateRecord {
  int outer;
  int scale;  // 0-based
  char block;  // 'W' or 'H'
  double objective;
};

struct FitResult {
  Path path;
  std::vector<double> objective;  // after each sweep
  std::vector<double> residual;   // per scale
  std::vector<int> steps;         // per scale
  std::vector<char> converged;    // per scale
  std::vector<UpdateRecord> updates;
  bool stopped = false;  // the monitor asked to stop
};

// Hears of every sweep, on the thread that called the solver.
class Monitor {
 public:
  virtual ~Monitor() = default;
  // Returns false to stop after this sweep.
  virtual bool sweep_done(int, double, const Path&) { return true; }
};

}  // namespace pnmf
