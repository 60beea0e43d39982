#include "r_workers.h"

#include "pnmf/solver/hals.h"
#include "pnmf/solver/hals_settings.h"
#include "r_convert.h"
#include "r_executor.h"

namespace {

using pnmf::Index;
using Scales = std::vector<Index>;

// list(at = scales from 1, value = their matrices)
Rcpp::List wrap_part(const std::vector<pnmf::Matrix>& matrices, const Scales& scales) {
  Rcpp::List value(scales.size());
  Rcpp::IntegerVector at(scales.size());
  for (std::size_t k = 0; k < scales.size(); ++k) {
    at[k] = static_cast<int>(scales[k] + 1);
    value[k] = wrap_matrix(matrices[scales[k]]);
  }
  return Rcpp::List::create(Rcpp::Named("at") = at, Rcpp::Named("value") = value);
}

void take_part(SEXP x, std::vector<pnmf::Matrix>& matrices) {
  const Rcpp::List part(x), value(static_cast<SEXP>(part["value"]));
  const Rcpp::IntegerVector at(static_cast<SEXP>(part["at"]));
  for (R_xlen_t k = 0; k < at.size(); ++k) {
    matrices.at(at[k] - 1) = as_dense(Rcpp::NumericMatrix(static_cast<SEXP>(value[k])));
  }
}

// The scales whose basis is stored.
Scales leaders(const Scales& scales, bool shared_bases) {
  Scales chosen;
  for (Index t : scales) {
    if (!shared_bases || t % pnmf::scales_per_basis == 0) chosen.push_back(t);
  }
  return chosen;
}

Rcpp::List wrap_unit(const pnmf::ScaleStates& states, const Scales& scales, const Scales& Wt, const Scales& products) {
  Rcpp::IntegerVector from_one(scales.begin(), scales.end());
  return Rcpp::List::create(Rcpp::Named("scales") = from_one + 1, Rcpp::Named("Wt") = wrap_part(states.path.Wt, Wt),
                            Rcpp::Named("H") = wrap_part(states.path.H, scales),
                            Rcpp::Named("WtX") = wrap_part(states.products.WtX, products),
                            Rcpp::Named("WtW") = wrap_part(states.products.WtW, products));
}

// The problem that a worker keeps. x owns the memory that data refers to.
struct WorkerProblem {
  WorkerProblem(SEXP x, const Rcpp::List& edges, std::vector<double> thresholds, double alpha, Index rank,
                const pnmf::FitOptions& options)
      : x(x), data(as_data(x)), graphs(pnmf::NestedGraph(data->cells(), as_edges(edges)), std::move(thresholds), alpha),
        settings(pnmf::hals_settings(*data, graphs, rank, options)) {}
  Rcpp::RObject x;
  std::unique_ptr<pnmf::DataMatrix> data;
  pnmf::ScaleGraphs graphs;
  pnmf::UpdateSettings settings;
};

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

std::vector<Scales> RWorkers::split(const Scales& chosen) const {
  const Index n = static_cast<Index>(chosen.size()), parts = std::min<Index>(units_, n);
  std::vector<Scales> units;
  for (Index k = 0; k < parts; ++k) {
    units.emplace_back(chosen.begin() + k * n / parts, chosen.begin() + (k + 1) * n / parts);
  }
  return units;
}

std::vector<Scales> RWorkers::split_bases(Index scales) const {
  const Index step = shared_bases_ ? pnmf::scales_per_basis : 1;
  Scales groups;
  for (Index t = 0; t < scales; t += step) groups.push_back(t);
  std::vector<Scales> units = split(groups);
  for (Scales& unit : units) {
    Scales whole;
    for (Index first : unit) {
      for (Index t = first; t < std::min(scales, first + step); ++t) whole.push_back(t);
    }
    unit = std::move(whole);
  }
  return units;
}

Rcpp::List RWorkers::run(const Rcpp::List& units) {
  const Rcpp::List answer(static_cast<SEXP>(run_(units)));
  if (answer.containsElementNamed("failed")) throw pnmf::UpdatesFailed(Rcpp::as<std::string>(answer["failed"]));
  return Rcpp::List(static_cast<SEXP>(answer["results"]));
}

void RWorkers::update_bases(pnmf::ScaleStates& states) {
  Rcpp::List units;
  for (const Scales& scales : split_bases(states.scales())) {
    units.push_back(wrap_unit(states, scales, leaders(scales, shared_bases_), shared_bases_ ? scales : Scales()));
  }
  const Rcpp::List results = run(units);
  for (R_xlen_t k = 0; k < results.size(); ++k) {
    const Rcpp::List result(static_cast<SEXP>(results[k]));
    take_part(result["Wt"], states.path.Wt);
    take_part(result["WtX"], states.products.WtX);
    take_part(result["WtW"], states.products.WtW);
  }
}

// [[Rcpp::export(rng = false)]]
SEXP worker_problem_cpp(SEXP x, Rcpp::List edges, Rcpp::NumericVector thresholds, double alpha, int rank,
                        Rcpp::List options) {
  return Rcpp::XPtr<WorkerProblem>(
      new WorkerProblem(x, edges, Rcpp::as<std::vector<double>>(thresholds), alpha, rank, as_fit_options(options)));
}

// The result of one unit of RWorkers.
// [[Rcpp::export(rng = false)]]
Rcpp::List update_bases_cpp(SEXP problem, Rcpp::List unit) {
  const Rcpp::XPtr<WorkerProblem> known(problem);
  RcppParallelExecutor executor(1);
  pnmf::LocalUpdates updates(*known->data, known->graphs, known->settings, executor);
  const Index T = known->graphs.scales();
  pnmf::ScaleStates states;
  states.path.Wt.resize(T);
  states.path.H.resize(T);
  states.products.WtX.resize(T);
  states.products.WtW.resize(T);
  take_part(unit["Wt"], states.path.Wt);
  take_part(unit["H"], states.path.H);
  take_part(unit["WtX"], states.products.WtX);
  take_part(unit["WtW"], states.products.WtW);
  const Rcpp::IntegerVector from_one(static_cast<SEXP>(unit["scales"]));
  Scales scales;
  for (int t : from_one) scales.push_back(t - 1);
  updates.update_bases(states, scales);
  return Rcpp::List::create(
      Rcpp::Named("Wt") = wrap_part(states.path.Wt, leaders(scales, known->settings.shared_bases)),
      Rcpp::Named("WtX") = wrap_part(states.products.WtX, scales),
      Rcpp::Named("WtW") = wrap_part(states.products.WtW, scales));
}
