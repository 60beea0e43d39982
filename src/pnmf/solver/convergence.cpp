#include "pnmf/solver/convergence.h"

#include <algorithm>
#include <cmath>

namespace pnmf {
namespace {

constexpr int min_window = 3;
constexpr std::size_t windows_per_group = 3;

// Largest relative decrease of the objective per relative movement of an embedding: 1e-5 with the default tolerance of
// 3%.
constexpr double decrease_per_movement = 1.0 / 3000;

// An embedding that speeds up may be about to leave a saddle, and then moves several times as far as its speed tells.
constexpr double times_if_faster = 3;

// What the next windows, as many as in a group, are predicted to move. movement: of all windows, oldest first
double continued(const std::vector<double>& movement) {
  double ratio = 1;
  for (std::size_t k = movement.size() - windows_per_group; k < movement.size(); ++k) {
    if (movement[k - 1] > 0) ratio = std::max(ratio, movement[k] / movement[k - 1]);
  }
  double next = movement.back(), sum = 0;
  for (std::size_t k = 0; k < windows_per_group; ++k) sum += next *= ratio;
  const bool faster = movement.back() > movement[movement.size() - 2];
  return faster ? times_if_faster * sum : sum;
}

Change predicted(const std::vector<Change>& windows) {
  Change prediction;
  for (std::size_t k = windows_per_group; k < windows.size(); ++k) prediction.decrease += windows[k].decrease;
  for (std::size_t t = 0; t < windows[0].movement.size(); ++t) {
    std::vector<double> movement;
    for (const Change& window : windows) movement.push_back(window.movement[t]);
    prediction.movement.push_back(continued(movement));
  }
  return prediction;
}

}  // namespace

void begin_window(Windows& windows, int sweep, double objective) {
  windows.begin = sweep;
  windows.objective = objective;
}

bool ends_window(const Windows& windows, int sweep) {
  return windows.begin >= 0 && sweep - windows.begin >= std::max(min_window, windows.begin / 4);
}

void end_window(Windows& windows, int sweep, double objective, std::vector<double> movement) {
  const double decrease = objective > 0 ? std::max(0.0, windows.objective - objective) / objective : 0.0;
  windows.last.push_back({std::move(movement), decrease});
  begin_window(windows, sweep, objective);
  if (windows.last.size() < 2 * windows_per_group) return;
  if (windows.last.size() > 2 * windows_per_group) windows.last.erase(windows.last.begin());
  windows.prediction = predicted(windows.last);
  windows.predicted_after = sweep;
}

std::vector<char> converged_scales(const Windows& windows, int sweep, double tol, Index scales) {
  std::vector<char> converged(scales, 0);
  const Change& prediction = windows.prediction;
  const bool settled =
      tol > 0 && sweep > 0 && windows.predicted_after == sweep && prediction.decrease <= decrease_per_movement * tol;
  for (Index t = 0; settled && t < scales; ++t) converged[t] = prediction.movement[t] <= tol;
  return converged;
}

bool all_converged(const Windows& windows, int sweep, double tol, Index scales) {
  const std::vector<char> each = converged_scales(windows, sweep, tol, scales);
  return std::all_of(each.begin(), each.end(), [](char scale) { return scale; });
}

}  // namespace pnmf
