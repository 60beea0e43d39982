#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/graph/scale_graph.h"

namespace pnmf {

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

// The loss of fit_gnmf with |w_j| <= 1 as a constraint, by the monotone solver; columns of W have unit length at the
// end. A step is one sweep; tol is that of fit_hals().
GnmfRecord fit_gnmf_hals(const DataMatrix& data, const ScaleGraph& graph, Matrix& Wt, Matrix& H,
                         const GnmfOptions& options, Executor& executor);

// The released code compares the loss it starts from with this, and takes no step should they agree.
constexpr double released_first_loss = 1e9;

// Whether the loss changed by at most this share of itself; never with tol = 0.
bool has_settled(double previous, double now, double tol);

}  // namespace pnmf
