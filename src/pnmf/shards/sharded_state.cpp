#include "pnmf/shards/sharded_state.h"

namespace pnmf {
namespace {

constexpr std::size_t own_numbers = 3;

bool has_shards(const Numbers& numbers) {
  return numbers.size() > own_numbers && numbers[0].first == "shards" && numbers[0].second.size() == 3;
}

}  // namespace

Numbers numbers_of(const ShardedState& state) {
  Numbers numbers{{"shards", {1.0 * state.version, 1.0 * state.place, 1.0 * state.snapshot}},
                  {"lead", state.lead},
                  {"own", state.own}};
  for (auto& named : numbers_of(state.hals)) numbers.push_back(std::move(named));
  return numbers;
}

ShardedState sharded_state(const Numbers& numbers, std::vector<Matrix> Wt) {
  const std::size_t T = Wt.size();
  if (!has_shards(numbers) || numbers[1].second.size() != T || numbers[2].second.size() != T) {
    throw CheckpointError("does not hold the state of this solver");
  }
  ShardedState state;
  state.hals = hals_state({numbers.begin() + own_numbers, numbers.end()}, static_cast<Index>(T));
  state.Wt = std::move(Wt);
  state.version = static_cast<int>(numbers[0].second[0]);
  state.place = static_cast<int>(numbers[0].second[1]);
  state.snapshot = numbers[0].second[2] != 0;
  state.lead = numbers[1].second;
  state.own = numbers[2].second;
  return state;
}

int stored_place(const Numbers& numbers) { return has_shards(numbers) ? static_cast<int>(numbers[0].second[1]) : -1; }

}  // namespace pnmf
