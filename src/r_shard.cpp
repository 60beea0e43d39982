#include <Rcpp.h>

#include "pnmf/data/projected_data.h"
#include "pnmf/shards/shard.h"
#include "pnmf/state/atomic_file.h"
#include "r_conditions.h"
#include "r_convert.h"
#include "r_data.h"
#include "r_shard_messages.h"

namespace {

using Numbers = std::vector<double>;

// What a worker holds of one shard. x owns the memory that the data refer to.
struct HeldShard {
  HeldShard(const Rcpp::RObject& x, pnmf::Index rank, pnmf::ShardEdges edges, pnmf::ShardModel model,
            std::vector<pnmf::Matrix> start, std::unique_ptr<pnmf::DataMatrix> chain_data)
      : x(x), rank(rank),
        shard(as_data(x), std::move(edges), std::move(model), std::move(start), std::move(chain_data)) {}
  Rcpp::RObject x;
  pnmf::Index rank;
  pnmf::Shard shard;
};

pnmf::EdgeList as_inner(const Rcpp::List& p) {
  return {Rcpp::as<std::vector<int>>(p["inner_i"]), Rcpp::as<std::vector<int>>(p["inner_j"]),
          Rcpp::as<Numbers>(p["inner_length"])};
}

pnmf::CrossingEdges as_crossing(const Rcpp::List& p) {
  return {Rcpp::as<std::vector<int>>(p["cell"]), Rcpp::as<std::vector<int>>(p["ghost"]),
          Rcpp::as<Numbers>(p["crossing_length"])};
}

// model: alpha, the three penalties, whether to measure movement, unit
pnmf::ShardModel as_model(const Rcpp::List& p) {
  const Numbers model = Rcpp::as<Numbers>(p["model"]);
  return {Rcpp::as<Numbers>(p["thresholds"]),
          model.at(0),
          {model.at(1), model.at(2), model.at(3)},
          {Rcpp::as<Numbers>(p["weight"]), Rcpp::as<Numbers>(p["gap"])},
          model.at(4) > 0,
          model.at(5)};
}

std::vector<pnmf::Matrix> as_embeddings(const Rcpp::NumericVector& H, pnmf::Index rank, pnmf::Index cells) {
  std::vector<pnmf::Matrix> embeddings;
  for (R_xlen_t at = 0; at < H.size(); at += rank * cells) {
    embeddings.emplace_back(pnmf::ConstMatrixMap(H.begin() + at, rank, cells));
  }
  return embeddings;
}

// directions x features and directions x cells; null if there are none
std::unique_ptr<pnmf::DataMatrix> as_projected(const Rcpp::List& p, pnmf::Index features, pnmf::Index cells) {
  const Rcpp::NumericVector directions(p["directions"]), coordinates(p["coordinates"]);
  if (directions.size() == 0) return nullptr;
  const pnmf::Index n = directions.size() / features;
  return pnmf::projected_data(
      {pnmf::ConstMatrixMap(directions.begin(), n, features), pnmf::ConstMatrixMap(coordinates.begin(), n, cells)});
}

}  // namespace

// A shard from the vectors of its file, see write_shards() in R. x: matrix or dgCMatrix
// [[Rcpp::export(rng = false)]]
SEXP open_shard_cpp(SEXP x, Rcpp::List numbers) {
  const pnmf::Index rank = Rcpp::as<int>(numbers["rank"]);
  const Rcpp::RObject held(x);
  const Rcpp::IntegerVector dim =
      Rf_isS4(x) ? Rcpp::IntegerVector(held.slot("Dim")) : Rcpp::IntegerVector(held.attr("dim"));
  return Rcpp::XPtr<HeldShard>(new HeldShard(held, rank, {as_inner(numbers), as_crossing(numbers)}, as_model(numbers),
                                             as_embeddings(numbers["H"], rank, dim[1]),
                                             as_projected(numbers, dim[0], dim[1])));
}

// Frees the embeddings at once. The data are R's, and freed when it next collects garbage.
// [[Rcpp::export(rng = false)]]
void close_shard_cpp(SEXP shard) { Rcpp::XPtr<HeldShard>(shard).release(); }

// [[Rcpp::export(rng = false)]]
int shard_version_cpp(SEXP shard) { return Rcpp::XPtr<HeldShard>(shard)->shard.state().version; }

// Without the threads of RcppParallel, which do not survive a fork.
// [[Rcpp::export(rng = false)]]
Rcpp::List answer_request_cpp(SEXP shard, Rcpp::List request, Rcpp::List ghosts) {
  pnmf::SerialExecutor executor;
  return wrap_answer(Rcpp::XPtr<HeldShard>(shard)->shard.answer(as_request(request), as_borders(ghosts), executor));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix shard_embedding_cpp(SEXP shard, int t) {
  return wrap_matrix(Rcpp::XPtr<HeldShard>(shard)->shard.state().H.at(t));
}

// Writes the state to a file. An error of class "pnmf_unwritten_checkpoint" says why it could not.
// [[Rcpp::export(rng = false)]]
void save_shard_cpp(SEXP shard, std::string file) {
  const pnmf::ShardState& state = Rcpp::XPtr<HeldShard>(shard)->shard.state();
  pnmf::Path path;
  path.H = state.H;
  const pnmf::FitRecord record;
  try {
    pnmf::AtomicFile target(file);
    pnmf::write_checkpoint({},
                           {record,
                            {{"version", {1.0 * state.version}}},
                            path,
                            &state.before,
                            state.snapshot.empty() ? nullptr : &state.snapshot,
                            nullptr},
                           target);
    target.commit();
  } catch (const pnmf::FileError& problem) {
    stop_with_class("pnmf_unwritten_checkpoint", problem.what());
  }
}

// Restores the state of this version from a file. Returns whether the file holds it.
// [[Rcpp::export(rng = false)]]
bool restore_shard_cpp(SEXP shard, std::string file, int version) {
  const Rcpp::XPtr<HeldShard> known(shard);
  pnmf::Shard& held = known->shard;
  try {
    pnmf::FileSource source(file);
    pnmf::Checkpoint found = pnmf::read_checkpoint(source);
    const pnmf::Numbers& numbers = found.state.numbers;
    std::vector<pnmf::Matrix>& H = found.state.path.H;
    const bool fits = numbers.size() == 1 && numbers[0].second == Numbers(1, version) && !found.state.ahead.empty() &&
                      H.size() == held.state().H.size() && H[0].rows() == known->rank && H[0].cols() == held.cells();
    if (!fits) return false;
    held.restore({version, std::move(H), std::move(found.state.ahead), std::move(found.state.snapshot)});
    return true;
  } catch (const pnmf::CheckpointError&) {
    return false;
  }
}
