#include "pnmf/shards/sharded_start.h"

#include <algorithm>

#include "pnmf/shards/all_shards.h"
#include "pnmf/solver/hals_start.h"
#include "pnmf/solver/hals_updates.h"

namespace pnmf {
namespace {

class Chain {
 public:
  Chain(Matrix Wt, Index scales, const FitOptions& options, const Borders& borders, ShardWorkers& workers, int& version)
      : Wt_(std::move(Wt)), T_(scales), options_(options), borders_(borders), workers_(workers), version_(version) {}

  std::vector<Matrix> run() {
    std::vector<Matrix> bases;
    const int basis_rounds = std::min(chain_basis_rounds, options_.max_inner);
    take(0, request(0));
    for (Index t = 0; t < T_; ++t) {
      if (t > 0) advance(t);
      double first_gain = 0;
      for (int step = 0; step < chain_steps(t, T_); ++step) {
        update_basis(Wt_, XHt_, HHt_, basis_rounds);
        const double gain = move_cells(t);
        if (step == 0) first_gain = gain;
        if (gain <= min_chain_gain * first_gain) break;
      }
      bases.push_back(Wt_);
    }
    return bases;
  }

 private:
  ShardRequest request(Index t) const {
    ShardRequest request;
    request.task = ShardTask::chain;
    request.scales = {t};
    return request;
  }

  // The embedding of the finer scale, moved while W is still that of the finer scale.
  void advance(Index t) {
    ShardRequest step = request(t);
    step.copy_finer = true;
    step.rounds = options_.max_inner;
    take(t, step);
  }

  double move_cells(Index t) {
    ShardRequest step = request(t);
    step.Wt = {Wt_};
    step.rounds = options_.max_inner;
    return take(t, step);
  }

  // Returns the gain.
  double take(Index t, ShardRequest step) {
    step.version = version_;
    std::vector<BorderMatrices> ghosts(borders_.shards());
    if (!values_.empty()) ghosts = borders_.ghosts(values_, {t});
    std::vector<ShardAnswer> answers = workers_.run(step, ghosts);
    ++version_;
    XHt_ = sum_of(answers, &ShardAnswer::XHt, 0);
    HHt_ = sum_of(answers, &ShardAnswer::HHt, 0);
    values_ = take_borders(answers, &ShardAnswer::border);
    return sum_of(answers, &ShardAnswer::gain);
  }

  Matrix Wt_, XHt_, HHt_;
  Index T_;
  const FitOptions& options_;
  const Borders& borders_;
  ShardWorkers& workers_;
  int& version_;
  Borders::Values values_;
};

}  // namespace

std::vector<Matrix> chain_shards(Matrix Wt, Index scales, const FitOptions& options, const Borders& borders,
                                 ShardWorkers& workers, int& version) {
  return Chain(std::move(Wt), scales, options, borders, workers, version).run();
}

}  // namespace pnmf
