#include <Rcpp.h>

#include "pnmf/solver/path_solver.h"
#include "pnmf/state/atomic_file.h"
#include "r_checkpoint_file.h"
#include "r_conditions.h"
#include "r_convert.h"
#include "r_executor.h"
#include "r_workers.h"

namespace {

// Reports every sweep to an R function(sweep, objective), which returns FALSE to stop; writes checkpoints.
class RMonitor : public pnmf::Monitor {
 public:
  RMonitor(Rcpp::Function on_sweep, std::unique_ptr<CheckpointFile> file)
      : on_sweep_(on_sweep), file_(std::move(file)) {}
  bool on_sweep(int sweep, double objective, const pnmf::Path&) override {
    return Rcpp::as<bool>(on_sweep_(sweep, objective));
  }
  void on_state(const pnmf::SolverView& state, bool last) override {
    if (file_) file_->on_state(state, last);
  }

 private:
  Rcpp::Function on_sweep_;
  std::unique_ptr<CheckpointFile> file_;
};

// NULL or list(file, every, labels)
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

// NULL, or list(run, units)
std::unique_ptr<RWorkers> as_workers(SEXP x, bool shared_bases) {
  if (Rf_isNull(x)) return nullptr;
  const Rcpp::List workers(x);
  return std::make_unique<RWorkers>(Rcpp::as<Rcpp::Function>(workers["run"]), Rcpp::as<int>(workers["units"]),
                                    shared_bases);
}

// One pair of factors for all scales, or one pair per scale (W: features x rank, H: rank x cells), or a state from
// read_checkpoint_cpp(), which is emptied. `used`: scales whose factors the solver reads.
pnmf::SolverState as_start(SEXP x, pnmf::Index used) {
  if (TYPEOF(x) == EXTPTRSXP) return std::move(*Rcpp::XPtr<pnmf::SolverState>(x));
  const Rcpp::List start(x);
  const Rcpp::List W(start["W"]), H(start["H"]);
  pnmf::Path path;
  for (pnmf::Index t = 0; t < used; ++t) {
    const R_xlen_t k = W.size() == 1 ? 0 : t;
    path.Wt.push_back(as_dense(Rcpp::NumericMatrix(static_cast<SEXP>(W[k]))).transpose());
    path.H.push_back(as_dense(Rcpp::NumericMatrix(static_cast<SEXP>(H[k]))));
  }
  return path;
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

}  // namespace

// The fit. Errors of class "pnmf_unwritten_checkpoint", "pnmf_failed_workers" and "pnmf_unusable_checkpoint" say what kept
// a checkpoint from being written, workers from answering and the start from being used.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_path_cpp(SEXP x, Rcpp::List edges, Rcpp::NumericVector thresholds, double alpha, SEXP start,
                        std::string solver, Rcpp::List options, Rcpp::Function on_sweep, SEXP checkpoint,
                        SEXP workers) {
  RcppParallelExecutor executor(Rcpp::as<int>(options["threads"]));
  RMonitor monitor(on_sweep, as_checkpoint_file(checkpoint));
  const auto data = as_data(x);
  // If every pass reads the data from disk, recomputing the weights costs little in comparison.
  const pnmf::Index max_kept = data->streamed() ? 0 : pnmf::ScaleGraphs::default_max_kept;
  const pnmf::ScaleGraphs graphs(pnmf::NestedGraph(data->cells(), as_edges(edges)),
                                 Rcpp::as<std::vector<double>>(thresholds), alpha, max_kept);
  try {
    const pnmf::FitOptions fit_options = as_fit_options(options);
    const pnmf::Solver chosen = pnmf::as_solver(solver);
    const auto remote_updates = as_workers(workers, fit_options.shared_bases);
    const bool chained = chosen == pnmf::Solver::hals && fit_options.chain_start;
    pnmf::FitResult fit = pnmf::fit_path(*data, graphs, as_start(start, chained ? 1 : graphs.scales()), chosen,
                                         fit_options, executor, monitor, remote_updates.get());
    return wrap_fit(fit, Rcpp::as<bool>(options["keep_basis"]));
  } catch (const pnmf::FileError& problem) {
    stop_with_class("pnmf_unwritten_checkpoint", problem.what());
  } catch (const pnmf::UpdatesFailed& problem) {
    stop_with_class("pnmf_failed_workers", problem.what());
  } catch (const pnmf::CheckpointError& problem) {
    stop_with_class("pnmf_unusable_checkpoint", problem.what());
  }
}
