#include "pnmf/shards/sharded_hals.h"

#include <algorithm>
#include <optional>

#include "pnmf/shards/all_shards.h"
#include "pnmf/shards/sharded_start.h"
#include "pnmf/solver/hals_updates.h"
#include "pnmf/solver/path_objective.h"

namespace pnmf {
namespace {

// Without a sweep in between.
constexpr int max_roll_backs = 3;

class ShardedHals {
 public:
  ShardedHals(const ShardedProblem& problem, SolverState start, const FitOptions& options, const SavePlan& plan,
              ShardWorkers& workers, Executor& executor, Monitor& monitor)
      : problem_(problem), start_(std::move(start)), options_(options), plan_(plan), workers_(workers),
        executor_(executor), monitor_(monitor), T_(problem.borders.scales()),
        shards_(problem.borders, options, workers, executor) {}

  FitResult run() {
    FitResult result;
    with_roll_back(result, [&] {
      if (!begun_) begin(result);
      while (!result.stopped && sweeps(result) < options_.max_outer && !converged(sweeps(result))) next_sweep(result);
      finish(result);
    });
    return result;
  }

 private:
  static int sweeps(const FitRecord& record) { return static_cast<int>(record.objective.size()); }
  double objective() const { return ConstVectorMap(state_.hals.objective.data(), T_).sum(); }
  double measured_objective() const {
    return std::max(objective(), negligible_objective(shards_.squared_norm(), options_.weights, T_));
  }
  bool rises(const Vector& by_scale) const {
    return !(by_scale.sum() <= objective() + objective_rounding(shards_.squared_norm(), options_.weights, T_));
  }
  bool converged(int sweep) const { return state_.hals.convergence.all_converged(sweep, options_.tol, T_); }
  void take_objective(const Vector& by_scale) { state_.hals.objective.assign(by_scale.data(), by_scale.data() + T_); }

  // Runs the fit. If a worker was restarted, goes back to the states that were stored last, or to the start.
  template <typename Fit>
  void with_roll_back(FitResult& result, const Fit& fit) {
    bool lost = false;
    for (;;) {
      try {
        if (lost) go_back(result);
        return fit();
      } catch (const StateLost&) {
        if (++roll_backs_ > max_roll_backs) {
          throw WorkersFailed("workers lose their state between calls, or the stored states are damaged");
        }
        lost = true;
      }
    }
  }

  void go_back(FitResult& result) {
    begun_ = saved_.has_value();
    result.stopped = false;
    result.objective.resize(begun_ ? saved_sweeps_ : 0);
    if (!begun_) return begin(result);
    state_ = *saved_;
    ask_sums();
  }

  void begin(FitResult& result) {
    if (start_.started) {
      state_ = sharded_state(start_.numbers, start_.path.Wt);
      static_cast<FitRecord&>(result) = start_.record;
      remember(result);
      ask_sums();
      if (options_.tol > 0 && !state_.hals.convergence.started()) begin_windows(sweeps(result));
    } else {
      make_start();
      if (options_.tol > 0) begin_windows(0);
      if (plan_.at_ends) save(result);
    }
    begun_ = true;
  }

  void begin_windows(int sweep) {
    state_.hals.convergence.begin(sweep, measured_objective());
    state_.snapshot = true;
  }

  void make_start() {
    state_ = ShardedState();
    state_.hals.momentum.resize(T_);
    state_.lead.assign(T_, 0);
    state_.Wt = start_.path.Wt;
    if (options_.chain_start) {
      state_.Wt = chain_shards(start_.path.Wt[0], T_, options_, problem_.borders, workers_, state_.version);
    }
    take_objective(shards_.sweep(state_, 0, state_.lead));
    choose_settings();
  }

  void ask_sums() {
    shards_.ask_sums(state_);
    choose_settings();
  }

  void choose_settings() {
    ProblemSize size = problem_.size;
    size.nonzeros = shards_.nonzeros();
    settings_ = hals_settings(size, state_.Wt[0].rows(), options_);
  }

  void next_sweep(FitResult& result) {
    const bool leaps = options_.extrapolate && !all_rest(state_.hals.momentum);
    const ShardedState last = state_;
    run_items(executor_, T_, [&](Index t, Executor&) {
      update_basis(state_.Wt[t], shards_.XHt[t], shards_.HHt[t], settings_.basis_rounds);
    });
    std::vector<char> undone(T_, 0);
    Vector by_scale = shards_.sweep(state_, settings_.embedding_rounds, leads(undone));
    if (leaps && rises(by_scale)) by_scale = undo(by_scale, last, undone);
    take_objective(by_scale);
    state_.lead = leads(undone);
    if (options_.extrapolate) learn(state_.hals.momentum, undone);
    end_sweep(sweeps(result) + 1, result);
  }

  // Undoes the sweep for the scales whose part of the objective rose, or for all scales if that is not enough.
  Vector undo(Vector by_scale, const ShardedState& last, std::vector<char>& undone) {
    for (Index t = 0; t < T_; ++t) undone[t] = !(by_scale[t] <= last.hals.objective[t]);
    by_scale = put_back(undone, last, undone);
    if (!rises(by_scale)) return by_scale;
    std::vector<char> others(T_);
    std::transform(undone.begin(), undone.end(), others.begin(), [](char before) { return !before; });
    undone.assign(T_, 1);
    put_back(others, last, undone);
    return ConstVectorMap(last.hals.objective.data(), T_);
  }

  Vector put_back(const std::vector<char>& chosen, const ShardedState& last, const std::vector<char>& undone) {
    for (Index t = 0; t < T_; ++t) {
      if (!chosen[t]) continue;
      state_.Wt[t] = last.Wt[t];
      state_.own[t] = last.own[t];
    }
    return shards_.undo(state_, chosen, leads(undone));
  }

  std::vector<double> leads(const std::vector<char>& undone) const {
    std::vector<double> lead(T_, 0);
    for (Index t = 0; options_.extrapolate && t < T_; ++t) lead[t] = undone[t] ? 0 : state_.hals.momentum[t].factor;
    return lead;
  }

  void end_sweep(int sweep, FitResult& result) {
    result.objective.push_back(objective());
    state_.snapshot = options_.tol > 0 && state_.hals.convergence.ends_window(sweep);
    if (state_.snapshot) state_.hals.convergence.observe(sweep, measured_objective(), shards_.movement());
    roll_backs_ = 0;
    if (!monitor_.on_sweep(sweep, objective(), Path())) {
      result.stopped = sweep < options_.max_outer && !converged(sweep);
    } else if (plan_.every > 0 && sweep % plan_.every == 0) {
      save(result);
    }
  }

  void save(FitResult& result) {
    state_.place = state_.place == 0 ? 1 : 0;
    workers_.save(state_.version, state_.place);
    remember(result);
    Path bases;
    bases.Wt = state_.Wt;
    const Index cells = static_cast<Index>(problem_.size.cells);
    monitor_.on_state({result, numbers_of(state_), bases, nullptr, nullptr, nullptr, cells}, true);
  }

  void remember(const FitResult& result) {
    saved_ = state_;
    saved_sweeps_ = sweeps(result);
  }

  void finish(FitResult& result) {
    if (plan_.at_ends && sweeps(result) != saved_sweeps_) save(result);
    const Vector residual = shards_.residuals(state_);
    const Convergence::Change& predicted = state_.hals.convergence.prediction();
    result.residual.assign(residual.data(), residual.data() + T_);
    result.movement = predicted.movement;
    result.decrease = predicted.decrease;
    result.converged = state_.hals.convergence.converged(sweeps(result), options_.tol, T_);
    result.steps.assign(T_, sweeps(result));
    result.path.Wt = state_.Wt;
    result.path.H.clear();
    for (Index t = 0; t < T_; ++t) result.path.H.push_back(workers_.collect(state_.version, t));
  }

  const ShardedProblem& problem_;
  SolverState start_;
  const FitOptions& options_;
  const SavePlan& plan_;
  ShardWorkers& workers_;
  Executor& executor_;
  Monitor& monitor_;
  Index T_;
  AllShards shards_;
  UpdateSettings settings_;
  ShardedState state_;
  std::optional<ShardedState> saved_;
  int saved_sweeps_ = -1, roll_backs_ = 0;
  bool begun_ = false;
};

}  // namespace

FitResult fit_hals_sharded(const ShardedProblem& problem, SolverState start, const FitOptions& options,
                           const SavePlan& plan, ShardWorkers& workers, Executor& executor, Monitor& monitor) {
  return ShardedHals(problem, std::move(start), options, plan, workers, executor, monitor).run();
}

}  // namespace pnmf
