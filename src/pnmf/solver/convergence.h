#pragma once

#include "pnmf/base/executor.h"
#include "pnmf/state/solver_state.h"

namespace pnmf {

// Predicts what the same number of sweeps again would change. Sweeps are grouped into windows, each a quarter as long
// as all sweeps before it, so that the last three windows are about half of all sweeps, and the next three would be
// about as many again. The movement of a scale in a window is |H - H at the start of the window| / |H|. The prediction
// continues that of the last window for three windows, by the largest of the last three ratios between a window and
// the one before it. An embedding can seem to rest for one window while it moves along a valley; it rarely does for
// three. The objective falls in jumps, so for its relative decrease that of the latest half is the prediction.
class Convergence {
 public:
  struct Change {
    std::vector<double> movement;  // of each scale's embedding, relative to its length
    double decrease = 0;           // of the objective, relative to it
  };

  // The windows begin after this sweep.
  void begin(int sweep, double objective);
  bool started() const { return begin_ >= 0; }
  // Whether the window is long enough to end after this sweep.
  bool ends_window(int sweep) const;
  // Ends the window, predicts, and begins the next one. movement: of every scale's embedding since the window began.
  void observe(int sweep, double objective, std::vector<double> movement);
  // The last prediction, made after this many sweeps; 0 when there is none yet.
  const Change& prediction() const { return prediction_; }
  // The scales that have converged after this sweep: the predicted movement is at most tol / 2, because predictions can
  // be wrong by a factor of two, and the predicted decrease is at most tol / 3000. None if the prediction is from
  // another sweep, or if tol is 0.
  std::vector<char> converged(int sweep, double tol, Index scales) const;
  bool all_converged(int sweep, double tol, Index scales) const;

  Numbers numbers() const;
  // From the result of numbers() for this number of scales; returns false if the numbers do not fit.
  bool restore(const Numbers& numbers, std::size_t scales);

 private:
  void predict();

  int begin_ = -1;  // sweeps done when the window began
  double objective_ = 0;
  std::vector<Change> windows_;  // the last ones, oldest first
  Change prediction_;
  int predicted_after_ = 0;
};

// |H - since| / |H| from the squares of both lengths
double relative_movement(double moved, double length);

// The same for every scale.
std::vector<double> movement_since(const std::vector<Matrix>& since, const std::vector<Matrix>& H, Executor& executor);

}  // namespace pnmf
