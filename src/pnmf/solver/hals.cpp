#include "pnmf/solver/hals.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "pnmf/solver/convergence.h"
#include "pnmf/solver/hals_settings.h"
#include "pnmf/solver/hals_start.h"
#include "pnmf/solver/held_cells.h"
#include "pnmf/solver/momentum.h"
#include "pnmf/state/checkpoint.h"

namespace pnmf {
namespace {

// Without a sweep in between.
constexpr int max_roll_backs = 3;

class Hals {
 public:
  Hals(Cells& cells, FitState start, const FitOptions& options, Executor& executor, Monitor& monitor)
      : cells_(cells), start_(std::move(start)), options_(options), executor_(executor), monitor_(monitor),
        size_(cells.size()), settings_(hals_settings(size_, start_.Wt.at(0).rows(), options)) {}

  FitResult run() {
    for (;;) {
      try {
        if (!begun_) begin();
        sweep_until_done();
        return finish();
      } catch (const StateLost&) {
        if (++roll_backs_ > max_roll_backs) {
          throw WorkersFailed("workers lose their state between calls, or the stored states are damaged");
        }
        begun_ = false;
      }
    }
  }

 private:
  int sweeps() const { return progress_.sweeps(); }
  double objective() const { return ConstVectorMap(progress_.by_scale.data(), T_).sum(); }
  // If the fit is exact, the objective falls to zero, and each decrease is a large share of what is left.
  double measured_objective() const {
    return std::max(objective(), negligible_objective(size_.squared_norm, options_.weights, T_));
  }
  bool rises(const Vector& by_scale) const {
    return !(by_scale.sum() <= objective() + objective_rounding(size_.squared_norm, options_.weights, T_));
  }
  bool refines() const { return sweeps() < options_.refining_sweeps; }
  // Residuals would then take as long as the sweeps.
  bool only_refined() const { return options_.refining_sweeps > 0 && sweeps() <= options_.refining_sweeps; }
  bool extrapolates() const { return options_.extrapolate && !options_.record && !refines(); }
  bool is_converged() const { return all_converged(progress_.windows, sweeps(), options_.tol, T_); }

  // Begins with the start, or with the state that was stored last.
  void begin() {
    const bool resumed = stored_ || start_.started;
    FitState from = stored_ ? *stored_ : cells_.may_be_lost() ? start_ : std::move(start_);
    progress_ = std::move(from.progress);
    Wt_ = std::move(from.Wt);
    cells_.restore(std::move(from.held));
    stopped_ = false;
    if (resumed) {
      check_state();
    } else {
      make_start();
    }
    begun_ = true;
    if (resumed && !stored_) remember();
    if (!resumed) offer_state(false);
  }

  void check_state() {
    T_ = static_cast<Index>(Wt_.size());
    const std::size_t T = Wt_.size();
    if (progress_.by_scale.size() != T || progress_.own.size() != T || progress_.momentum.size() != T) {
      throw CheckpointError("does not hold the state of this solver");
    }
  }

  void make_start() {
    T_ = cells_.scales();
    progress_.momentum.resize(T_);
    if (options_.chain_start) Wt_ = chain_starts(cells_, std::move(Wt_[0]), T_, options_, executor_);
    if (refines() && !options_.record) return without_terms();
    take_terms(cells_.take_bases(Wt_));
    set_objective(by_scale(), {});
  }

  // Refining sweeps are never undone, so nothing is compared with the start.
  void without_terms() {
    progress_.own.assign(T_, 0);
    progress_.by_scale.assign(T_, 0);
  }

  void sweep_until_done() {
    while (!stopped_ && sweeps() < options_.max_outer && !is_converged()) {
      run_sweep();
      progress_.record.objective.push_back(objective());
      roll_backs_ = 0;
      if (ends_window(progress_.windows, sweeps())) {
        end_window(progress_.windows, sweeps(), measured_objective(), movement());
      }
      if (!monitor_.on_sweep(sweeps(), objective())) {
        stopped_ = sweeps() < options_.max_outer && !is_converged();
        return;
      }
      offer_state(false);
    }
  }

  void run_sweep() {
    if (options_.tol > 0 && progress_.windows.begin < 0 && !refines())
      begin_window(progress_.windows, sweeps(), measured_objective());
    const bool extrapolated = !without_momentum(progress_.momentum);
    std::vector<char> undone(T_, 0);
    SweepOrder order;
    if (!refines())
      for (const Momentum& momentum : progress_.momentum) order.step.push_back(momentum.step);
    order.next_step = steps_after(undone);
    order.rounds = settings_.embedding_rounds;
    order.begins_window = progress_.windows.begin == sweeps();
    UpdateLog log{sweeps() + 1, objective(), progress_.record.updates};
    if (extrapolated) Wt_before_ = Wt_;
    own_before_ = progress_.own;
    update_bases(cells_.begin_sweep(order), log);
    take_terms(cells_.end_sweep(Wt_, order, options_.record ? &log : nullptr));
    Vector now = by_scale();
    if (extrapolated && rises(now)) now = undo(now, undone);
    set_objective(now, undone);
  }

  void update_bases(std::vector<Sums> sums, UpdateLog& log) {
    Vector change = Vector::Zero(T_);
    executor_.run(T_, [&](Index t) {
      const Matrix &XHt = sums[t].XHt, &HHt = sums[t].HHt;
      const double before = options_.record ? data_term_by_features(0, XHt, HHt, Wt_[t]) : 0;
      update_basis(Wt_[t], XHt, HHt, settings_.basis_rounds);
      if (options_.record) change[t] = data_term_by_features(0, XHt, HHt, Wt_[t]) - before;
      sums[t] = Sums();
    });
    for (Index t = 0; options_.record && t < T_; ++t) log.add(t, 'W', options_.weights.of(t) * change[t]);
  }

  // Undoes the sweep for the scales whose part of the objective rose, or for all scales if that is not enough.
  Vector undo(const Vector& now, std::vector<char>& undone) {
    for (Index t = 0; t < T_; ++t) undone[t] = !(now[t] <= progress_.by_scale[t]);
    put_back(undone, undone);
    const Vector partly = by_scale();
    if (!rises(partly)) return partly;
    std::vector<char> others(T_);
    std::transform(undone.begin(), undone.end(), others.begin(), [](char before) { return !before; });
    undone.assign(T_, 1);
    put_back(others, undone);
    return ConstVectorMap(progress_.by_scale.data(), T_);
  }

  void put_back(const std::vector<char>& chosen, const std::vector<char>& undone) {
    for (Index t = 0; t < T_; ++t) {
      if (!chosen[t]) continue;
      Wt_[t].swap(Wt_before_[t]);
      progress_.own[t] = own_before_[t];
    }
    take_terms(cells_.undo(chosen, steps_after(undone)));
  }

  std::vector<double> steps_after(const std::vector<char>& undone) const {
    return extrapolates() ? next_steps(progress_.momentum, undone) : std::vector<double>(T_, 0);
  }

  void take_terms(PathTerms terms) {
    terms_ = std::move(terms);
    if (!terms_.own.empty()) progress_.own = terms_.own;
  }

  Vector by_scale() const { return objective_by_scale(progress_.own, terms_.step, options_.weights); }

  // undone: empty after the start
  void set_objective(const Vector& now, const std::vector<char>& undone) {
    progress_.by_scale.assign(now.data(), now.data() + T_);
    if (extrapolates() && !undone.empty()) adapt_momentum(progress_.momentum, undone);
  }

  // |H - H when the window began| / |H|
  std::vector<double> movement() const {
    std::vector<double> movement(T_, 0);
    for (Index t = 0; t < T_; ++t) {
      if (terms_.length[t] > 0) movement[t] = std::sqrt(terms_.moved[t] / terms_.length[t]);
    }
    return movement;
  }

  void offer_state(bool last) {
    if (!monitor_.wants_state(sweeps(), last)) return;
    cells_.store();
    remember();
    monitor_.on_state({true, progress_, Wt_, cells_.held(), static_cast<Index>(size_.cells)});
  }

  void remember() {
    if (!cells_.may_be_lost()) return;
    stored_.emplace();
    stored_->progress = progress_;
    stored_->Wt = Wt_;
    stored_->held = cells_.held();
  }

  FitResult finish() {
    offer_state(true);
    FitResult result;
    static_cast<FitRecord&>(result) = progress_.record;
    if (!only_refined()) {
      const Vector residual = cells_.residuals(Wt_);
      result.residual.assign(residual.data(), residual.data() + T_);
    }
    result.movement = progress_.windows.prediction.movement;
    result.decrease = progress_.windows.prediction.decrease;
    result.converged = converged_scales(progress_.windows, sweeps(), options_.tol, T_);
    result.steps.assign(T_, sweeps());
    result.stopped = stopped_;
    for (Index t = 0; t < T_; ++t) result.path.H.push_back(cells_.collect(t));
    result.path.Wt = std::move(Wt_);
    return result;
  }

  Cells& cells_;
  FitState start_;
  const FitOptions& options_;
  Executor& executor_;
  Monitor& monitor_;
  const ProblemSize size_;
  const UpdateSettings settings_;
  Index T_ = 0;
  Progress progress_;
  std::vector<Matrix> Wt_, Wt_before_;
  std::vector<double> own_before_;
  PathTerms terms_;  // of the last sweep or undoing
  std::optional<FitState> stored_;
  int roll_backs_ = 0;
  bool begun_ = false, stopped_ = false;
};

// The fit of fewer scales depends neither on the sweeps nor on the tolerance of the whole fit: a fit that is continued
// must start as one that was not stopped.
FitOptions start_options(const FitOptions& options) {
  FitOptions of_start = options;
  of_start.max_outer = options.start_sweeps;
  of_start.tol = 0.03;
  of_start.record = false;
  return of_start;
}

// Of a fit that is the start of another one, and of that one if its start was stopped: no state is kept, because a fit
// that is continued from it would not end as one that was not stopped.
class StartMonitor : public Monitor {
 public:
  explicit StartMonitor(Monitor& monitor) : monitor_(monitor) {}
  bool stopped() const { return stopped_; }
  bool on_sweep(int, double objective) override {
    if (!monitor_.on_sweep(0, objective)) stopped_ = true;
    return !stopped_;
  }
  bool wants_state(int, bool) override { return false; }

 private:
  Monitor& monitor_;
  bool stopped_ = false;
};

}  // namespace

FitResult fit_hals(Cells& cells, FitState start, const FitOptions& options, Executor& executor, Monitor& monitor) {
  return Hals(cells, std::move(start), options, executor, monitor).run();
}

namespace {

// Each sweep over data on disk takes as long for few scales as for all.
bool begins_with_fewer_scales(const DataMatrix& data, const ScaleGraphs& graphs) {
  return !data.streamed() && !fewer_scales(graphs.scales()).empty();
}

// What is slow about a fit moves all scales alike, so few of them are enough to get it done. Most of it is done on the
// projection, where a sweep takes little time.
Path fit_fewer_scales(const DataMatrix& data, const ScaleGraphs& graphs, FitState start, FitOptions& options,
                      Executor& executor, Monitor& monitor) {
  const std::vector<Index> few = fewer_scales(graphs.scales());
  const ScaleGraphs chosen = graphs.chosen(few);
  FitOptions of_few = start_options(options);
  of_few.weights = fewer_weights(options.weights, few, graphs.scales());
  if (const auto projected = std::move(options.chain_data)) {
    start = fit_hals(*projected, chosen, std::move(start), of_few, executor, monitor).path;
    of_few.chain_start = false;
  }
  return fill_between(fit_hals(data, chosen, std::move(start), of_few, executor, monitor).path, few, graphs.scales());
}

}  // namespace

FitResult fit_hals(const DataMatrix& data, const ScaleGraphs& graphs, FitState start, FitOptions options,
                   Executor& executor, Monitor& monitor) {
  const std::size_t used = start.started ? 0 : options.chain_start ? 1 : start.Wt.size();
  for (std::size_t t = 0; t < used; ++t) normalize_basis(start.Wt[t], start.held.H[t]);
  StartMonitor start_monitor(monitor);
  if (options.chain_start && !start.started && begins_with_fewer_scales(data, graphs)) {
    if (monitor.wants_state(0, false)) monitor.on_state({false, start.progress, start.Wt, start.held, data.cells()});
    start = fit_fewer_scales(data, graphs, std::move(start), options, executor, start_monitor);
    options.chain_start = false;
  }
  LocalCells cells(data, graphs, options, std::move(options.chain_data), executor);
  return fit_hals(cells, std::move(start), options, executor, start_monitor.stopped() ? start_monitor : monitor);
}

}  // namespace pnmf
