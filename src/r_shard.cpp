#include <Rcpp.h>

#include "pnmf/shards/shard_file.h"
#include "pnmf/state/atomic_file.h"
#include "pnmf/state/checkpoint.h"
#include "r_conditions.h"
#include "r_convert.h"
#include "r_fit.h"
#include "r_messages.h"

namespace {

using Numbers = std::vector<double>;
using HeldShard = Rcpp::XPtr<pnmf::StoredShard>;

void take_data(SEXP x, pnmf::ShardFile& file) {
  if (Rf_isS4(x)) {
    const SparseView view((Rcpp::S4(x)));
    file.features = view.dim[0];
    file.cells = view.dim[1];
    file.value = Rcpp::as<Numbers>(view.value);
    file.row = Rcpp::as<std::vector<int>>(view.row);
    file.start = Rcpp::as<std::vector<int>>(view.start);
  } else {
    const Rcpp::NumericMatrix dense(x);
    file.features = dense.nrow();
    file.cells = dense.ncol();
    file.value.assign(dense.begin(), dense.end());
  }
}

pnmf::ShardModel as_shard_model(const Rcpp::List& model, const Rcpp::List& options) {
  pnmf::ShardModel result;
  static_cast<pnmf::Model&>(result) = as_fit_options(options);
  result.rank = model["rank"];
  result.thresholds = Rcpp::as<Numbers>(model["thresholds"]);
  result.alpha = model["alpha"];
  result.unit = model["unit"];
  return result;
}

// An error of class "pnmf_unwritten_checkpoint" says why a file could not be written.
void write_file(const std::string& name, const std::function<void(pnmf::ByteSink&)>& content) {
  try {
    pnmf::AtomicFile target(name);
    content(target);
    target.commit();
  } catch (const pnmf::FileError& problem) {
    stop_with_class("pnmf_unwritten_checkpoint", problem.what());
  }
}

}  // namespace

// Writes what the process of a shard begins with. x: matrix or dgCMatrix; edges: from split_cells_cpp(), emptied;
// model: list(rank, thresholds, alpha, unit); options: those of the fit; H: starting embeddings; projection: NULL or
// list(U, UtX)
// [[Rcpp::export(rng = false)]]
void write_shard_cpp(std::string file, SEXP x, SEXP edges, Rcpp::List model, Rcpp::List options, Rcpp::List H,
                     SEXP projection) {
  pnmf::ShardFile shard;
  take_data(x, shard);
  shard.model = as_shard_model(model, options);
  shard.edges = std::move(*Rcpp::XPtr<pnmf::ShardEdges>(edges));
  shard.H = as_embeddings(H);
  if (!Rf_isNull(projection)) {
    const Rcpp::List parts(projection);
    shard.directions = as_dense(Rcpp::NumericMatrix(static_cast<SEXP>(parts["U"]))).transpose();
    shard.coordinates = as_dense(Rcpp::NumericMatrix(static_cast<SEXP>(parts["UtX"])));
  }
  write_file(file, [&](pnmf::ByteSink& sink) { pnmf::write_shard(shard, sink); });
}

// [[Rcpp::export(rng = false)]]
SEXP open_shard_cpp(std::string file) {
  try {
    pnmf::FileSource source(file);
    return HeldShard(new pnmf::StoredShard(pnmf::read_shard(source)));
  } catch (const pnmf::CheckpointError& problem) {
    Rcpp::stop("the file %s %s", file, problem.what());
  }
}

// Frees the shard at once.
// [[Rcpp::export(rng = false)]]
void close_shard_cpp(SEXP shard) { HeldShard(shard).release(); }

// [[Rcpp::export(rng = false)]]
int shard_version_cpp(SEXP shard) { return HeldShard(shard)->shard().version(); }

// Without the threads of RcppParallel, which do not survive a fork.
// [[Rcpp::export(rng = false)]]
Rcpp::RawVector answer_request_cpp(SEXP shard, Rcpp::RawVector request, Rcpp::RawVector ghosts) {
  pnmf::SerialExecutor executor;
  return wrap_message(HeldShard(shard)->shard().answer(as_message<pnmf::ShardRequest>(request),
                                                       as_message<pnmf::BorderMatrices>(ghosts), executor));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix shard_embedding_cpp(SEXP shard, int t) {
  return wrap_matrix(HeldShard(shard)->shard().state().H.at(t));
}

// [[Rcpp::export(rng = false)]]
void save_shard_cpp(SEXP shard, std::string file) {
  const pnmf::Shard& held = HeldShard(shard)->shard();
  write_file(file, [&](pnmf::ByteSink& sink) { pnmf::write_held(held.state(), held.version(), sink); });
}

// Restores the state of this version from a file. Returns whether the file holds it.
// [[Rcpp::export(rng = false)]]
bool restore_shard_cpp(SEXP shard, std::string file, int version) {
  try {
    pnmf::FileSource source(file);
    return HeldShard(shard)->shard().restore(pnmf::read_held(source), version);
  } catch (const pnmf::CheckpointError&) {
    return false;
  }
}
