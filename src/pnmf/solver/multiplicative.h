#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/graph/scale_graph.h"
#include "pnmf/solver/fit.h"

namespace pnmf {

// The paper's Algorithm 1: scales in sequence, H then W by Lin's modified multiplicative updates, no normalisation
// until the end, when the columns of W are made to sum to 1. The objective never rises at any update.
FitResult fit_multiplicative(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start,
                             const FitOptions& options, Executor& executor, Monitor& monitor);

// The released code's arithmetic: a coarse-to-fine chain of graph-regularised fits, then sweeps fine to coarse with
// W first, unit columns of W after every step. The objective is not monotone.
FitResult fit_authors(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start, const FitOptions& options,
                      Executor& executor, Monitor& monitor);

struct GnmfOptions {
  double lambda = 0;  // weight of tr(H L H'); 0 is plain NMF
  int max_steps = 1000;
  double tol = 1e-3;
};

struct GnmfRecord {
  double loss;
  int steps;
  bool converged;
};

// Graph-regularised NMF from the given factors, as the paper's comparison ran it: W then H multiplicatively, unit
// columns of W after every step, until the loss changes by at most tol.
GnmfRecord fit_gnmf(const DataMatrix& data, const ScaleGraph& graph, Matrix& Wt, Matrix& H, const GnmfOptions& options,
                    Executor& executor);

}  // namespace pnmf
