#include "pnmf/solver/hals.h"

#include <algorithm>

#include "pnmf/solver/embedding_descent.h"
#include "pnmf/solver/hals_settings.h"
#include "pnmf/solver/hals_start.h"
#include "pnmf/solver/hals_state.h"
#include "pnmf/solver/path_objective.h"
#include "pnmf/solver/update_log.h"

namespace pnmf {
namespace {

class HalsSolver {
 public:
  HalsSolver(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start, FitOptions options,
             Executor& executor, Monitor& monitor)
      : data_(data), graphs_(graphs), options_(std::move(options)), executor_(executor), monitor_(monitor),
        start_(std::move(start)), T_(graphs.scales()),
        settings_(hals_settings(size_of(data, graphs), start_.path.H[0].rows(), options_)),
        updates_(data, graphs, settings_, executor), objective_of_(data, graphs, settings_, executor),
        embeddings_(data, graphs, settings_, executor), log_(data, graphs, settings_, executor) {
    states_.path = std::move(start_.path);
    states_.path.Wt.resize(T_);
    states_.path.H.resize(T_);
    states_.products.WtX.resize(T_);
    states_.products.WtW.resize(T_);
  }

  FitResult run() {
    FitResult result;
    if (start_.started) {
      resume(result);
    } else {
      make_start(states_, data_, graphs_, options_, settings_, executor_);
      options_.chain_data.reset();
      state_.momentum.resize(T_);
      take_objective(objective_of_.by_scale(states_.products, states_.path.H));
      if (options_.tol > 0) begin_windows(0);
      monitor_.on_state(export_state(result), false);
    }
    sweep_until_done(result);
    monitor_.on_state(export_state(result), true);
    finish(result);
    return result;
  }

 private:
  static int sweeps(const FitRecord& record) { return static_cast<int>(record.objective.size()); }
  bool extrapolates() const { return options_.extrapolate && !options_.record; }

  void take_objective(const Vector& by_scale) {
    state_.objective.assign(by_scale.data(), by_scale.data() + T_);
    objective_ = by_scale.sum();
  }

  void resume(FitResult& result) {
    if (settings_.shared_bases == start_.products.WtX.empty()) {
      throw CheckpointError("does not hold the state of this solver");
    }
    state_ = hals_state(start_.numbers, T_);
    snapshot_ = std::move(start_.snapshot);
    if (state_.convergence.started() == snapshot_.empty()) {
      throw CheckpointError("does not hold the state of this solver");
    }
    objective_ = ConstVectorMap(state_.objective.data(), T_).sum();
    static_cast<FitRecord&>(result) = std::move(start_.record);
    log_.updates = std::move(result.updates);
    ahead_ = std::move(start_.ahead);
    if (extrapolates() && ahead_.empty() && !all_rest(state_.momentum))
      throw CheckpointError("does not hold the state of this solver");
    if (options_.tol > 0 && !state_.convergence.started()) begin_windows(sweeps(result));
    if (settings_.shared_bases) {
      states_.products = std::move(start_.products);
    } else {
      find_products(states_, all_scales(states_), data_, executor_);
    }
  }

  SolverView export_state(FitResult& result) {
    result.updates = log_.updates;
    return {result,
            numbers_of(state_),
            states_.path,
            ahead_.empty() ? nullptr : &ahead_,
            snapshot_.empty() ? nullptr : &snapshot_,
            settings_.shared_bases ? &states_.products : nullptr};
  }

  void sweep_until_done(FitResult& result) {
    while (sweeps(result) < options_.max_outer && !converged(sweeps(result))) {
      const int sweep = sweeps(result) + 1;
      run_sweep(sweep);
      result.objective.push_back(objective_);
      if (options_.tol > 0) observe(sweep);
      if (!monitor_.on_sweep(sweep, objective_, states_.path)) {
        result.stopped = sweep < options_.max_outer && !converged(sweep);
        return;
      }
      monitor_.on_state(export_state(result), false);
    }
  }

  void begin_windows(int sweep) {
    state_.convergence.begin(sweep, measured_objective());
    snapshot_ = states_.path.H;
  }

  void observe(int sweep) {
    if (!state_.convergence.ends_window(sweep)) return;
    state_.convergence.observe(sweep, measured_objective(), movement_since(snapshot_, states_.path.H, executor_));
    snapshot_ = states_.path.H;
  }

  // If the fit is exact, the objective falls to zero, and each decrease is a large share of what is left.
  double measured_objective() const { return std::max(objective_, objective_of_.negligible()); }

  bool converged(int sweep) const { return state_.convergence.all_converged(sweep, options_.tol, T_); }

  void run_sweep(int sweep) {
    std::vector<char> undone(T_, 0);
    if (!extrapolates()) return plain_sweep(sweep);
    if (all_rest(state_.momentum)) {
      ahead_ = states_.path.H;
      plain_sweep(sweep);
    } else if (settings_.shared_bases) {
      std::swap(states_.path.H, ahead_);
      plain_sweep(sweep);
    } else {
      undone = leaping_sweep();
    }
    look_ahead(undone);
  }

  // Descent steps only.
  void plain_sweep(int sweep) {
    if (options_.record) {
      log_.begin_sweep(sweep, objective_);
      log_.before_bases(states_);
    }
    updates_.update_bases(states_);
    if (options_.record) log_.after_bases(states_);
    embeddings_.descend(states_, options_.record ? &log_ : nullptr);
    take_objective(objective_of_.by_scale(states_.products, states_.path.H));
  }

  // A sweep from the extrapolated embeddings, even if these raise the objective; ahead_ becomes the embeddings of the
  // previous sweep. If the sweep ends higher than the previous one, it is undone for the scales whose part of the
  // objective rose, or for all scales if that is not enough. Returns the scales for which it was undone.
  std::vector<char> leaping_sweep() {
    bases_before_ = states_.path.Wt;
    if (data_.streamed()) products_before_ = states_.products;
    std::swap(states_.path.H, ahead_);
    updates_.update_bases(states_);
    embeddings_.descend(states_);
    std::vector<char> undone(T_, 0);
    Vector now = objective_of_.by_scale(states_.products, states_.path.H);
    const double max_objective = objective_ + objective_of_.rounding();
    if (!(now.sum() <= max_objective)) {
      for (Index t = 0; t < T_; ++t) undone[t] = !(now[t] <= state_.objective[t]);
      put_back(undone);
      now = objective_of_.by_scale(states_.products, states_.path.H);
    }
    if (!(now.sum() <= max_objective)) {
      std::vector<char> others(T_);
      std::transform(undone.begin(), undone.end(), others.begin(), [](char before) { return !before; });
      put_back(others);
      undone.assign(T_, 1);
      now = ConstVectorMap(state_.objective.data(), T_);
    }
    take_objective(now);
    return undone;
  }

  void put_back(const std::vector<char>& chosen) {
    std::vector<Index> scales;
    for (Index t = 0; t < T_; ++t) {
      if (!chosen[t]) continue;
      scales.push_back(t);
      states_.path.Wt[t].swap(bases_before_[t]);
      states_.path.H[t] = ahead_[t];
      if (!data_.streamed()) continue;
      states_.products.WtX[t].swap(products_before_.WtX[t]);
      states_.products.WtW[t].swap(products_before_.WtW[t]);
    }
    if (!data_.streamed()) find_products(states_, scales, data_, executor_);
  }

  // Where the next sweep begins. With shared bases a sweep cannot be undone, so an extrapolation that raises the
  // objective is skipped.
  void look_ahead(const std::vector<char>& undone) {
    const std::vector<Matrix>& H = states_.path.H;
    extrapolate(H, state_.momentum, undone, ahead_, executor_);
    const bool raised = settings_.shared_bases && !(objective_of_(states_.products, ahead_) <= objective_);
    if (raised) ahead_ = H;
    learn(state_.momentum, raised ? std::vector<char>(T_, 1) : undone);
  }

  void finish(FitResult& result) {
    const Vector residual = updates_.residuals(states_);
    const Convergence::Change& predicted = state_.convergence.prediction();
    result.residual.assign(residual.data(), residual.data() + T_);
    result.movement = predicted.movement;
    result.decrease = predicted.decrease;
    result.converged = state_.convergence.converged(sweeps(result), options_.tol, T_);
    result.steps.assign(T_, sweeps(result));
    result.updates = std::move(log_.updates);
    result.path = std::move(states_.path);
  }

  const DataMatrix& data_;
  const ScaleGraphs& graphs_;
  FitOptions options_;
  Executor& executor_;
  Monitor& monitor_;
  SolverState start_;
  Index T_;
  UpdateSettings settings_;
  ScaleUpdates updates_;
  PathObjective objective_of_;
  EmbeddingDescent embeddings_;
  UpdateLog log_;
  ScaleStates states_;
  std::vector<Matrix> ahead_;  // the embeddings from which the next sweep begins; empty without extrapolation
  std::vector<Matrix> bases_before_;
  Products products_before_;      // of streamed data, which would have to be read again
  std::vector<Matrix> snapshot_;  // the embeddings when the window of the convergence began; empty without tol
  HalsState state_;
  double objective_ = 0;  // of the path
};

}  // namespace

FitResult fit_hals(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start, FitOptions options,
                   Executor& executor, Monitor& monitor) {
  return HalsSolver(data, graphs, std::move(start), std::move(options), executor, monitor).run();
}

}  // namespace pnmf
