#include <Rcpp.h>

#include "pnmf/graph/shard_edges.h"
#include "pnmf/shards/remote_cells.h"
#include "pnmf/solver/hals.h"
#include "pnmf/state/atomic_file.h"
#include "r_convert.h"
#include "r_executor.h"
#include "r_fit.h"
#include "r_messages.h"

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
    for (std::size_t s = 0; s < ghosts.size(); ++s) of_shards[s] = wrap_message(ghosts[s]);
    const Rcpp::List results(call("answer", Rcpp::List::create(Rcpp::Named("version") = request.version,
                                                               Rcpp::Named("request") = wrap_message(request),
                                                               Rcpp::Named("ghosts") = of_shards)));
    std::vector<pnmf::ShardAnswer> answers;
    for (R_xlen_t s = 0; s < results.size(); ++s) answers.push_back(as_message<pnmf::ShardAnswer>(results[s]));
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

}  // namespace

// The cells of every shard (from 1), the share of edges that cross, the edges of every shard for write_shard_cpp(), and
// the crossing edges for fit_shards_cpp().
// [[Rcpp::export(rng = false)]]
Rcpp::List split_cells_cpp(int cells, Rcpp::List edges, int shards) {
  const pnmf::EdgeList all = as_edges(edges);
  const pnmf::CellShards split = pnmf::split_cells(cells, all, shards);
  pnmf::SplitEdges parts = pnmf::split_edges(split, all);
  Rcpp::List of_shards(shards), edges_of(shards);
  for (int s = 0; s < shards; ++s) {
    of_shards[s] = Rcpp::IntegerVector(split.cells[s].begin(), split.cells[s].end()) + 1;
    edges_of[s] = Rcpp::XPtr<pnmf::ShardEdges>(new pnmf::ShardEdges(std::move(parts.shards[s])));
  }
  return Rcpp::List::create(
      Rcpp::Named("cells") = of_shards, Rcpp::Named("crossing") = split.crossing, Rcpp::Named("edges") = edges_of,
      Rcpp::Named("borders") = Rcpp::XPtr<pnmf::BorderEdges>(new pnmf::BorderEdges(std::move(parts.borders))));
}

// Moves the lengths of the columns of W into the rows of H.
// [[Rcpp::export(rng = false)]]
Rcpp::List normalized_start_cpp(Rcpp::List W, Rcpp::List H) {
  std::vector<pnmf::Matrix> bases = as_bases(W), embeddings = as_embeddings(H);
  Rcpp::List new_W(bases.size()), new_H(bases.size());
  for (std::size_t t = 0; t < bases.size(); ++t) {
    pnmf::normalize_basis(bases[t], embeddings[t]);
    new_W[t] = wrap_transposed(bases[t]);
    new_H[t] = wrap_matrix(embeddings[t]);
  }
  return Rcpp::List::create(Rcpp::Named("W") = new_W, Rcpp::Named("H") = new_H);
}

// The fit in shards; see with_classed_errors() for its errors.
//   size: see ProblemSize; start: normalised bases, or a state; every: see RMonitor; call: see RShards
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_shards_cpp(SEXP borders, Rcpp::List size, std::vector<double> thresholds, double alpha, double unit,
                          SEXP start, Rcpp::List options, int every, Rcpp::Function on_sweep, SEXP checkpoint,
                          Rcpp::Function call) {
  RcppParallelExecutor executor(Rcpp::as<int>(options["threads"]));
  RMonitor monitor(on_sweep, checkpoint, every);
  RShards workers(call);
  const pnmf::FitOptions fit_options = as_fit_options(options);
  pnmf::Borders of_shards(std::move(*Rcpp::XPtr<pnmf::BorderEdges>(borders)), std::move(thresholds), alpha, unit);
  pnmf::RemoteCells cells(std::move(of_shards),
                          {size["features"], size["cells"], size["nonzeros"], size["squared_norm"], size["mean_edges"]},
                          fit_options, workers, executor);
  return with_classed_errors([&] {
    pnmf::FitState from = TYPEOF(start) == EXTPTRSXP ? take_state(start) : pnmf::Path{as_bases(start), {}};
    pnmf::FitResult fit = pnmf::fit_hals(cells, std::move(from), fit_options, executor, monitor);
    return wrap_fit(fit);
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
