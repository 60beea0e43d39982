#include "pnmf/shards/remote_cells.h"

#include "check.h"
#include "local_shards.h"
#include "pnmf/solver/hals.h"
#include "pnmf/solver/hals_updates.h"
#include "thread_executor.h"

namespace {

// Three groups of cells.
Problem grouped(unsigned seed, Index cells = 60, Index scales = 5) {
  Problem problem;
  Random random(seed);
  problem.X = random.sparse_matrix(30, cells, 0.5);
  for (Index i = 0; i < cells; ++i) problem.X.col(i).segment(10 * (i % 3), 10) *= 3;
  add_scales(problem, scales);
  problem.start = {{random.matrix(4, 30)}, {random.matrix(4, cells)}};
  pnmf::normalize_basis(problem.start.Wt[0], problem.start.H[0]);
  problem.options.penalties = {1, 1, 0.1};
  problem.options.max_outer = 30;
  return problem;
}

pnmf::FitResult threaded(const Problem& problem) {
  pnmf::SerialExecutor serial;
  pnmf::Monitor silent;
  const auto data = pnmf::dense_data(map_of(problem.X));
  return pnmf::fit_hals(*data, problem.graphs(), problem.start, problem.options, serial, silent);
}

// Wants a state every few sweeps, and at the ends.
struct Plan : pnmf::Monitor {
  Plan(int every, bool at_ends) : every(every), at_ends(at_ends) {}
  bool wants_state(int sweep, bool last) override {
    return sweep == 0 || last ? at_ends : every > 0 && sweep % every == 0;
  }
  int every;
  bool at_ends;
};

pnmf::FitResult sharded(const Problem& problem, LocalShards& shards, pnmf::FitState start, pnmf::Monitor& monitor) {
  pnmf::SerialExecutor serial;
  pnmf::RemoteCells cells = shards.remote(problem.options, serial);
  return pnmf::fit_hals(cells, std::move(start), problem.options, serial, monitor);
}

pnmf::FitResult sharded(const Problem& problem, LocalShards& shards, int every = 0, bool at_ends = false) {
  Plan plan(every, at_ends);
  return sharded(problem, shards, pnmf::Path{problem.start.Wt, {}}, plan);
}

bool same_path(const pnmf::FitResult& a, const pnmf::FitResult& b) {
  bool same = a.objective == b.objective && a.residual == b.residual && a.movement == b.movement;
  for (std::size_t t = 0; t < a.path.H.size(); ++t) {
    same = same && same_bits(a.path.H[t], b.path.H[t]) && same_bits(a.path.Wt[t], b.path.Wt[t]);
  }
  return same;
}

}  // namespace

TEST("shards: the objective is that of the definition and never rises") {
  for (unsigned seed = 0; seed < 4; ++seed) {
    for (const bool extrapolate : {true, false}) {
      Problem problem = grouped(seed);
      problem.options.extrapolate = extrapolate;
      problem.options.max_outer = 60;
      LocalShards shards(problem, 4, problem.start);
      CHECK(shards.cells().crossing > 0);
      const pnmf::FitResult fit = sharded(problem, shards);
      CHECK(fit.objective.size() == 60);
      CHECK(finite_nonnegative(fit.path.H));
      const double last = fit.objective.back();
      CHECK_NEAR(last, definition(problem, fit.path), 1e-11 * problem.size(last));
      for (std::size_t k = 1; k < fit.objective.size(); ++k) {
        CHECK(fit.objective[k] <= fit.objective[k - 1] + 1e-13 * problem.size(last));
      }
    }
  }
}

TEST("shards: a fit ends where the fit on threads ends") {
  for (unsigned seed = 0; seed < 3; ++seed) {
    Problem problem = grouped(seed);
    problem.options.max_outer = 3000;
    problem.options.tol = 1e-4;
    LocalShards shards(problem, 4, problem.start);
    const pnmf::FitResult here = threaded(problem), there = sharded(problem, shards);
    CHECK(here.objective.size() < 3000 && there.objective.size() < 3000);
    CHECK_NEAR(there.objective.back() / here.objective.back(), 1, 1e-6);
    for (std::size_t t = 0; t < here.path.H.size(); ++t) {
      CHECK((there.path.H[t] - here.path.H[t]).norm() <= 0.03 * here.path.H[t].norm());
      CHECK_NEAR(there.residual[t], 0, 1e-6);
    }
  }
}

TEST("shards: one shard starts as threads do, and ends there") {
  Problem problem = grouped(5);
  problem.options.max_outer = 1;
  LocalShards shards(problem, 1, problem.start);
  CHECK(shards.cells().crossing == 0);
  const pnmf::FitResult here = threaded(problem), there = sharded(problem, shards);
  CHECK_NEAR(there.objective[0] / here.objective[0], 1, 1e-12);
  CHECK((there.path.H[2] - here.path.H[2]).norm() <= 1e-10 * here.path.H[2].norm());
  CHECK_NEAR(there.residual[1], here.residual[1], 1e-10);
}

TEST("shards: weights of scales count as they do on threads") {
  Problem problem = grouped(6);
  problem.options.weights = {{3, 1, 2, 5, 1}, {1, 2, 1, 4, 2}};
  problem.options.max_outer = 2000;
  problem.options.tol = 1e-4;
  LocalShards shards(problem, 3, problem.start);
  CHECK_NEAR(sharded(problem, shards).objective.back() / threaded(problem).objective.back(), 1, 1e-6);
}

TEST("shards: the unit of embeddings at borders changes no bit, if it is a power of two") {
  const Problem problem = grouped(4);
  LocalShards shards(problem, 4, problem.start), scaled(problem, 4, problem.start, 1 / 64.0);
  CHECK(same_path(sharded(problem, shards), sharded(problem, scaled)));
}

TEST("shards: a worker that starts anew changes nothing, wherever it happens") {
  Problem problem = grouped(7);
  problem.options.tol = 1e-3;
  problem.options.max_outer = 12;
  LocalShards undisturbed(problem, 4, problem.start);
  const pnmf::FitResult whole = sharded(problem, undisturbed);
  for (int every : {0, 1, 5}) {
    for (int loses_at = 0; loses_at < undisturbed.calls + 1; loses_at += 3) {
      LocalShards shards(problem, 4, problem.start);
      shards.loses_at = loses_at;
      CHECK(same_path(sharded(problem, shards, every, every == 1), whole));
    }
  }
}

TEST("shards: workers that always lose their state are an error") {
  struct Forgetful : LocalShards {
    using LocalShards::LocalShards;
    std::vector<pnmf::ShardAnswer> run(const pnmf::ShardRequest& request,
                                       const std::vector<pnmf::BorderMatrices>& ghosts) override {
      restart(0);
      return LocalShards::run(request, ghosts);
    }
  };
  const Problem problem = grouped(8);
  Forgetful shards(problem, 4, problem.start);
  CHECK_THROWS(sharded(problem, shards), pnmf::WorkersFailed);
}

TEST("shards: a fit goes on from its checkpoint as if it had not stopped") {
  struct Keeper : pnmf::Monitor {
    void on_state(const pnmf::FitStateView& view) override {
      states.emplace_back();
      pnmf::FitState& state = states.back();
      state.started = true;
      state.progress = view.progress;
      state.Wt = view.Wt;
      state.held = view.held;
    }
    std::vector<pnmf::FitState> states;
  };
  Problem problem = grouped(9);
  problem.options.tol = 1e-3;
  problem.options.max_outer = 14;
  LocalShards whole_shards(problem, 4, problem.start);
  const pnmf::FitResult whole = sharded(problem, whole_shards);
  problem.options.max_outer = 7;
  LocalShards shards(problem, 4, problem.start);
  Keeper keeper;
  sharded(problem, shards, pnmf::Path{problem.start.Wt, {}}, keeper);
  problem.options.max_outer = 14;
  // The shards still hold the states of the last two saves.
  for (std::size_t k : {keeper.states.size() - 1, keeper.states.size() - 2}) {
    for (std::size_t s = 0; s < 4; ++s) shards.restart(s);
    Plan never(0, false);
    CHECK(same_path(sharded(problem, shards, keeper.states[k], never), whole));
  }
}

TEST("shards: every scale may have a start of its own") {
  Problem problem = grouped(10);
  problem.options.chain_start = false;
  problem.options.max_outer = 1000;
  problem.options.tol = 1e-4;
  problem.start.Wt.resize(5, problem.start.Wt[0]);
  problem.start.H.resize(5, problem.start.H[0]);
  LocalShards shards(problem, 4, problem.start);
  CHECK_NEAR(sharded(problem, shards).objective.back() / threaded(problem).objective.back(), 1, 1e-6);
}
