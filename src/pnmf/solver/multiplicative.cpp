#include "pnmf/solver/multiplicative.h"

#include <algorithm>
#include <cmath>

#include "pnmf/kernels/kernels.h"
#include "pnmf/solver/gnmf_multiplicative.h"
#include "pnmf/solver/multiplicative_updates.h"
#include "pnmf/state/checkpoint.h"

namespace pnmf {
namespace {

// Visits the scales one after another; subclasses define a visit.
class SequentialSolver {
 public:
  SequentialSolver(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start, const FitOptions& options,
                   Executor& executor, Monitor& monitor)
      : data_(data), graphs_(graphs), options_(options), executor_(executor), monitor_(monitor), T_(graphs.scales()),
        start_(std::move(start)) {
    result_.path = std::move(start_.path);
    result_.residual.assign(T_, 0.0);
    result_.steps.assign(T_, 0);
    result_.converged.assign(T_, 0);
  }
  virtual ~SequentialSolver() = default;

  FitResult run() {
    if (start_.started) {
      import_state();
    } else {
      make_start();
      monitor_.on_state(export_state(), false);
    }
    int sweep = static_cast<int>(result_.objective.size());
    while (sweep < options_.max_outer && !finished(sweep)) {
      ++sweep;
      for (Index t = 0; t < T_; ++t) visit(sweep, t);
      result_.objective.push_back(total());
      if (!monitor_.on_sweep(sweep, result_.objective.back(), path())) {
        result_.stopped = sweep < options_.max_outer && !finished(sweep);
        break;
      }
      monitor_.on_state(export_state(), false);
    }
    monitor_.on_state(export_state(), true);
    // If the fit was stopped early, a settled visit does not mean that the path has converged.
    if (result_.stopped) result_.converged.assign(T_, 0);
    finish();
    return std::move(result_);
  }

 protected:
  virtual void prepare() {}
  // One W/H step; leaves the scale's own terms in own_[t].
  virtual void step(int sweep, Index t, const ScaleGraph& graph) = 0;
  // Whether a visit that starts from this loss takes no step at all.
  virtual bool skips(double) { return false; }
  virtual bool done(double previous, double now) = 0;
  virtual void finish() {}

  Path& path() { return result_.path; }

  void make_start() {
    prepare();
    own_.resize(T_);
    for (Index t = 0; t < T_; ++t) {
      own_[t] = own_terms(t, data_.basis_product(path().Wt[t], executor_), gram(path().Wt[t]), *graphs_.at(t));
    }
    first_ = total();
  }

  // The scales' own terms are kept: recomputed from other products, they would differ in the last digits.
  SolverView export_state() const {
    return {result_, {{"own terms", own_}, {"first objective", {first_}}}, result_.path};
  }

  void import_state() {
    const Numbers& numbers = start_.numbers;
    const bool known = numbers.size() == 2 && numbers[0].first == "own terms" && numbers[1].second.size() == 1 &&
                       static_cast<Index>(numbers[0].second.size()) == T_;
    if (!known || start_.record.steps.empty() || start_.record.residual.empty() || start_.record.converged.empty() ||
        !start_.ahead.empty() || !start_.products.WtX.empty()) {
      throw CheckpointError("does not hold the state of this solver");
    }
    own_ = numbers[0].second;
    first_ = numbers[1].second[0];
    static_cast<FitRecord&>(result_) = std::move(start_.record);
  }

  bool finished(int sweep) {
    const std::vector<double>& objective = result_.objective;
    return sweep > 0 && done(sweep > 1 ? objective[sweep - 2] : first_, objective[sweep - 1]);
  }

  void visit(int sweep, Index t) {
    const auto graph = graphs_.at(t);
    double previous = local(t);
    result_.steps[t] = 0;
    result_.converged[t] = skips(previous);
    if (result_.converged[t]) return;
    for (int inner = 0; inner < options_.max_inner; ++inner) {
      executor_.poll();
      step(sweep, t, *graph);
      ++result_.steps[t];
      const double now = local(t);
      result_.residual[t] = std::abs(previous - now) / std::max(std::abs(previous), 1e-300);
      if (has_settled(previous, now, options_.tol)) {
        result_.converged[t] = 1;
        break;
      }
      previous = now;
    }
  }

  Neighbors neighbors(Index t) { return {t > 0 ? &path().H[t - 1] : nullptr, t + 1 < T_ ? &path().H[t + 1] : nullptr}; }

  // Terms that belong to scale t alone.
  double own_terms(Index t, const Matrix& WtX, const Matrix& WtW, const ScaleGraph& graph) {
    return data_term(data_.squared_norm(), WtX, WtW, path().H[t]) +
           embedding_terms(graph, path().H[t], options_.penalties);
  }

  double coupling(Index t) {
    double sum = 0;
    const Neighbors near = neighbors(t);
    if (near.finer) sum += smooth_term(path().H[t], *near.finer, options_.penalties);
    if (near.coarser) sum += smooth_term(path().H[t], *near.coarser, options_.penalties);
    return sum;
  }

  // f_t, the subproblem's loss.
  double local(Index t) { return own_[t] + coupling(t); }

  double total() {
    double sum = total_smooth_term(path().H, options_.penalties);
    for (double terms : own_) sum += terms;
    return sum;
  }

  void record(int sweep, Index t, char block) {
    if (options_.record) result_.updates.push_back({sweep, static_cast<int>(t), block, total()});
  }

  const DataMatrix& data_;
  const ScaleGraphs& graphs_;
  const FitOptions& options_;
  Executor& executor_;
  Monitor& monitor_;
  Index T_;
  SolverState start_;
  FitResult result_;
  std::vector<double> own_;
  double first_ = 0;  // the objective of the start
};

class PaperSolver : public SequentialSolver {
 public:
  using SequentialSolver::SequentialSolver;

 protected:
  void step(int sweep, Index t, const ScaleGraph& graph) override {
    Matrix &Wt = path().Wt[t], &H = path().H[t];
    const Matrix WtX = data_.basis_product(Wt, executor_), WtW = gram(Wt);
    update_embedding_lin(H, {WtX, WtW, graph, neighbors(t), options_.penalties}, 2);
    if (options_.record) {
      own_[t] = own_terms(t, WtX, WtW, graph);
      record(sweep, t, 'H');
    }
    const Matrix XHt = data_.embedding_product(H, executor_), HHt = gram(H);
    update_basis_lin(Wt, XHt, HHt, 2);
    own_[t] = data_term_by_features(data_.squared_norm(), XHt, HHt, Wt) + embedding_terms(graph, H, options_.penalties);
    record(sweep, t, 'W');
  }
  bool done(double previous, double now) override { return has_settled(previous, now, options_.tol); }
  void finish() override {
    for (Index t = 0; t < T_; ++t) normalize_basis_sums(path().Wt[t], path().H[t]);
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
        path().Wt[t] = path().Wt[t + 1];
        path().H[t] = path().H[t + 1];
      }
      GnmfOptions gnmf;
      gnmf.lambda = options_.penalties.graph;
      gnmf.max_steps = options_.max_inner;
      gnmf.tol = options_.tol;
      fit_gnmf(data_, *graphs_.at(t), path().Wt[t], path().H[t], gnmf, executor_);
    }
  }
  void step(int sweep, Index t, const ScaleGraph& graph) override {
    Matrix &Wt = path().Wt[t], &H = path().H[t];
    const Matrix HHt = gram(H);
    update_basis_lin(Wt, data_.embedding_product(H, executor_), HHt, 1);
    const Matrix WtX = data_.basis_product(Wt, executor_), WtW = gram(Wt);
    update_embedding_lin(H, {WtX, WtW, graph, neighbors(t), options_.penalties}, 1);
    // The data term does not change with the normalisation, the others do.
    const double data = data_term(data_.squared_norm(), WtX, WtW, H);
    normalize_basis(Wt, H);
    own_[t] = data + embedding_terms(graph, H, options_.penalties);
    record(sweep, t, 'H');
  }
  bool skips(double loss) override { return has_settled(released_first_loss, loss, options_.tol); }
  bool done(double, double) override { return false; }
};

}  // namespace

FitResult fit_multiplicative(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start,
                             const FitOptions& options, Executor& executor, Monitor& monitor) {
  return PaperSolver(data, graphs, std::move(start), options, executor, monitor).run();
}

FitResult fit_authors(const DataMatrix& data, const ScaleGraphs& graphs, SolverState start, const FitOptions& options,
                      Executor& executor, Monitor& monitor) {
  return AuthorsSolver(data, graphs, std::move(start), options, executor, monitor).run();
}

}  // namespace pnmf
