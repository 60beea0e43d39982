#pragma once

#include "pnmf/graph/smoother.h"

namespace pnmf {

struct TraceSettings {
  bool rough = false;                 // fewer probes: errors of 10%
  double least = 0;                   // smaller values need not be right
  Index max_cells_in_double = 10000;  // more cells: in single precision, with errors below 1%
};

// How many cells a graph penalty still tells apart:  e(lambda) = tr(S^2),  S = (I + lambda L)^-1.
// Exact (eigenvalues of L) for few cells, otherwise an estimate by Lanczos quadrature with fixed probes (Ubaru, Chen and
// Saad 2017). Where e is small, the smoothest functions on the graph are found first and the probes only estimate what
// they leave (Hutch++, Meyer et al. 2021). Those of the first graph serve the others, so coarse graphs should come first.
// Of many cells, the components of the graph are counted, so that the probes need not estimate their number.
class EffectiveCells {
 public:
  // smoothest: those of another graph of these cells, or empty
  EffectiveCells(Matrix smoothest, Executor& executor) : smoothest_(std::move(smoothest)), executor_(executor) {}
  // One value for each lambda.
  Vector at(const ScaleGraph& graph, const Vector& lambda, const TraceSettings& settings = {});
  const Matrix& smoothest() const { return smoothest_; }

 private:
  Vector with_single_precision(const ScaleGraph& graph, const Vector& lambda, const TraceSettings& settings);
  Vector in_double(const ScaleGraph& graph, const Vector& lambda, const TraceSettings& settings);
  Vector in_single(const ScaleGraph& graph, const Vector& lambda, const TraceSettings& settings);
  template <typename Scalar>
  Vector deflated(const ScaleGraph& graph, const Vector& lambda, const Vector& guess, const TraceSettings& settings);
  template <typename Scalar>
  void find_smoothest(const ScaleGraph& graph, double lambda, double trace);

  Matrix smoothest_;  // functions x cells
  // Cells by their degree in the first graph: probes move with the cells if these are permuted.
  std::vector<int> order_;
  Executor& executor_;
};

// Above this many cells, EffectiveCells is an estimate.
constexpr Index max_cells_for_exact_trace = 200;

}  // namespace pnmf
