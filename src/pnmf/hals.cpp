#include "hals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "checkpoint.h"
#include "kernels.h"

namespace pnmf {
namespace {

// How far to extrapolate: grows after every accepted sweep; a rejected one is followed by a sweep without.
struct Momentum {
  double now = 0, next = 0.5;
  void accept() {
    now = next;
    next = std::min(0.98, 1.1 * next);
  }
  void reject() {
    now = 0;
    next = std::max(0.05, 0.5 * next);
  }
};

// Sweeps between two checks of the residual.
constexpr int sweeps_per_check = 5;
// Rounds over all embeddings per pass over the data.
constexpr int least_rounds = 1, most_rounds = 8;
// Flops of a pass over the data below which cheap steps are never rationed.
constexpr double small_pass = 2e7;
// Steps for each scale of the starting chain.
constexpr int chain_steps = 1, finest_steps = 50;

class HalsSolver {
 public:
  HalsSolver(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start, const FitOptions& options,
             Executor& executor, Monitor& monitor)
      : data_(data), graphs_(graphs), options_(options), executor_(executor), monitor_(monitor),
        start_(std::move(start)), accepted_(std::move(start_.path)), T_(graphs.scales()), WtX_(T_), WtW_(T_),
        data_term_(T_) {
    ration_cheap_steps();
  }

  FitResult run() {
    FitResult result;
    if (start_.started) {
      import_state(result);
    } else {
      make_start();
      monitor_.keep(export_state(result), false);
    }
    int sweep = static_cast<int>(result.objective.size());
    while (sweep < options_.max_outer && !finished(sweep, result)) {
      run_sweep(++sweep, result);
      result.objective.push_back(current_);
      if (!monitor_.sweep_done(sweep, current_, accepted_)) {
        result.stopped = sweep < options_.max_outer;
        break;
      }
      monitor_.keep(export_state(result), false);
    }
    monitor_.keep(export_state(result), true);
    if (!residuals_of_accepted_) check_residuals(result);
    result.steps.assign(T_, static_cast<int>(result.objective.size()));
    result.path = std::move(accepted_);
    return result;
  }

 private:
  void make_start() {
    for (Index t = 0; t < T_; ++t) normalize_basis(accepted_.Wt[t], accepted_.H[t]);
    if (options_.chain_start) chain_from_finest();
    working_ = accepted_;
  }

  // Without momentum the next sweep starts from the accepted path alone.
  SolverView export_state(const FitRecord& record) const {
    return {record, {momentum_.now, momentum_.next, current_}, accepted_, momentum_.now > 0 ? &working_ : nullptr};
  }

  void import_state(FitRecord& record) {
    const std::vector<double>& memory = start_.memory;
    if (memory.size() != 3 || !(memory[0] >= 0) || (memory[0] > 0) == start_.previous.H.empty()) {
      throw CheckpointError("does not hold the state of this solver");
    }
    momentum_.now = memory[0];
    momentum_.next = memory[1];
    current_ = memory[2];
    record = std::move(start_.record);
    working_ = momentum_.now > 0 ? std::move(start_.previous) : accepted_;
  }

  bool finished(int sweep, FitResult& result) {
    const bool due = options_.tol > 0 && sweep > 0 && sweep % sweeps_per_check == 0;
    return due && check_residuals(result);
  }

  // Accepts the extrapolated point only if it is no worse than the path it came from: then no update ever raises
  // the objective. A rejected sweep costs its data passes and leaves the path as it was.
  void run_sweep(int sweep, FitResult& result) {
    prepare_working(momentum_.now);
    products_of_accepted_ = residuals_of_accepted_ = false;
    std::vector<UpdateRecord> records;
    const double started = update_all_bases(sweep, records);
    if (momentum_.now > 0 && !(started <= current_)) {
      momentum_.reject();
      return;
    }
    current_ = update_all_embeddings(sweep, records);
    std::swap(accepted_, working_);
    products_of_accepted_ = true;
    result.updates.insert(result.updates.end(), records.begin(), records.end());
    if (options_.extrapolate && sweep > 1) momentum_.accept();
  }

  // Runs one task per scale in threads over scales, or threads within the task when scales are few.
  template <class Body>
  void for_scales(Index first, Index step, Body body) {
    const Index n = (T_ - first + step - 1) / step;
    if (n < executor_.threads()) {
      for (Index k = 0; k < n; ++k) body(first + k * step, executor_);
      return;
    }
    executor_.run(n, [&](Index k) {
      SerialExecutor inner(&executor_);
      body(first + k * step, inner);
    });
  }

  Neighbors neighbors(const std::vector<Matrix>& H, Index t) const {
    return {t > 0 ? &H[t - 1] : nullptr, t + 1 < T_ ? &H[t + 1] : nullptr};
  }

  // Cheap steps may take about a quarter of the time of the data passes each: W by p d^2 flops a pass (at a third of
  // the dense product's speed), H by n d^2 + (edges) d flops a round (at a tenth).
  void ration_cheap_steps() {
    const double d = static_cast<double>(accepted_.H[0].rows()), p = static_cast<double>(data_.features()),
                 n = static_cast<double>(data_.cells());
    const double pass = std::max(small_pass, 4 * static_cast<double>(data_.entries()) * d);
    const double basis_pass = 3 * 2 * p * d * d, round = 10 * (4 * n * d * d + 4 * graphs_.mean_edges() * d);
    basis_passes_ = static_cast<int>(std::min(std::max(0.25 * pass / basis_pass, 2.0), 1.0 * options_.max_inner));
    rounds_ = static_cast<int>(std::min<double>(std::max<double>(0.25 * pass / round, least_rounds), most_rounds));
  }

  // Finest scale to near convergence, then every scale started from its finer neighbour. H moves first: W is still
  // the neighbour's, so W'X is at hand.
  void chain_from_finest() {
    Matrix WtX, WtW;
    for (Index t = 0; t < T_; ++t) {
      Matrix &Wt = accepted_.Wt[t], &H = accepted_.H[t];
      const auto graph = graphs_.at(t);
      const Neighbors finer{t > 0 ? &accepted_.H[t - 1] : nullptr, nullptr};
      const EmbeddingProblem problem{WtX, WtW, *graph, finer, options_.penalties};
      if (t > 0) {
        Wt = accepted_.Wt[t - 1];
        H = accepted_.H[t - 1];
        update_embedding(H, problem, options_.max_inner);
      }
      double first_change = 0;
      for (int step = 0; step < (t == 0 ? finest_steps : chain_steps); ++step) {
        update_basis(Wt, data_.embedding_product(H, executor_), gram(H), basis_passes_);
        WtX = data_.basis_product(Wt, executor_);
        WtW = gram(Wt);
        const double change = update_embedding(H, problem, options_.max_inner);
        if (step == 0) first_change = change;
        if (change <= 1e-6 * first_change) break;
      }
    }
  }

  // working = accepted + momentum (accepted - previous), made feasible; `working_` holds the previous path on entry.
  void prepare_working(double momentum) {
    for_scales(0, 1, [&](Index t, Executor&) {
      if (momentum == 0) {
        working_.Wt[t] = accepted_.Wt[t];
        working_.H[t] = accepted_.H[t];
        return;
      }
      Matrix &Wt = working_.Wt[t], &H = working_.H[t];
      Wt = ((1 + momentum) * accepted_.Wt[t] - momentum * Wt).cwiseMax(0.0);
      H = ((1 + momentum) * accepted_.H[t] - momentum * H).cwiseMax(0.0);
      project_basis(Wt);
    });
  }

  // The two passes over the data at every scale. Returns the objective the sweep started from, where it is wanted.
  double update_all_bases(int sweep, std::vector<UpdateRecord>& records) {
    const bool compare = momentum_.now > 0 || options_.record;
    Vector before = Vector::Zero(T_), penalty = Vector::Zero(T_);
    for_scales(0, 1, [&](Index t, Executor& inner) {
      Matrix &Wt = working_.Wt[t], &H = working_.H[t];
      const Matrix XHt = data_.embedding_product(H, inner), HHt = gram(H);
      if (compare) {
        before[t] = data_term_by_features(data_.squared_norm(), XHt, HHt, Wt);
        penalty[t] = embedding_terms(*graphs_.at(t), H, options_.penalties);
      }
      update_basis(Wt, XHt, HHt, basis_passes_);
      WtX_[t] = data_.basis_product(Wt, inner);
      WtW_[t] = gram(Wt);
      if (options_.record) data_term_[t] = data_term(data_.squared_norm(), WtX_[t], WtW_[t], H);
    });
    if (!compare) return std::numeric_limits<double>::quiet_NaN();
    const double penalties = penalty.sum() + total_smooth_term(working_.H, options_.penalties);
    const double started = before.sum() + penalties;
    if (options_.record) {
      running_ = started;
      for (Index t = 0; t < T_; ++t) {
        running_ += data_term_[t] - before[t];
        records.push_back({sweep, static_cast<int>(t), 'W', running_});
      }
    }
    return started;
  }

  // Red-black rounds over all embeddings until a round moves little. Returns the objective.
  double update_all_embeddings(int sweep, std::vector<UpdateRecord>& records) {
    double first_change = 0;
    for (int round = 0; round < rounds_; ++round) {
      Vector change = Vector::Zero(T_), drop = Vector::Zero(T_);
      for (Index colour = 0; colour < std::min<Index>(2, T_); ++colour) {
        for_scales(colour, 2, [&](Index t, Executor&) {
          const auto graph = graphs_.at(t);
          Matrix& H = working_.H[t];
          const EmbeddingProblem problem{WtX_[t], WtW_[t], *graph, neighbors(working_.H, t), options_.penalties};
          if (options_.record) drop[t] = -local_objective(H, problem, data_.squared_norm());
          change[t] = update_embedding(H, problem, 1);
          if (options_.record) drop[t] += local_objective(H, problem, data_.squared_norm());
        });
        if (!options_.record) continue;
        for (Index t = colour; t < T_; t += 2) {
          running_ += drop[t];
          records.push_back({sweep, static_cast<int>(t), 'H', running_});
        }
      }
      if (round == 0) first_change = change.sum();
      if (change.sum() <= 0.01 * first_change) break;
    }
    return working_objective();
  }

  double working_objective() {
    Vector own(T_);
    for_scales(0, 1, [&](Index t, Executor&) {
      own[t] = data_term(data_.squared_norm(), WtX_[t], WtW_[t], working_.H[t]) +
               embedding_terms(*graphs_.at(t), working_.H[t], options_.penalties);
    });
    return own.sum() + total_smooth_term(working_.H, options_.penalties);
  }

  // Residual of every scale at the accepted path; true when all are below the tolerance.
  bool check_residuals(FitResult& result) {
    result.residual.assign(T_, 0.0);
    result.converged.assign(T_, 0);
    for_scales(0, 1, [&](Index t, Executor& inner) {
      const Matrix &Wt = accepted_.Wt[t], &H = accepted_.H[t];
      const auto graph = graphs_.at(t);
      if (!products_of_accepted_) {
        WtX_[t] = data_.basis_product(Wt, inner);
        WtW_[t] = gram(Wt);
      }
      const EmbeddingProblem problem{WtX_[t], WtW_[t], *graph, neighbors(accepted_.H, t), options_.penalties};
      const double left =
          basis_residual(Wt, data_.embedding_product(H, inner), gram(H)) + embedding_residual(H, problem);
      const double size = std::max(local_objective(H, problem, data_.squared_norm()), 1e-12 * data_.squared_norm());
      result.residual[t] = left / size;
      result.converged[t] = result.residual[t] <= options_.tol;
    });
    products_of_accepted_ = residuals_of_accepted_ = true;
    return std::all_of(result.converged.begin(), result.converged.end(), [](char c) { return c != 0; });
  }

  const DataMatrix& data_;
  const ScaleGraphs& graphs_;
  const FitOptions& options_;
  Executor& executor_;
  Monitor& monitor_;
  SolverState start_;
  Path accepted_, working_;
  Index T_;
  std::vector<Matrix> WtX_, WtW_;
  bool products_of_accepted_ = false;  // WtX_ and WtW_ are those of accepted_.Wt
  bool residuals_of_accepted_ = false;
  std::vector<double> data_term_;
  Momentum momentum_;
  double current_ = std::numeric_limits<double>::infinity();  // the objective of the accepted path
  double running_ = 0;                                        // the objective along the recorded updates
  int basis_passes_, rounds_;
};

}  // namespace

FitResult fit_hals(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start, const FitOptions& options,
                   Executor& executor, Monitor& monitor) {
  return HalsSolver(data, graphs, std::move(start), options, executor, monitor).run();
}

}  // namespace pnmf
