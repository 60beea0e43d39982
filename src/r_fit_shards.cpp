#include <Rcpp.h>

#include "pnmf/graph/shard_edges.h"
#include "pnmf/shards/sharded_hals.h"
#include "pnmf/state/atomic_file.h"
#include "r_convert.h"
#include "r_executor.h"
#include "r_fit.h"
#include "r_shard_messages.h"

namespace {

using pnmf::Index;

// The shards behind an R function(what, message), which passes a message to the workers. It returns
// list(results = ), or list(lost = TRUE), list(failed = why) or list(unwritten = why).
class RShards : public pnmf::ShardWorkers {
 public:
  explicit RShards(Rcpp::Function call) : call_(call) {}
  std::vector<pnmf::ShardAnswer> run(const pnmf::ShardRequest& request,
                                     const std::vector<pnmf::BorderMatrices>& ghosts) override {
    Rcpp::List of_shards(ghosts.size());
    for (std::size_t s = 0; s < ghosts.size(); ++s) of_shards[s] = wrap_borders(ghosts[s]);
    const Rcpp::List results(call("answer", Rcpp::List::create(Rcpp::Named("version") = request.version,
                                                               Rcpp::Named("request") = wrap_request(request),
                                                               Rcpp::Named("ghosts") = of_shards)));
    std::vector<pnmf::ShardAnswer> answers;
    for (R_xlen_t s = 0; s < results.size(); ++s) answers.push_back(as_answer(results[s]));
    return answers;
  }
  void save(int version, int place) override {
    call("save", Rcpp::List::create(Rcpp::Named("version") = version, Rcpp::Named("place") = place));
  }
  pnmf::Matrix collect(int version, Index t) override {
    const SEXP H =
        call("collect", Rcpp::List::create(Rcpp::Named("version") = version, Rcpp::Named("t") = static_cast<int>(t)));
    return as_dense(Rcpp::NumericMatrix(H));
  }

 private:
  SEXP call(const char* what, const Rcpp::List& message) {
    const Rcpp::List answer(static_cast<SEXP>(call_(what, message)));
    if (answer.containsElementNamed("lost")) throw pnmf::StateLost("a worker was restarted");
    if (answer.containsElementNamed("failed")) throw pnmf::WorkersFailed(Rcpp::as<std::string>(answer["failed"]));
    if (answer.containsElementNamed("unwritten")) throw pnmf::FileError(Rcpp::as<std::string>(answer["unwritten"]));
    return answer["results"];
  }

  Rcpp::Function call_;
};

Rcpp::List wrap_shard_edges(const pnmf::ShardEdges& edges) {
  return Rcpp::List::create(Rcpp::Named("inner_i") = edges.inner.i, Rcpp::Named("inner_j") = edges.inner.j,
                            Rcpp::Named("inner_length") = edges.inner.length, Rcpp::Named("cell") = edges.crossing.cell,
                            Rcpp::Named("ghost") = edges.crossing.ghost,
                            Rcpp::Named("crossing_length") = edges.crossing.length);
}

// Bases of a start (W: features x rank), or a state from read_checkpoint_cpp(), which is emptied.
pnmf::SolverState as_bases(SEXP x) {
  if (TYPEOF(x) == EXTPTRSXP) return std::move(*Rcpp::XPtr<pnmf::SolverState>(x));
  const Rcpp::List W(x);
  pnmf::Path path;
  for (R_xlen_t t = 0; t < W.size(); ++t) {
    path.Wt.push_back(as_dense(Rcpp::NumericMatrix(static_cast<SEXP>(W[t]))).transpose());
  }
  return path;
}

}  // namespace

// The cells of every shard (from 1), the share of edges that cross, the edges of every shard (cells from 0), and the
// crossing edges for fit_shards_cpp().
// [[Rcpp::export(rng = false)]]
Rcpp::List split_cells_cpp(int cells, Rcpp::List edges, int shards) {
  const pnmf::EdgeList all = as_edges(edges);
  const pnmf::CellShards split = pnmf::split_cells(cells, all, shards);
  pnmf::SplitEdges parts = pnmf::split_edges(split, all);
  Rcpp::List of_shards(shards), edges_of(shards);
  for (int s = 0; s < shards; ++s) {
    of_shards[s] = Rcpp::IntegerVector(split.cells[s].begin(), split.cells[s].end()) + 1;
    edges_of[s] = wrap_shard_edges(parts.shards[s]);
  }
  return Rcpp::List::create(
      Rcpp::Named("cells") = of_shards, Rcpp::Named("crossing") = split.crossing, Rcpp::Named("edges") = edges_of,
      Rcpp::Named("borders") = Rcpp::XPtr<pnmf::BorderEdges>(new pnmf::BorderEdges(std::move(parts.borders))));
}

// The fit in shards; see with_classed_errors() for its errors.
//   size: features, cells, mean edges per scale; plan: see SavePlan; start: see as_bases(); call: see RShards
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_shards_cpp(SEXP borders, Rcpp::NumericVector size, std::vector<double> thresholds, double alpha,
                          double unit, SEXP start, Rcpp::List options, Rcpp::List plan, Rcpp::Function on_sweep,
                          SEXP checkpoint, Rcpp::Function call) {
  RcppParallelExecutor executor(Rcpp::as<int>(options["threads"]));
  RMonitor monitor(on_sweep, checkpoint);
  RShards workers(call);
  const pnmf::ShardedProblem problem{
      pnmf::Borders(std::move(*Rcpp::XPtr<pnmf::BorderEdges>(borders)), std::move(thresholds), alpha, unit),
      {size[0], size[1], 0, size[2]}};
  return with_classed_errors([&] {
    pnmf::FitResult fit = pnmf::fit_hals_sharded(problem, as_bases(start), as_fit_options(options),
                                                 {Rcpp::as<int>(plan["every"]), Rcpp::as<bool>(plan["at_ends"])},
                                                 workers, executor, monitor);
    return wrap_fit(fit, Rcpp::as<bool>(options["keep_basis"]));
  });
}

// Bytes of the numbers in a nested list.
// [[Rcpp::export(rng = false)]]
double payload_bytes_cpp(SEXP x) {
  switch (TYPEOF(x)) {
    case VECSXP: {
      double total = 0;
      for (R_xlen_t k = 0; k < Rf_xlength(x); ++k) total += payload_bytes_cpp(VECTOR_ELT(x, k));
      return total;
    }
    case REALSXP:
      return 8.0 * Rf_xlength(x);
    case INTSXP:
    case LGLSXP:
      return 4.0 * Rf_xlength(x);
    case RAWSXP:
      return 1.0 * Rf_xlength(x);
    default:
      return 0;
  }
}
