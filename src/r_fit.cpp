#include "r_fit.h"

#include "pnmf/shards/shard_messages.h"
#include "pnmf/state/atomic_file.h"
#include "r_conditions.h"
#include "r_convert.h"

namespace {

std::unique_ptr<CheckpointFile> as_checkpoint_file(SEXP x) {
  if (Rf_isNull(x)) return nullptr;
  const Rcpp::List checkpoint(x);
  const Rcpp::CharacterVector texts(static_cast<SEXP>(checkpoint["labels"])), names(texts.names());
  pnmf::RunLabels labels;
  for (R_xlen_t k = 0; k < texts.size(); ++k) {
    labels.emplace_back(Rcpp::as<std::string>(names[k]), Rcpp::as<std::string>(texts[k]));
  }
  return std::make_unique<CheckpointFile>(Rcpp::as<std::string>(checkpoint["file"]), Rcpp::as<int>(checkpoint["every"]),
                                          std::move(labels));
}

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
  options.extrapolate = o["extrapolate"];
  options.shared_bases = o["shared_bases"];
  return options;
}

RMonitor::RMonitor(Rcpp::Function on_sweep, SEXP checkpoint)
    : on_sweep_(on_sweep), file_(as_checkpoint_file(checkpoint)) {}

bool RMonitor::on_sweep(int sweep, double objective, const pnmf::Path&) {
  return Rcpp::as<bool>(on_sweep_(sweep, objective));
}

void RMonitor::on_state(const pnmf::SolverView& state, bool last) {
  if (file_) file_->on_state(state, last);
}

Rcpp::List wrap_fit(pnmf::FitResult& fit, bool keep_basis) {
  const R_xlen_t T = fit.path.H.size();
  Rcpp::List W(keep_basis ? T : 0), H(T);
  for (R_xlen_t t = 0; t < T; ++t) {
    if (keep_basis) W[t] = wrap_transposed(fit.path.Wt[t]);
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
