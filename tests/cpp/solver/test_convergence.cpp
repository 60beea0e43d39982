#include "pnmf/solver/convergence.h"

#include "check.h"

using namespace pnmf;

namespace {

// Windows with these movements of one scale and decreases of the objective, which ends at 1.
Windows observed(const std::vector<double>& movement, const std::vector<double>& decrease) {
  double objective = 1;
  for (double step : decrease) objective += step;
  Windows windows;
  begin_window(windows, 0, objective);
  for (std::size_t k = 0; k < movement.size(); ++k) {
    objective -= decrease[k];
    end_window(windows, static_cast<int>(3 * (k + 1)), objective, {movement[k]});
  }
  return windows;
}

double predicted_movement(const std::vector<double>& movement) {
  return observed(movement, std::vector<double>(movement.size(), 0.0)).prediction.movement.at(0);
}

}  // namespace

TEST("movement continues by the largest of the last three ratios between windows, and never slows down") {
  // Ratios 1.1, 0.9, 0.5.
  CHECK_NEAR(predicted_movement({0.8, 0.4, 0.2, 0.22, 0.198, 0.099}), 0.099 * (1.1 + 1.21 + 1.331), 1e-15);
  // An older ratio does not count.
  CHECK_NEAR(predicted_movement({0.1, 0.1, 0.11, 0.055, 0.03, 0.01}), 0.01 * 3, 1e-15);
}

TEST("movement that grows goes on growing, unless it began from rest, and may leave a saddle: three times as much") {
  CHECK_NEAR(predicted_movement({0.1, 0.1, 0.1, 0.01, 0.02, 0.03}), 3 * 0.03 * (2 + 4 + 8), 1e-15);
  CHECK_NEAR(predicted_movement({0.1, 0.1, 0.1, 0.0, 0.0, 0.03}), 3 * 0.03 * 3, 1e-15);
  // It grew before the last window only.
  CHECK_NEAR(predicted_movement({0.1, 0.1, 0.1, 0.01, 0.02, 0.02}), 0.02 * (2 + 4 + 8), 1e-15);
}

TEST("an embedding that rests is predicted to rest") {
  CHECK(predicted_movement({0.1, 0.1, 0.1, 0.1, 0.1, 0.0}) == 0);
  CHECK(predicted_movement({0, 0, 0, 0, 0, 0}) == 0);
}

TEST("a scale has converged if the predicted movement is at most tol and the objective hardly fell") {
  const std::vector<double> halving{0.32, 0.16, 0.08, 0.04, 0.02, 0.01};  // predicts 0.03
  const std::vector<double> still(6, 0.0), falling(6, 1.2e-5);
  CHECK(all_converged(observed(halving, still), 18, 0.031, 1));
  CHECK(!all_converged(observed(halving, still), 18, 0.029, 1));
  CHECK(!all_converged(observed(halving, falling), 18, 0.1, 1));
  CHECK(all_converged(observed(halving, falling), 18, 0.11, 1));
  // Another sweep than that of the prediction, or no tolerance.
  CHECK(!all_converged(observed(halving, still), 19, 0.091, 1));
  CHECK(!all_converged(observed(halving, still), 18, 0, 1));
}

TEST("windows are a quarter of all sweeps before them, and there is no prediction before the sixth") {
  Windows windows;
  CHECK(!ends_window(windows, 3));
  begin_window(windows, 20, 1);
  CHECK(!ends_window(windows, 24));
  CHECK(ends_window(windows, 25));
  CHECK(observed({0.1, 0.1, 0.1, 0.1, 0.1}, std::vector<double>(5, 0.0)).prediction.movement.empty());
}
