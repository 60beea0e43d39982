#pragma once

#include <Rcpp.h>

#include "pnmf/solver/fit.h"
#include "pnmf/solver/scale_updates.h"

pnmf::FitOptions as_fit_options(const Rcpp::List& options);

// Computes the bases of fit_hals through an R function(units). That function distributes the units over other processes
// and returns list(results = ) with the result of update_bases_cpp() for each, or list(failed = why). A unit holds the
// scales to update and the matrices that they need. The states only change when all results have arrived.
class RWorkers : public pnmf::ScaleUpdates {
 public:
  RWorkers(Rcpp::Function run, int units, bool shared_bases) : run_(run), units_(units), shared_bases_(shared_bases) {}
  void update_bases(pnmf::ScaleStates& states) override;

 private:
  using Scales = std::vector<pnmf::Index>;
  // Whole groups of scales that share a basis, one part per unit.
  std::vector<Scales> split_bases(pnmf::Index scales) const;
  std::vector<Scales> split(const Scales& chosen) const;
  Rcpp::List run(const Rcpp::List& units);

  Rcpp::Function run_;
  int units_;
  bool shared_bases_;
};
