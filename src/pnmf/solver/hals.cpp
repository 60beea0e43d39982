#include "pnmf/solver/hals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pnmf/kernels/kernels.h"
#include "pnmf/state/checkpoint.h"

namespace pnmf {
namespace {

// How far to extrapolate: grows after every sweep; a step that would raise the objective is left out and halves it.
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
// Flops of a pass over the data below which rounds over the embeddings are never rationed.
constexpr double small_pass = 2e7;
// Steps for each scale of the starting chain. The finest has about as many as all others together.
constexpr int chain_steps = 1, least_finest_steps = 10, most_finest_steps = 50;
// Rounds over a basis of the starting chain, at least: it is made once and decides near which optimum a fit ends.
constexpr int least_chain_passes = 3;

double pass_flops(const DataMatrix& data, Index rank) {
  return 4 * static_cast<double>(data.nonzeros()) * static_cast<double>(rank);
}

// What is left to do of a sweep that was interrupted. Half-sweeps count from 0: the bases, then the embeddings of
// alternating colour.
struct Position {
  int done = -1;  // half-sweeps done; -1: between sweeps
  double round_gain = 0, first_gain = 0, sweep_gain = 0;
};

class HalsSolver {
 public:
  HalsSolver(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start, const FitOptions& options,
             Executor& executor, Monitor& monitor, ScaleUpdates* elsewhere)
      : data_(data), graphs_(graphs), options_(options), executor_(executor), monitor_(monitor),
        start_(std::move(start)), T_(graphs.scales()), rank_(start_.path.H[0].rows()),
        settings_(hals_settings(data, rank_, options)), rounds_(hals_rounds(data, graphs, rank_)),
        local_(data, graphs, settings_, executor), updates_(elsewhere ? *elsewhere : local_) {
    states_.path = std::move(start_.path);
    states_.path.Wt.resize(T_);
    states_.path.H.resize(T_);
    states_.products.WtX.resize(T_);
    states_.products.WtW.resize(T_);
  }

  FitResult run() {
    FitResult result;
    if (start_.started) {
      import_state(result);
    } else {
      make_start();
      monitor_.keep(export_state(result), false);
    }
    try {
      sweep_on(result);
    } catch (const UpdatesFailed&) {
      monitor_.keep(export_state(result), true);
      throw;
    }
    monitor_.keep(export_state(result), true);
    if (!checked_) check_residuals(result);
    result.steps.assign(T_, static_cast<int>(result.objective.size()));
    result.path = std::move(states_.path);
    return result;
  }

 private:
  void sweep_on(FitResult& result) {
    int sweep = static_cast<int>(result.objective.size());
    while (sweep < options_.max_outer && (position_.done >= 0 || !finished(sweep, result))) {
      run_sweep(++sweep, result);
      result.objective.push_back(current_);
      if (!monitor_.sweep_done(sweep, current_, states_.path)) {
        result.stopped = sweep < options_.max_outer;
        return;
      }
      monitor_.keep(export_state(result), false);
    }
  }

  void make_start() {
    Path& path = states_.path;
    if (options_.chain_start) {
      normalize_basis(path.Wt[0], path.H[0]);
      chain_from_finest();
    } else {
      for (Index t = 0; t < T_; ++t) normalize_basis(path.Wt[t], path.H[t]);
      find_products();
      drop_bases();
    }
    current_ = objective_now();
  }

  // Without momentum the next sweep starts from the path alone.
  SolverView export_state(const FitRecord& record) const {
    return {record,
            {momentum_.now, momentum_.next, current_, 1.0 * position_.done, position_.round_gain, position_.first_gain,
             position_.sweep_gain, running_},
            states_.path,
            previous_.empty() ? nullptr : &previous_,
            settings_.all_bases ? nullptr : &states_.products,
            position_.done > 0};
  }

  void import_state(FitRecord& record) {
    const std::vector<double>& memory = start_.memory;
    const bool known = memory.size() == 8 && memory[0] >= 0 && memory[3] >= -1 && memory[3] <= 2 * most_rounds;
    if (!known || (memory[0] > 0 && start_.previous.empty()) || settings_.all_bases != start_.products.WtX.empty()) {
      throw CheckpointError("does not hold the state of this solver");
    }
    momentum_.now = memory[0];
    momentum_.next = memory[1];
    current_ = memory[2];
    position_ = {static_cast<int>(memory[3]), memory[4], memory[5], memory[6]};
    running_ = memory[7];
    find_grams(states_.path.H);
    penalty_ = penalty_terms(states_.path.H);
    record = std::move(start_.record);
    previous_ = std::move(start_.previous);
    if (settings_.all_bases) {
      find_products();
    } else {
      states_.products = std::move(start_.products);
    }
  }

  void find_products() {
    const Path& path = states_.path;
    Products& products = states_.products;
    if (data_.streamed()) {
      std::vector<const Matrix*> Wt;
      for (const Matrix& factor : path.Wt) Wt.push_back(&factor);
      products.WtX = data_.basis_products(Wt, executor_);
    }
    run_items(executor_, T_, [&](Index t, Executor& inner) {
      if (!data_.streamed()) products.WtX[t] = data_.basis_product(path.Wt[t], inner);
      products.WtW[t] = gram(path.Wt[t]);
    });
  }

  void drop_bases() {
    if (settings_.all_bases) return;
    for (Index t = 0; t < T_; ++t) {
      if (t % scales_per_basis != 0) states_.path.Wt[t].resize(0, 0);
    }
  }

  bool finished(int sweep, FitResult& result) {
    const bool due = options_.tol > 0 && sweep > 0 && sweep % sweeps_per_check == 0;
    return due && check_residuals(result);
  }

  void run_sweep(int sweep, FitResult& result) {
    if (position_.done < 0) {
      extrapolate();
      position_ = {0, 0, 0, 0};
      running_ = current_;
    }
    checked_ = false;
    if (position_.done == 0) {
      update_bases(sweep, result);
      current_ = data_terms(states_.path.H) + penalty_;
      position_.done = 1;
    }
    while (position_.done <= 2 * rounds_ && update_embeddings(sweep, result)) {
    }
    // After a steep descent little is left of the number that the gains were taken from.
    if (!(position_.sweep_gain <= 0.1 * current_)) current_ = objective_now();
    position_.done = -1;
    if (options_.extrapolate && sweep > 1) momentum_.accept();
  }

  // H <- H + momentum (H - previous H), unless that raises the objective; `previous_` becomes what H was.
  void extrapolate() {
    std::vector<Matrix>& H = states_.path.H;
    const double momentum = momentum_.now;
    if (momentum > 0) {
      run_items(executor_, T_, [&](Index t, Executor&) {
        extrapolate_nonnegative(H[t].data(), momentum, H[t].size(), previous_[t].data());
      });
      find_grams(previous_);
      const double penalty = penalty_terms(previous_), objective = data_terms(previous_) + penalty;
      if (objective <= current_) {
        std::swap(H, previous_);
        current_ = objective;
        penalty_ = penalty;
        return;
      }
      momentum_.reject();
    }
    if (options_.extrapolate) previous_ = H;
    find_grams(H);
    penalty_ = penalty_terms(H);
  }

  // Finest scale to near convergence, then every scale started from its finer neighbour. H moves first: W is still
  // the neighbour's, so W'X is at hand.
  void chain_from_finest() {
    Path& path = states_.path;
    Matrix WtX, WtW, Wt = std::move(path.Wt[0]), H = std::move(path.H[0]);
    const int finest_steps = std::min(std::max(static_cast<int>(T_), least_finest_steps), most_finest_steps);
    const int basis_passes = std::min(std::max(settings_.basis_passes, least_chain_passes), options_.max_inner);
    for (Index t = 0; t < T_; ++t) {
      const auto graph = graphs_.at(t);
      Neighbors finer = neighbors_of(path.H, t, options_.weights);
      finer.coarser = nullptr;
      const EmbeddingProblem problem{WtX, WtW, *graph, finer, options_.penalties};
      if (t > 0) update_embedding(H, problem, options_.max_inner);
      double first_gain = 0;
      for (int step = 0; step < (t == 0 ? finest_steps : chain_steps); ++step) {
        update_basis(Wt, data_.embedding_product(H, executor_), gram(H), basis_passes);
        WtX = data_.basis_product(Wt, executor_);
        WtW = gram(Wt);
        const double gain = update_embedding(H, problem, options_.max_inner);
        if (step == 0) first_gain = gain;
        if (gain <= 1e-6 * first_gain) break;
      }
      path.H[t] = H;
      path.Wt[t].resize(0, 0);
      if (settings_.all_bases || t % scales_per_basis == 0) path.Wt[t] = Wt;
      states_.products.WtX[t] = WtX;
      states_.products.WtW[t] = WtW;
    }
  }

  double data_term_of(Index t) const {
    return options_.weights.of(t) *
           data_term(data_.squared_norm(), states_.products.WtX[t], states_.products.WtW[t], states_.path.H[t]);
  }

  void update_bases(int sweep, FitResult& result) {
    Vector before = Vector::Zero(T_);
    if (options_.record) {
      for (Index t = 0; t < T_; ++t) before[t] = data_term_of(t);
    }
    updates_.update_bases(states_);
    if (!options_.record) return;
    for (Index t = 0; t < T_; ++t) {
      running_ += data_term_of(t) - before[t];
      result.updates.push_back({sweep, static_cast<int>(t), 'W', running_});
    }
  }

  // The next half of a red-black round over all embeddings; false when the sweep is done: after all rounds, or once
  // a round moves little.
  bool update_embeddings(int sweep, FitResult& result) {
    const Index colour = (position_.done - 1) % 2;
    if (colour == 0) position_.round_gain = 0;
    if (colour < T_) {
      const Vector before = local_objectives(colour);
      const double gain = updates_.update_embeddings(states_, colour).sum();
      position_.round_gain += gain;
      position_.sweep_gain += gain;
      current_ -= gain;
      record_embeddings(sweep, colour, before, result);
    }
    ++position_.done;
    if (colour == 0) return true;
    if (position_.done == 3) position_.first_gain = position_.round_gain;
    return position_.round_gain > worthwhile * position_.first_gain;
  }

  // What each embedding of a colour changes, where updates are recorded.
  Vector local_objectives(Index colour) {
    if (!options_.record) return Vector();
    const std::vector<Index> chosen = every_second(colour, T_);
    Vector value(chosen.size());
    run_with_graphs(data_, executor_, static_cast<Index>(chosen.size()), [&](Index k, Executor&) {
      const Index t = chosen[k];
      const auto graph = graphs_.at(t);
      const EmbeddingProblem problem{states_.products.WtX[t], states_.products.WtW[t], *graph,
                                     neighbors_of(states_.path.H, t, options_.weights), options_.penalties};
      value[k] = options_.weights.of(t) * local_objective(states_.path.H[t], problem, data_.squared_norm());
    });
    return value;
  }

  void record_embeddings(int sweep, Index colour, const Vector& before, FitResult& result) {
    if (!options_.record) return;
    const Vector drop = local_objectives(colour) - before;
    for (Index k = 0; k < drop.size(); ++k) {
      running_ += drop[k];
      result.updates.push_back({sweep, static_cast<int>(colour + 2 * k), 'H', running_});
    }
  }

  double objective_now() {
    find_grams(states_.path.H);
    return data_terms(states_.path.H) + penalty_terms(states_.path.H);
  }

  void find_grams(const std::vector<Matrix>& H) {
    states_.HHt.resize(T_);
    run_items(executor_, T_, [&](Index t, Executor&) { states_.HHt[t] = gram(H[t]); });
  }

  // The objective of these embeddings, whose grams are at hand, with the bases as they are is
  // data_terms + penalty_terms.
  double data_terms(const std::vector<Matrix>& H) {
    Vector own(T_);
    const Products& products = states_.products;
    run_items(executor_, T_, [&](Index t, Executor&) {
      own[t] = options_.weights.of(t) *
               data_term(data_.squared_norm(), products.WtX[t], products.WtW[t], H[t], states_.HHt[t]);
    });
    return own.sum();
  }

  double penalty_terms(const std::vector<Matrix>& H) {
    Vector own(T_);
    run_with_graphs(data_, executor_, T_, [&](Index t, Executor&) {
      own[t] = graph_term(*graphs_.at(t), H[t], options_.penalties);
      if (options_.penalties.anchor > 0) own[t] += options_.penalties.anchor * states_.HHt[t].trace();
      own[t] *= options_.weights.of(t);
      if (t > 0) own[t] += options_.weights.spring(t) * smooth_term(H[t], H[t - 1], options_.penalties);
    });
    return own.sum();
  }

  // True when the residuals of all scales are below the tolerance.
  bool check_residuals(FitResult& result) {
    const Vector residual = updates_.residuals(states_);
    result.residual.assign(residual.data(), residual.data() + T_);
    result.converged.assign(T_, 0);
    for (Index t = 0; t < T_; ++t) result.converged[t] = residual[t] <= options_.tol;
    checked_ = true;
    return std::all_of(result.converged.begin(), result.converged.end(), [](char c) { return c != 0; });
  }

  const DataMatrix& data_;
  const ScaleGraphs& graphs_;
  const FitOptions& options_;
  Executor& executor_;
  Monitor& monitor_;
  SolverState start_;
  Index T_, rank_;
  UpdateSettings settings_;
  int rounds_;
  LocalUpdates local_;
  ScaleUpdates& updates_;
  ScaleStates states_;
  std::vector<Matrix> previous_;  // the embeddings of the sweep before; during a sweep, those it began with
  bool checked_ = false;          // the residuals are those of the path
  Momentum momentum_;
  Position position_;
  double current_ = std::numeric_limits<double>::infinity();  // the objective of the path
  double penalty_ = 0;                                        // its terms without the data, until the bases have moved
  double running_ = 0;                                        // the objective along the recorded updates
};

}  // namespace

// Cheap steps may take about a quarter of the time of the data passes each: W by p d^2 flops a pass (at two thirds of
// the dense product's speed), H by n d^2 + (edges) d flops a round (at a tenth).
UpdateSettings hals_settings(const DataMatrix& data, Index rank, const FitOptions& options) {
  const double d = static_cast<double>(rank), basis_pass = 1.5 * 2 * static_cast<double>(data.features()) * d * d;
  UpdateSettings settings;
  settings.penalties = options.penalties;
  settings.weights = options.weights;
  settings.basis_passes =
      static_cast<int>(std::min(std::max(0.25 * pass_flops(data, rank) / basis_pass, 2.0), 1.0 * options.max_inner));
  settings.all_bases = options.all_bases;
  return settings;
}

int hals_rounds(const DataMatrix& data, const ScaleGraphs& graphs, Index rank) {
  const double d = static_cast<double>(rank), n = static_cast<double>(data.cells());
  const double round = 10 * (4 * n * d * d + 4 * graphs.mean_edges() * d);
  const double pass = std::max(small_pass, pass_flops(data, rank));
  return static_cast<int>(std::min<double>(std::max<double>(0.25 * pass / round, least_rounds), most_rounds));
}

FitResult fit_hals(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start, const FitOptions& options,
                   Executor& executor, Monitor& monitor, ScaleUpdates* elsewhere) {
  return HalsSolver(data, graphs, std::move(start), options, executor, monitor, elsewhere).run();
}

}  // namespace pnmf
