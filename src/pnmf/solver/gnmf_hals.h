#pragma once

#include "pnmf/solver/gnmf_multiplicative.h"

namespace pnmf {

// The loss of fit_gnmf with |w_j| <= 1 as a constraint, by the monotone solver; columns of W have unit length at the
// end. A step is one sweep; tol is that of fit_hals().
GnmfRecord fit_gnmf_hals(const DataMatrix& data, const ScaleGraph& graph, Matrix& Wt, Matrix& H,
                         const GnmfOptions& options, Executor& executor);

}  // namespace pnmf
