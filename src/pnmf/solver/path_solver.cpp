#include "pnmf/solver/path_solver.h"

#include <stdexcept>

#include "pnmf/solver/hals.h"
#include "pnmf/solver/multiplicative.h"

namespace pnmf {

Solver as_solver(const std::string& name) {
  if (name == "hals") return Solver::hals;
  if (name == "mu") return Solver::mu;
  if (name == "authors") return Solver::authors;
  throw std::invalid_argument("unknown solver " + name);
}

FitResult fit_path(const DataMatrix& data, const ScaleGraphs& graphs, FitState start, Solver solver, FitOptions options,
                   Executor& executor, Monitor& monitor) {
  switch (solver) {
    case Solver::mu:
      return fit_multiplicative(data, graphs, std::move(start), options, executor, monitor);
    case Solver::authors:
      return fit_authors(data, graphs, std::move(start), options, executor, monitor);
    case Solver::hals:
      break;
  }
  return fit_hals(data, graphs, std::move(start), std::move(options), executor, monitor);
}

}  // namespace pnmf
