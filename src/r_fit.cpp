#include "r_fit.h"

#include <fstream>

#include "pnmf/solver/hals.h"
#include "pnmf/state/atomic_file.h"
#include "r_conditions.h"
#include "r_convert.h"

namespace {

Rcpp::List wrap_updates(const std::vector<pnmf::UpdateRecord>& updates) {
  const R_xlen_t n = updates.size();
  Rcpp::IntegerVector outer(n), t(n);
  Rcpp::CharacterVector block(n);
  Rcpp::NumericVector objective(n);
  for (R_xlen_t k = 0; k < n; ++k) {
    outer[k] = updates[k].outer;
    t[k] = updates[k].scale + 1;
    block[k] = std::string(1, updates[k].block);
    objective[k] = updates[k].objective;
  }
  return Rcpp::List::create(Rcpp::Named("outer") = outer, Rcpp::Named("t") = t, Rcpp::Named("block") = block,
                            Rcpp::Named("objective") = objective);
}

}  // namespace

pnmf::FitOptions as_fit_options(const Rcpp::List& o) {
  pnmf::FitOptions options;
  options.penalties = {o["lambda_graph"], o["lambda_smooth"], o["lambda_anchor"]};
  options.weights = {o["weight"], o["gap"]};
  options.max_outer = o["max_outer"];
  options.max_inner = o["max_inner"];
  options.tol = o["tol"];
  options.record = o["record"];
  options.chain_start = o["chain_start"];
  options.start_sweeps = o["start_sweeps"];
  options.refining_sweeps = o["refining_sweeps"];
  options.extrapolate = o["extrapolate"];
  return options;
}

RMonitor::RMonitor(Rcpp::Function on_sweep, SEXP checkpoint, int every) : on_sweep_(on_sweep), every_(every) {
  if (Rf_isNull(checkpoint)) return;
  const Rcpp::List target(checkpoint);
  const Rcpp::CharacterVector texts(static_cast<SEXP>(target["labels"])), names(texts.names());
  for (R_xlen_t k = 0; k < texts.size(); ++k) {
    labels_.emplace_back(Rcpp::as<std::string>(names[k]), Rcpp::as<std::string>(texts[k]));
  }
  file_ = Rcpp::as<std::string>(target["file"]);
  every_ = Rcpp::as<int>(target["every"]);
}

bool RMonitor::on_sweep(int sweep, double objective) { return Rcpp::as<bool>(on_sweep_(sweep, objective)); }

// A checkpoint is also written after the start and at the end.
bool RMonitor::wants_state(int sweep, bool last) {
  const bool at_end = sweep == 0 || last;
  return sweep != last_ && ((at_end && !file_.empty()) || (!at_end && every_ > 0 && sweep % every_ == 0));
}

void RMonitor::on_state(const pnmf::FitStateView& state) {
  last_ = state.started ? state.progress.sweeps() : -1;
  // An earlier checkpoint stays until there is more than the beginning of a fit to replace it.
  if (file_.empty() || (!state.started && std::ifstream(file_).good())) return;
  pnmf::AtomicFile file(file_);
  pnmf::write_checkpoint(labels_, state, file);
  file.commit();
}

std::vector<pnmf::Matrix> as_bases(const Rcpp::List& W) {
  std::vector<pnmf::Matrix> bases;
  for (R_xlen_t t = 0; t < W.size(); ++t) {
    bases.push_back(as_dense(Rcpp::NumericMatrix(static_cast<SEXP>(W[t]))).transpose());
  }
  return bases;
}

std::vector<pnmf::Matrix> as_embeddings(const Rcpp::List& H) {
  std::vector<pnmf::Matrix> embeddings;
  for (R_xlen_t t = 0; t < H.size(); ++t) {
    embeddings.emplace_back(as_dense(Rcpp::NumericMatrix(static_cast<SEXP>(H[t]))));
  }
  return embeddings;
}

pnmf::FitState take_state(SEXP state) { return std::move(*Rcpp::XPtr<pnmf::FitState>(state)); }

Rcpp::List wrap_fit(pnmf::FitResult& fit) {
  const R_xlen_t T = fit.path.H.size();
  Rcpp::List W(T), H(T);
  for (R_xlen_t t = 0; t < T; ++t) {
    W[t] = wrap_transposed(fit.path.Wt[t]);
    H[t] = wrap_matrix(fit.path.H[t]);
    fit.path.Wt[t].resize(0, 0);
    fit.path.H[t].resize(0, 0);
  }
  return Rcpp::List::create(Rcpp::Named("W") = W, Rcpp::Named("H") = H, Rcpp::Named("objective") = fit.objective,
                            Rcpp::Named("residual") = fit.residual, Rcpp::Named("movement") = fit.movement,
                            Rcpp::Named("decrease") = fit.decrease, Rcpp::Named("steps") = fit.steps,
                            Rcpp::Named("converged") = Rcpp::LogicalVector(fit.converged.begin(), fit.converged.end()),
                            Rcpp::Named("stopped") = fit.stopped, Rcpp::Named("updates") = wrap_updates(fit.updates));
}

Rcpp::List with_classed_errors(const std::function<Rcpp::List()>& fit) {
  try {
    return fit();
  } catch (const pnmf::FileError& problem) {
    stop_with_class("pnmf_unwritten_checkpoint", problem.what());
  } catch (const pnmf::WorkersFailed& problem) {
    stop_with_class("pnmf_failed_workers", problem.what());
  } catch (const pnmf::CheckpointError& problem) {
    stop_with_class("pnmf_unusable_checkpoint", problem.what());
  }
}
