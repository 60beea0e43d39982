#pragma once

#include <utility>

#include "pnmf/base/types.h"

namespace pnmf {

// One entry per block update: the whole objective right after it.
struct UpdateRecord {
  int outer;
  int scale;   // 0-based
  char block;  // 'W' or 'H'
  double objective;
};

// What a fit reports besides the factors.
struct FitRecord {
  std::vector<double> objective;  // after each sweep
  std::vector<double> residual;   // per scale
  std::vector<int> steps;         // per scale
  std::vector<char> converged;    // per scale
  std::vector<UpdateRecord> updates;
};

// What an embedding needs to know of its basis, one entry per scale.   WtX: rank x cells, WtW: rank x rank
struct Products {
  std::vector<Matrix> WtX, WtW;
};

// A fit that does not hold all bases holds those of scales 0, 16, 32 ...; the others are empty.
constexpr Index scales_per_basis = 16;

// What a solver has in hand after its start or a sweep: all it needs to go on as if it had never stopped. The factors
// stay where they are.
struct SolverView {
  int sweep() const { return static_cast<int>(record.objective.size()); }
  const FitRecord& record;
  std::vector<double> memory;  // the solver's own numbers
  const Path& path;
  const std::vector<Matrix>* previous;  // the embeddings one sweep earlier, when the solver still needs them
  const Products* products;             // given when not all bases are held
  bool within_sweep = false;            // some half-sweeps of the next sweep are done
};

// The same as values, and what a solver begins with: starting factors, or the state of an earlier run.
// To change what a solver keeps in `memory`: raise checkpoint_version, so that older files are refused.
struct SolverState {
  SolverState() = default;
  SolverState(Path start) : path(std::move(start)) {}
  bool started = false;  // the start is made and some sweeps may be done
  FitRecord record;
  std::vector<double> memory;
  Path path;
  std::vector<Matrix> previous;  // may be empty
  Products products;             // may be empty
};

}  // namespace pnmf
