#pragma once

#include <string>
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

// The products of a basis that its embedding needs, one entry per scale. WtX: rank x cells, WtW: rank x rank
struct Products {
  std::vector<Matrix> WtX, WtW;
};

// A fit with shared bases holds those of scales 0, 16, 32 ...; the others are empty.
constexpr Index scales_per_basis = 16;

// A solver's own numbers under their names.
using Numbers = std::vector<std::pair<std::string, std::vector<double>>>;

// The state of a solver after its start or a sweep: everything that it needs to continue as if it had never stopped.
// The factors are not copied.
struct SolverView {
  int sweep() const { return static_cast<int>(record.objective.size()); }
  const FitRecord& record;
  Numbers numbers;
  const Path& path;
  const std::vector<Matrix>* ahead = nullptr;     // the embeddings from which the next sweep begins, if different
  const std::vector<Matrix>* snapshot = nullptr;  // those of an earlier sweep, if the solver compares with them
  const Products* products = nullptr;             // given when bases are shared
  Index cells = 0;                                // of a path whose embeddings are in shards
};

// The same as values, and what a solver begins with: starting factors, or the state of an earlier run.
// If you change what a solver keeps, raise checkpoint_version, so that older files give an error.
struct SolverState {
  SolverState() = default;
  SolverState(Path start) : path(std::move(start)) {}
  bool started = false;  // the start is made and some sweeps may be done
  FitRecord record;
  Numbers numbers;
  Path path;
  std::vector<Matrix> ahead, snapshot;  // may be empty
  Products products;                    // may be empty
};

}  // namespace pnmf
