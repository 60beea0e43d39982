#include <Rcpp.h>

#include "pnmf/solver/hals_start.h"
#include "pnmf/solver/path_solver.h"
#include "r_convert.h"
#include "r_data.h"
#include "r_executor.h"
#include "r_fit.h"

namespace {

// One pair of factors for all scales, or one pair per scale, or a state. Embeddings may be those of a sample, with the
// cells of the sample that are near each cell. `used`: scales whose factors the solver reads.
pnmf::FitState as_start(SEXP x, pnmf::Index used) {
  if (TYPEOF(x) == EXTPTRSXP) return take_state(x);
  const Rcpp::List start(x);
  pnmf::Path path{as_bases(start["W"]), as_embeddings(start["H"])};
  if (start.containsElementNamed("near")) {
    const Rcpp::IntegerMatrix near(static_cast<SEXP>(start["near"]));
    const Eigen::MatrixXi cells = Eigen::Map<const Eigen::MatrixXi>(near.begin(), near.nrow(), near.ncol()).array() - 1;
    for (pnmf::Matrix& H : path.H) H = pnmf::mean_embedding(H, cells);
  }
  path.Wt.resize(used, pnmf::Matrix(path.Wt[0]));
  path.H.resize(used, pnmf::Matrix(path.H[0]));
  return path;
}

// The projection list(U, UtX) of a start, if it has one.
std::shared_ptr<const pnmf::DataMatrix> as_projected(SEXP x) {
  if (TYPEOF(x) == EXTPTRSXP || !Rcpp::List(x).containsElementNamed("projection")) return nullptr;
  return as_projection(Rcpp::List(x)["projection"]);
}

struct Start {
  pnmf::FitState state;
  std::shared_ptr<const pnmf::DataMatrix> chain_data;
};

// The core has copies; a function hands over factors that nobody else holds, so they are garbage afterwards.
Start take_start(SEXP x, pnmf::Index used) {
  const Rcpp::RObject given = TYPEOF(x) == CLOSXP ? Rcpp::Function(x)() : x;
  return {as_start(given, used), as_projected(given)};
}

// A function of its own, so that the list of edges is freed before the graphs are made.
pnmf::NestedGraph as_nested_graph(pnmf::Index cells, const Rcpp::List& edges) { return {cells, as_edges(edges)}; }

}  // namespace

// The fit on threads; see with_classed_errors() for its errors.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_path_cpp(SEXP x, Rcpp::List edges, Rcpp::NumericVector thresholds, double alpha, SEXP start,
                        std::string solver, Rcpp::List options, Rcpp::Function on_sweep, SEXP checkpoint) {
  RcppParallelExecutor executor(Rcpp::as<int>(options["threads"]));
  RMonitor monitor(on_sweep, checkpoint);
  const auto data = as_data(x);
  // If every pass reads the data from disk, recomputing the weights costs little in comparison.
  const pnmf::Index max_kept = data->streamed() ? 0 : pnmf::ScaleGraphs::default_max_kept;
  const pnmf::ScaleGraphs graphs(as_nested_graph(data->cells(), edges), Rcpp::as<std::vector<double>>(thresholds),
                                 alpha, max_kept);
  return with_classed_errors([&] {
    pnmf::FitOptions fit_options = as_fit_options(options);
    const pnmf::Solver chosen = pnmf::as_solver(solver);
    const bool chained = chosen == pnmf::Solver::hals && fit_options.chain_start;
    Start taken = take_start(start, chained ? 1 : graphs.scales());
    fit_options.chain_data = std::move(taken.chain_data);
    pnmf::FitResult fit =
        pnmf::fit_path(*data, graphs, std::move(taken.state), chosen, std::move(fit_options), executor, monitor);
    return wrap_fit(fit);
  });
}
