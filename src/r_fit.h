#pragma once

#include <Rcpp.h>

#include <functional>

#include "pnmf/solver/fit.h"
#include "pnmf/state/checkpoint.h"

// What the exports of fits on threads and in shards have in common.

pnmf::FitOptions as_fit_options(const Rcpp::List& options);

// Reports every sweep to an R function(sweep, objective), which returns FALSE to stop; writes checkpoints.
class RMonitor : public pnmf::Monitor {
 public:
  // checkpoint: NULL or list(file, every, labels); every: sweeps between states without a checkpoint, 0 for none
  RMonitor(Rcpp::Function on_sweep, SEXP checkpoint, int every = 0);
  bool on_sweep(int sweep, double objective) override;
  bool wants_state(int sweep, bool last) override;
  void on_state(const pnmf::FitStateView& state) override;

 private:
  Rcpp::Function on_sweep_;
  std::string file_;  // empty: none
  pnmf::RunLabels labels_;
  int every_, last_ = -1;
};

// Starting factors as matrices of the core (W: features x rank, transposed here; H: rank x cells).
std::vector<pnmf::Matrix> as_bases(const Rcpp::List& W);
std::vector<pnmf::Matrix> as_embeddings(const Rcpp::List& H);

// A state from read_checkpoint_cpp(), which is emptied.
pnmf::FitState take_state(SEXP state);

// Empties the factors of the fit.
Rcpp::List wrap_fit(pnmf::FitResult& fit);

// Errors of class "pnmf_unwritten_checkpoint", "pnmf_failed_workers" and "pnmf_unusable_checkpoint" say what kept a
// checkpoint from being written, workers from answering and the start from being used.
Rcpp::List with_classed_errors(const std::function<Rcpp::List()>& fit);
