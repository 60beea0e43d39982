#pragma once

#include "pnmf/state/fit_state.h"

namespace pnmf {

// Convergence is a prediction of what the same number of sweeps again would change. Sweeps are grouped into windows,
// each a quarter as long as all sweeps before it, so that the last three windows are about half of all sweeps, and the
// next three would be about as many again. The movement of a scale in a window is |H - H at the start of the window| /
// |H|. The prediction continues that of the last window for three windows, by the largest of the last three ratios
// between a window and the one before it, but at least by 1. It can seem to rest for one window while it moves along a
// valley; it rarely does for three. If the last window moved it more than the one before, it may be about to leave a
// saddle, and the prediction is three times as large. The objective falls in jumps, so for its
// relative decrease that of the latest half is the prediction.

// The windows begin after this sweep.
void begin_window(Windows& windows, int sweep, double objective);

// Whether the window is long enough to end after this sweep.
bool ends_window(const Windows& windows, int sweep);

// Ends the window, predicts, and begins the next one. movement: of every scale's embedding since the window began.
void end_window(Windows& windows, int sweep, double objective, std::vector<double> movement);

// The scales that have converged after this sweep: the predicted movement is at most tol, and the predicted decrease at
// most tol / 3000. None if the prediction is from another sweep, or if tol is 0. A margin would make the prediction less
// sure, not more: twice as many sweeps are twice as many in which embeddings may leave a saddle.
std::vector<char> converged_scales(const Windows& windows, int sweep, double tol, Index scales);
bool all_converged(const Windows& windows, int sweep, double tol, Index scales);

}  // namespace pnmf
