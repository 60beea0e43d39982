#pragma once

#include "pnmf/graph/smoother.h"

namespace pnmf {

// How many cells a graph penalty still tells apart:  e(lambda) = tr(S^2),  S = (I + lambda L)^-1.
// One value for each lambda. Exact (eigenvalues of L) for few cells, otherwise an estimate by Lanczos quadrature with
// fixed probes (Ubaru, Chen and Saad 2017). Where e is small, the smoothest functions on the graph are found first and
// the probes only estimate what they leave (Hutch++, Meyer et al. 2021).
Vector effective_cells(const ScaleGraph& graph, const Vector& lambda, Executor& executor);

// Above this many cells, effective_cells() is an estimate.
constexpr Index max_cells_for_exact_trace = 200;

}  // namespace pnmf
