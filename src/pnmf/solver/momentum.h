#pragma once

#include "pnmf/state/fit_state.h"

namespace pnmf {

// Embeddings are extrapolated between sweeps,  H + step (H - last H), after Ang and Gillis (2019): the factor of a scale
// grows up to a limit; a sweep that raised the objective is undone, lowers the limit to the factor that failed and
// shrinks the factor, and the next sweep of the scale begins without extrapolation.

// Whether the next sweep begins without extrapolation.
bool without_momentum(const std::vector<Momentum>& momentum);

// Steps of the sweep after the next one, if this is undone for these scales.
std::vector<double> next_steps(const std::vector<Momentum>& momentum, const std::vector<char>& undone);

// Sets the steps of the next sweep and adapts the factors.
void adapt_momentum(std::vector<Momentum>& momentum, const std::vector<char>& undone);

}  // namespace pnmf
