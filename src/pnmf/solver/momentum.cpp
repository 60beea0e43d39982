#include "pnmf/solver/momentum.h"

#include "pnmf/kernels/kernels.h"

namespace pnmf {

bool all_rest(const std::vector<Momentum>& momentum) {
  return std::all_of(momentum.begin(), momentum.end(), [](const Momentum& m) { return m.rests; });
}

void extrapolate(const std::vector<Matrix>& H, const std::vector<Momentum>& momentum, const std::vector<char>& undone,
                 std::vector<Matrix>& ahead, Executor& executor) {
  run_items(executor, static_cast<Index>(H.size()), [&](Index t, Executor&) {
    if (undone[t]) {
      ahead[t] = H[t];
    } else {
      extrapolate_nonnegative(H[t].data(), momentum[t].factor, H[t].size(), ahead[t].data());
    }
  });
}

void learn(std::vector<Momentum>& momentum, const std::vector<char>& rejected) {
  for (std::size_t t = 0; t < momentum.size(); ++t) {
    if (rejected[t]) {
      momentum[t].reject();
    } else {
      momentum[t].accept();
    }
  }
}

}  // namespace pnmf
