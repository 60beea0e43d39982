#include "pnmf/solver/hals_state.h"

namespace pnmf {
namespace {

constexpr std::size_t own_numbers = 4;

}  // namespace

Numbers numbers_of(const HalsState& state) {
  std::vector<double> factor, limit, rests;
  for (const Momentum& momentum : state.momentum) {
    factor.push_back(momentum.factor);
    limit.push_back(momentum.limit);
    rests.push_back(momentum.rests);
  }
  Numbers numbers{{"objective", state.objective}, {"factor", factor}, {"limit", limit}, {"rests", rests}};
  for (auto& named : state.convergence.numbers()) numbers.push_back(named);
  return numbers;
}

HalsState hals_state(const Numbers& numbers, Index scales) {
  HalsState state;
  const std::size_t T = static_cast<std::size_t>(scales);
  bool known = numbers.size() > own_numbers && numbers[0].first == "objective";
  for (std::size_t k = 0; known && k < own_numbers; ++k) known = numbers[k].second.size() == T;
  known = known && state.convergence.restore({numbers.begin() + own_numbers, numbers.end()}, T);
  if (!known) throw CheckpointError("does not hold the state of this solver");
  state.objective = numbers[0].second;
  for (std::size_t t = 0; t < T; ++t) {
    state.momentum.push_back({numbers[1].second[t], numbers[2].second[t], numbers[3].second[t] != 0});
  }
  return state;
}

}  // namespace pnmf
