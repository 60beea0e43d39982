#pragma once

#include <algorithm>
#include <vector>

#include "pnmf/base/executor.h"

namespace pnmf {

// How far the embedding of a scale is extrapolated between sweeps,  H + factor (H - last H), after Ang and Gillis
// (2019): the factor grows up to a limit; a sweep that raised the objective is undone, lowers the limit to the factor
// that failed and shrinks the factor. The next sweep then starts without extrapolation.
struct Momentum {
  double factor = 0.5, limit = 1;
  bool rests = true;  // the next sweep starts without extrapolation
  void accept() {
    rests = false;
    factor = std::min(limit, 1.05 * factor);
    limit = std::min(1.0, 1.01 * limit);
  }
  void reject() {
    rests = true;
    limit = std::max(factor, 0.05);
    factor = std::max(factor / 1.5, 0.01);
  }
};

bool all_rest(const std::vector<Momentum>& momentum);

// ahead <- H + factor (H - ahead), not below 0, where ahead holds the embeddings of the sweep before; H itself for
// scales whose sweep was undone.
void extrapolate(const std::vector<Matrix>& H, const std::vector<Momentum>& momentum, const std::vector<char>& undone,
                 std::vector<Matrix>& ahead, Executor& executor);

// Accepts or rejects every scale's last extrapolation.
void learn(std::vector<Momentum>& momentum, const std::vector<char>& rejected);

}  // namespace pnmf
