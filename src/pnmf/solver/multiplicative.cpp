#include "pnmf/solver/multiplicative.h"

#include <algorithm>
#include <cmath>

#include "pnmf/kernels/kernels.h"
#include "pnmf/solver/gnmf.h"
#include "pnmf/solver/multiplicative_updates.h"
#include "pnmf/state/checkpoint.h"

namespace pnmf {
namespace {

// Visits the scales one after another; subclasses define a visit.
class SequentialSolver {
 public:
  SequentialSolver(const DataMatrix& data, const ScaleGraphs& graphs, FitState start, const FitOptions& options,
                   Executor& executor, Monitor& monitor)
      : data_(data), graphs_(graphs), options_(options), executor_(executor), monitor_(monitor), T_(graphs.scales()),
        state_(std::move(start)) {}
  virtual ~SequentialSolver() = default;

  FitResult run() {
    if (state_.started) {
      check_state();
    } else {
      make_start();
      offer_state(false);
    }
    int sweep = state_.progress.sweeps();
    bool stopped = false;
    while (sweep < options_.max_outer && !finished(sweep)) {
      ++sweep;
      for (Index t = 0; t < T_; ++t) visit(sweep, t);
      record().objective.push_back(total());
      if (!monitor_.on_sweep(sweep, record().objective.back())) {
        stopped = sweep < options_.max_outer && !finished(sweep);
        break;
      }
      offer_state(false);
    }
    offer_state(true);
    // If the fit was stopped early, a settled visit does not mean that the path has converged.
    if (stopped) record().converged.assign(T_, 0);
    finish();
    FitResult result;
    static_cast<FitRecord&>(result) = std::move(record());
    result.stopped = stopped;
    result.path = {std::move(bases()), std::move(embeddings())};
    return result;
  }

 protected:
  virtual void prepare() {}
  // One W/H step; leaves the scale's own terms in own()[t].
  virtual void step(int sweep, Index t, const ScaleGraph& graph) = 0;
  // Whether a visit that starts from this loss takes no step at all.
  virtual bool skips(double) { return false; }
  virtual bool done(double previous, double now) = 0;
  virtual void finish() {}

  std::vector<Matrix>& bases() { return state_.Wt; }
  std::vector<Matrix>& embeddings() { return state_.held.H; }
  FitRecord& record() { return state_.progress.record; }
  // The scales' own terms are kept: recomputed from other products, they would differ in the last digits.
  std::vector<double>& own() { return state_.progress.own; }

  void make_start() {
    record().residual.assign(T_, 0.0);
    record().steps.assign(T_, 0);
    record().converged.assign(T_, 0);
    prepare();
    own().resize(T_);
    for (Index t = 0; t < T_; ++t) {
      own()[t] = terms_of(t, data_.basis_product(bases()[t], executor_), gram(bases()[t]), *graphs_.at(t));
    }
    state_.progress.first_objective = total();
  }

  void offer_state(bool last) {
    const Progress& progress = state_.progress;
    if (!monitor_.wants_state(progress.sweeps(), last)) return;
    monitor_.on_state({true, progress, state_.Wt, state_.held, data_.cells()});
  }

  void check_state() {
    const bool known = static_cast<Index>(own().size()) == T_ && state_.progress.momentum.empty() &&
                       static_cast<Index>(embeddings().size()) == T_ && !record().steps.empty() &&
                       !record().residual.empty() && !record().converged.empty();
    if (!known) throw CheckpointError("does not hold the state of this solver");
  }

  bool finished(int sweep) {
    const std::vector<double>& objective = record().objective;
    return sweep > 0 && done(sweep > 1 ? objective[sweep - 2] : state_.progress.first_objective, objective[sweep - 1]);
  }

  void visit(int sweep, Index t) {
    const auto graph = graphs_.at(t);
    double previous = local(t);
    record().steps[t] = 0;
    record().converged[t] = skips(previous);
    if (record().converged[t]) return;
    for (int inner = 0; inner < options_.max_inner; ++inner) {
      executor_.poll();
      step(sweep, t, *graph);
      ++record().steps[t];
      const double now = local(t);
      record().residual[t] = std::abs(previous - now) / std::max(std::abs(previous), 1e-300);
      if (has_settled(previous, now, options_.tol)) {
        record().converged[t] = 1;
        break;
      }
      previous = now;
    }
  }

  Neighbors neighbors(Index t) {
    return {t > 0 ? &embeddings()[t - 1] : nullptr, t + 1 < T_ ? &embeddings()[t + 1] : nullptr};
  }

  // Terms that belong to scale t alone.
  double terms_of(Index t, const Matrix& WtX, const Matrix& WtW, const ScaleGraph& graph) {
    return data_term(data_.squared_norm(), WtX, WtW, embeddings()[t]) +
           embedding_terms(graph, embeddings()[t], options_.penalties);
  }

  double coupling(Index t) {
    double sum = 0;
    const Neighbors near = neighbors(t);
    if (near.finer) sum += smooth_term(embeddings()[t], *near.finer, options_.penalties);
    if (near.coarser) sum += smooth_term(embeddings()[t], *near.coarser, options_.penalties);
    return sum;
  }

  // f_t, the subproblem's loss.
  double local(Index t) { return own()[t] + coupling(t); }

  double total() {
    double sum = total_smooth_term(embeddings(), options_.penalties);
    for (double terms : own()) sum += terms;
    return sum;
  }

  void log_update(int sweep, Index t, char block) {
    if (options_.record) record().updates.push_back({sweep, static_cast<int>(t), block, total()});
  }

  const DataMatrix& data_;
  const ScaleGraphs& graphs_;
  const FitOptions& options_;
  Executor& executor_;
  Monitor& monitor_;
  Index T_;
  FitState state_;
};

class PaperSolver : public SequentialSolver {
 public:
  using SequentialSolver::SequentialSolver;

 protected:
  void step(int sweep, Index t, const ScaleGraph& graph) override {
    Matrix &Wt = bases()[t], &H = embeddings()[t];
    const Matrix WtX = data_.basis_product(Wt, executor_), WtW = gram(Wt);
    update_embedding_lin(H, {WtX, WtW, graph, neighbors(t), options_.penalties}, 2);
    if (options_.record) {
      own()[t] = terms_of(t, WtX, WtW, graph);
      log_update(sweep, t, 'H');
    }
    const Matrix XHt = data_.embedding_product(H, executor_), HHt = gram(H);
    update_basis_lin(Wt, XHt, HHt, 2);
    own()[t] =
        data_term_by_features(data_.squared_norm(), XHt, HHt, Wt) + embedding_terms(graph, H, options_.penalties);
    log_update(sweep, t, 'W');
  }
  bool done(double previous, double now) override { return has_settled(previous, now, options_.tol); }
  void finish() override {
    for (Index t = 0; t < T_; ++t) normalize_basis_sums(bases()[t], embeddings()[t]);
  }
};

class AuthorsSolver : public SequentialSolver {
 public:
  using SequentialSolver::SequentialSolver;

 protected:
  // Graph-regularised fits from the coarsest scale to the finest, each started from the coarser one's result.
  void prepare() override {
    if (!options_.chain_start) return;
    for (Index t = T_ - 1; t >= 0; --t) {
      if (t + 1 < T_) {
        bases()[t] = bases()[t + 1];
        embeddings()[t] = embeddings()[t + 1];
      }
      GnmfOptions gnmf;
      gnmf.lambda = options_.penalties.graph;
      gnmf.max_steps = options_.max_inner;
      gnmf.tol = options_.tol;
      fit_gnmf(data_, *graphs_.at(t), bases()[t], embeddings()[t], gnmf, executor_);
    }
  }
  void step(int sweep, Index t, const ScaleGraph& graph) override {
    Matrix &Wt = bases()[t], &H = embeddings()[t];
    const Matrix HHt = gram(H);
    update_basis_lin(Wt, data_.embedding_product(H, executor_), HHt, 1);
    const Matrix WtX = data_.basis_product(Wt, executor_), WtW = gram(Wt);
    update_embedding_lin(H, {WtX, WtW, graph, neighbors(t), options_.penalties}, 1);
    // The data term does not change with the normalisation, the others do.
    const double data = data_term(data_.squared_norm(), WtX, WtW, H);
    normalize_basis(Wt, H);
    own()[t] = data + embedding_terms(graph, H, options_.penalties);
    log_update(sweep, t, 'H');
  }
  bool skips(double loss) override { return has_settled(released_first_loss, loss, options_.tol); }
  bool done(double, double) override { return false; }
};

}  // namespace

FitResult fit_multiplicative(const DataMatrix& data, const ScaleGraphs& graphs, FitState start,
                             const FitOptions& options, Executor& executor, Monitor& monitor) {
  return PaperSolver(data, graphs, std::move(start), options, executor, monitor).run();
}

FitResult fit_authors(const DataMatrix& data, const ScaleGraphs& graphs, FitState start, const FitOptions& options,
                      Executor& executor, Monitor& monitor) {
  return AuthorsSolver(data, graphs, std::move(start), options, executor, monitor).run();
}

}  // namespace pnmf
