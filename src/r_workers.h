#pragma once

#include <Rcpp.h>

#include "pnmf/solver/fit.h"
#include "pnmf/solver/scale_updates.h"

pnmf::FitOptions as_fit_options(const Rcpp::List& options);

// The updates of fit_hals through an R function(kind, units), which spreads the units over other processes and returns
// list(results = ) with what update_scales_cpp() made of each there, or list(failed = why). A unit holds the scales to
// update and those matrices that they need; the states change only when all results are there.
class RWorkers : public pnmf::ScaleUpdates {
 public:
  RWorkers(Rcpp::Function run, int units, bool all_bases) : run_(run), units_(units), all_bases_(all_bases) {}
  void update_bases(pnmf::ScaleStates& states) override;
  pnmf::Vector update_embeddings(pnmf::ScaleStates& states, pnmf::Index colour) override;
  pnmf::Vector residuals(const pnmf::ScaleStates& states) override;

 private:
  using Scales = std::vector<pnmf::Index>;
  // Whole groups of scales that share a basis, in as many parts as there are units.
  std::vector<Scales> split_bases(pnmf::Index scales) const;
  std::vector<Scales> split(const Scales& chosen) const;
  Rcpp::List run(const std::string& kind, const Rcpp::List& units);

  Rcpp::Function run_;
  int units_;
  bool all_bases_;
};
