#pragma once

#include <Rcpp.h>

#include "pnmf/solver/fit.h"
#include "pnmf/solver/scale_updates.h"

pnmf::FitOptions as_fit_options(const Rcpp::List& options);

// The bases of fit_hals through an R function(units), which spreads the units over other processes and returns
// list(results = ) with what update_bases_cpp() made of each there, or list(failed = why). A unit holds the scales to
// update and those matrices that they need; the states change only when all results are there.
class RWorkers : public pnmf::ScaleUpdates {
 public:
  RWorkers(Rcpp::Function run, int units, bool shared_bases)
      : run_(run), units_(units), shared_bases_(shared_bases) {}
  void update_bases(pnmf::ScaleStates& states) override;

 private:
  using Scales = std::vector<pnmf::Index>;
  // Whole groups of scales that share a basis, in as many parts as there are units.
  std::vector<Scales> split_bases(pnmf::Index scales) const;
  std::vector<Scales> split(const Scales& chosen) const;
  Rcpp::List run(const Rcpp::List& units);

  Rcpp::Function run_;
  int units_;
  bool shared_bases_;
};
