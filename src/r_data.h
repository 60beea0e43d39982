#pragma once

#include <Rcpp.h>

#include <memory>

#include "pnmf/data/data_matrix.h"

// The data of a fit as the core sees them; what R holds must outlive the result.

// matrix, dgCMatrix or streamed_matrix()
std::unique_ptr<pnmf::DataMatrix> as_data(SEXP x);

// UU'X, from list(U, UtX)
std::unique_ptr<pnmf::DataMatrix> as_projection(const Rcpp::List& x);
