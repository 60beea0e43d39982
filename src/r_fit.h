#pragma once

#include <Rcpp.h>

#include <functional>

#include "pnmf/solver/fit.h"
#include "r_checkpoint_file.h"

// What the exports of fits on threads and in shards have in common.

pnmf::FitOptions as_fit_options(const Rcpp::List& options);

// Reports every sweep to an R function(sweep, objective), which returns FALSE to stop; writes checkpoints.
class RMonitor : public pnmf::Monitor {
 public:
  // checkpoint: NULL or list(file, every, labels)
  RMonitor(Rcpp::Function on_sweep, SEXP checkpoint);
  bool on_sweep(int sweep, double objective, const pnmf::Path&) override;
  void on_state(const pnmf::SolverView& state, bool last) override;

 private:
  Rcpp::Function on_sweep_;
  std::unique_ptr<CheckpointFile> file_;
};

// Empties the factors of the fit.
Rcpp::List wrap_fit(pnmf::FitResult& fit, bool keep_basis);

// Errors of class "pnmf_unwritten_checkpoint", "pnmf_failed_workers" and "pnmf_unusable_checkpoint" say what kept a
// checkpoint from being written, workers from answering and the start from being used.
Rcpp::List with_classed_errors(const std::function<Rcpp::List()>& fit);
