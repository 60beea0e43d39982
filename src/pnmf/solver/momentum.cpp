#include "pnmf/solver/momentum.h"

#include <algorithm>

namespace pnmf {

bool without_momentum(const std::vector<Momentum>& momentum) {
  return std::all_of(momentum.begin(), momentum.end(), [](const Momentum& m) { return m.step == 0; });
}

std::vector<double> next_steps(const std::vector<Momentum>& momentum, const std::vector<char>& undone) {
  std::vector<double> steps;
  for (std::size_t t = 0; t < momentum.size(); ++t) steps.push_back(undone[t] ? 0 : momentum[t].factor);
  return steps;
}

void adapt_momentum(std::vector<Momentum>& momentum, const std::vector<char>& undone) {
  const std::vector<double> steps = next_steps(momentum, undone);
  for (std::size_t t = 0; t < momentum.size(); ++t) {
    Momentum& m = momentum[t];
    m.step = steps[t];
    if (undone[t]) {
      m.limit = std::max(m.factor, 0.05);
      m.factor = std::max(m.factor / 1.5, 0.01);
    } else {
      m.factor = std::min(m.limit, 1.05 * m.factor);
      m.limit = std::min(1.0, 1.01 * m.limit);
    }
  }
}

}  // namespace pnmf
