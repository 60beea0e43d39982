#include "pnmf/solver/convergence.h"

#include <algorithm>
#include <cmath>

#include "pnmf/kernels/kernels.h"

namespace pnmf {
namespace {

constexpr int min_window = 3;
constexpr std::size_t windows_per_group = 3;

constexpr double prediction_margin = 2;
// Largest relative decrease of the objective per relative movement of an embedding: 1e-5 with the default tolerance of
// 3%.
constexpr double decrease_per_movement = 1.0 / 3000;

// Windows grow by a quarter, and so does the movement of an embedding that moves at a constant speed.
constexpr double constant_speed = 1.25;

// What the next windows, as many as in a group, are predicted to move. movement: of all windows, oldest first
double continued(const std::vector<double>& movement) {
  double slowest = 0;
  for (std::size_t k = movement.size() - windows_per_group; k < movement.size(); ++k) {
    if (movement[k] > 0) slowest = std::max(slowest, std::min(constant_speed, movement[k] / movement[k - 1]));
  }
  double next = movement.back(), sum = 0;
  for (std::size_t k = 0; k < windows_per_group; ++k) sum += next *= slowest;
  return sum;
}

}  // namespace

double relative_movement(double moved, double length) { return length > 0 ? std::sqrt(moved / length) : 0.0; }

std::vector<double> movement_since(const std::vector<Matrix>& since, const std::vector<Matrix>& H, Executor& executor) {
  std::vector<double> movement(H.size());
  run_items(executor, static_cast<Index>(H.size()), [&](Index t, Executor&) {
    movement[t] =
        relative_movement(squared_change(H[t].data(), since[t].data(), 1, H[t].size()), inner_product(H[t], H[t]));
  });
  return movement;
}

void Convergence::begin(int sweep, double objective) {
  begin_ = sweep;
  objective_ = objective;
}

bool Convergence::ends_window(int sweep) const {
  return started() && sweep - begin_ >= std::max(min_window, begin_ / 4);
}

void Convergence::observe(int sweep, double objective, std::vector<double> movement) {
  const double decrease = objective > 0 ? std::max(0.0, objective_ - objective) / objective : 0.0;
  windows_.push_back({std::move(movement), decrease});
  begin(sweep, objective);
  if (windows_.size() < 2 * windows_per_group) return;
  if (windows_.size() > 2 * windows_per_group) windows_.erase(windows_.begin());
  predict();
  predicted_after_ = sweep;
}

void Convergence::predict() {
  prediction_.decrease = 0;
  for (std::size_t k = windows_per_group; k < windows_.size(); ++k) prediction_.decrease += windows_[k].decrease;
  prediction_.movement.resize(windows_[0].movement.size());
  for (std::size_t t = 0; t < prediction_.movement.size(); ++t) {
    std::vector<double> movement;
    for (const Change& window : windows_) movement.push_back(window.movement[t]);
    prediction_.movement[t] = continued(movement);
  }
}

std::vector<char> Convergence::converged(int sweep, double tol, Index scales) const {
  std::vector<char> converged(scales, 0);
  const bool settled =
      tol > 0 && sweep > 0 && predicted_after_ == sweep && prediction_.decrease <= decrease_per_movement * tol;
  for (Index t = 0; settled && t < scales; ++t) converged[t] = prediction_.movement[t] <= tol / prediction_margin;
  return converged;
}

bool Convergence::all_converged(int sweep, double tol, Index scales) const {
  const std::vector<char> each = converged(sweep, tol, scales);
  return std::all_of(each.begin(), each.end(), [](char scale) { return scale; });
}

Numbers Convergence::numbers() const {
  Numbers numbers{{"window", {1.0 * begin_, objective_, 1.0 * predicted_after_}}};
  for (const Change& window : windows_) {
    numbers.push_back({"movement", window.movement});
    numbers.push_back({"decrease", {window.decrease}});
  }
  return numbers;
}

bool Convergence::restore(const Numbers& numbers, std::size_t scales) {
  if (numbers.size() % 2 != 1 || numbers.size() > 1 + 4 * windows_per_group || numbers[0].second.size() != 3)
    return false;
  for (std::size_t k = 1; k < numbers.size(); k += 2) {
    if (numbers[k].second.size() != scales || numbers[k + 1].second.size() != 1) return false;
    windows_.push_back({numbers[k].second, numbers[k + 1].second[0]});
  }
  begin_ = static_cast<int>(numbers[0].second[0]);
  objective_ = numbers[0].second[1];
  predicted_after_ = static_cast<int>(numbers[0].second[2]);
  if (predicted_after_ > 0 && windows_.size() < 2 * windows_per_group) return false;
  if (predicted_after_ > 0) predict();
  return true;
}

}  // namespace pnmf
