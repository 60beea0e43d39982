#include "pnmf/solver/held_cells.h"

#include "pnmf/kernels/kernels.h"

namespace pnmf {

void HeldCells::restore(HeldState state) {
  state_ = std::move(state);
  state_.H.resize(scales());
  products_.WtX.assign(scales(), Matrix());
  products_.WtW.assign(scales(), Matrix());
}

Sums HeldCells::start_sums(Index t, Executor& executor) const {
  const DataMatrix& source = start_data_ ? *start_data_ : data_;
  return {source.embedding_product(state_.H[t], executor), gram(state_.H[t])};
}

double HeldCells::start_step(Index t, const Matrix* Wt, int rounds, const BorderMatrices& ghosts, Executor& executor) {
  const DataMatrix& source = start_data_ ? *start_data_ : data_;
  std::vector<Matrix>& H = state_.H;
  Matrix &WtX = products_.WtX[t], &WtW = products_.WtW[t];
  if (Wt) {
    WtX = source.basis_product(*Wt, executor);
    WtW = gram(*Wt);
  } else {
    H[t] = H[t - 1];
    WtX = products_.WtX[t - 1];
    WtW = products_.WtW[t - 1];
  }
  Neighbors finer = neighbors_of(H, t, model_.weights);
  finer.coarser = nullptr;
  const auto graph = graphs_.at(t);
  if (!border_) return update_embedding(H[t], {WtX, WtW, *graph, finer, model_.penalties}, rounds, executor);
  const BorderPull pull = border_->majorised(H[t], ghosts[0], t, model_.penalties.graph);
  Matrix pulled = WtX;
  border_->add(pull, pulled);
  return update_embedding(H[t], {pulled, WtW, *graph, finer, model_.penalties, &pull.c}, rounds, executor);
}

PathTerms HeldCells::take_bases(const std::vector<Matrix>& Wt, Executor& executor) {
  // The products of the chain are those of the data only if it factorised the data.
  if (start_data_) products_.WtX.assign(scales(), Matrix());
  start_data_.reset();
  find_missing_products(Wt, executor);
  for (Index t = 0; border_ && t < scales(); ++t) border_->round(state_.H[t], t);
  return terms({}, executor);
}

// H <- H + step (H - before), before <- H
void HeldCells::extrapolate(const SweepOrder& order, Executor& executor) {
  if (order.step.empty()) return;
  if (order.begins_window) state_.snapshot = state_.H;
  if (state_.before.empty()) state_.before = state_.H;
  executor.run(scales(), [&](Index t) {
    Matrix &H = state_.H[t], &before = state_.before[t];
    extrapolate_nonnegative(H.data(), order.step[t], H.size(), before.data());
    H.swap(before);
  });
}

std::vector<Sums> HeldCells::sums(Executor& executor) {
  products_.WtX.assign(scales(), Matrix());
  std::vector<const Matrix*> H;
  for (const Matrix& of_scale : state_.H) H.push_back(&of_scale);
  std::vector<Matrix> XHt = data_.embedding_products(H, executor);
  std::vector<Sums> sums(H.size());
  executor.run(scales(), [&](Index t) {
    sums[t].XHt.swap(XHt[t]);
    sums[t].HHt = gram(*H[t]);
  });
  return sums;
}

Sums HeldCells::next_sums(Index t, double next_step, Executor& executor) const {
  const Matrix& H = state_.H[t];
  Matrix extrapolated = state_.before.empty() ? H : state_.before[t];
  extrapolate_nonnegative(H.data(), next_step, H.size(), extrapolated.data());
  return {data_.embedding_product(extrapolated, executor), gram(extrapolated)};
}

PathTerms HeldCells::end_sweep(const std::vector<Matrix>& Wt, int rounds, const BorderMatrices& ghosts, UpdateLog* log,
                               Executor& executor) {
  products_.WtX.assign(scales(), Matrix());
  find_missing_products(Wt, executor);
  const std::vector<BorderPull> pulls = add_pulls(ghosts);
  std::vector<Vector> shift;
  for (const BorderPull& pull : pulls) shift.push_back(pull.c);
  EmbeddingDescent(products_, graphs_, model_, shift, executor, log).descend(state_.H, rounds);
  for (Index t = 0; border_ && t < scales(); ++t) border_->round(state_.H[t], t);
  const PathTerms done = terms(pulls, executor);
  if (border_) products_.WtX.assign(scales(), Matrix());  // with the pulls, they are no longer W'X
  return done;
}

// One scale after the other, so that only one product and one graph exist at a time.
PathTerms HeldCells::refine(const std::vector<Matrix>& Wt, int rounds, Executor& executor) {
  PathTerms done;
  for (Index t = 0; t < scales(); ++t) {
    Matrix& H = state_.H[t];
    const Matrix WtX = data_.basis_product(Wt[t], executor), WtW = gram(Wt[t]);
    const auto graph = graphs_.at(t);
    update_embedding(H, {WtX, WtW, *graph, neighbors_of(state_.H, t, model_.weights), model_.penalties}, rounds,
                     executor);
    done.own.push_back(own_terms(data_.squared_norm(), WtX, WtW, *graph, H, model_.penalties));
  }
  add_changes(done, executor);
  return done;
}

PathTerms HeldCells::undo(const std::vector<Index>& scales, Executor& executor) {
  for (Index t : scales) {
    state_.H[t] = state_.before[t];
    products_.WtX[t].resize(0, 0);
  }
  PathTerms changed;
  add_changes(changed, executor);
  return changed;
}

std::vector<double> HeldCells::residuals(const std::vector<Matrix>& Wt, const BorderMatrices& ghosts,
                                         Executor& executor) {
  find_missing_products(Wt, executor);
  const std::vector<Matrix>& H = state_.H;
  std::vector<double> residual(scales());
  run_with_graphs(graphs_, executor, scales(), [&](Index t) {
    BorderPull pull;
    if (border_) pull = border_->exact(ghosts[t], t, model_.penalties.graph);
    if (border_) border_->add(pull, products_.WtX[t]);
    residual[t] =
        embedding_residual(H[t], {products_.WtX[t], products_.WtW[t], *graphs_.at(t),
                                  neighbors_of(H, t, model_.weights), model_.penalties, border_ ? &pull.c : nullptr});
  });
  return residual;
}

void HeldCells::find_missing_products(const std::vector<Matrix>& Wt, Executor& executor) {
  std::vector<Index> missing;
  std::vector<const Matrix*> bases;
  for (Index t = 0; t < scales(); ++t) {
    if (products_.WtX[t].size() > 0) continue;
    missing.push_back(t);
    bases.push_back(&Wt[t]);
  }
  if (missing.empty()) return;
  std::vector<Matrix> WtX = data_.basis_products(bases, executor);
  executor.run(static_cast<Index>(missing.size()), [&](Index k) {
    products_.WtX[missing[k]].swap(WtX[k]);
    products_.WtW[missing[k]] = gram(*bases[k]);
  });
}

std::vector<BorderPull> HeldCells::add_pulls(const BorderMatrices& ghosts) {
  std::vector<BorderPull> pulls;
  for (Index t = 0; border_ && t < scales(); ++t) {
    pulls.push_back(border_->majorised(state_.H[t], ghosts[t], t, model_.penalties.graph));
    border_->add(pulls[t], products_.WtX[t]);
  }
  return pulls;
}

// products_.WtX holds W'X + r of the pulls.
PathTerms HeldCells::terms(const std::vector<BorderPull>& pulls, Executor& executor) const {
  PathTerms terms;
  terms.own.resize(scales());
  run_with_graphs(graphs_, executor, scales(), [&](Index t) {
    const Matrix& H = state_.H[t];
    double constant = data_.squared_norm();
    if (!pulls.empty()) constant += 2 * border_->inner_product(pulls[t], H);
    terms.own[t] = own_terms(constant, products_.WtX[t], products_.WtW[t], *graphs_.at(t), H, model_.penalties);
  });
  add_changes(terms, executor);
  return terms;
}

void HeldCells::add_changes(PathTerms& terms, Executor& executor) const {
  const std::vector<Matrix>& H = state_.H;
  const bool measures = !state_.snapshot.empty();
  terms.step.assign(scales(), 0);
  terms.moved.assign(measures ? scales() : 0, 0);
  terms.length.assign(measures ? scales() : 0, 0);
  executor.run(scales(), [&](Index t) {
    if (t > 0) terms.step[t] = smooth_term(H[t], H[t - 1], model_.penalties);
    if (!measures) return;
    terms.moved[t] = squared_change(H[t].data(), state_.snapshot[t].data(), 1, H[t].size());
    terms.length[t] = inner_product(H[t], H[t]);
  });
}

PathTerms LocalCells::end_sweep(const std::vector<Matrix>& Wt, const SweepOrder& order, UpdateLog* log) {
  if (order.step.empty() && !log) return cells_.refine(Wt, order.rounds, executor_);
  return cells_.end_sweep(Wt, order.rounds, {}, log, executor_);
}

LocalCells::LocalCells(const DataMatrix& data, const ScaleGraphs& graphs, const Model& model,
                       std::shared_ptr<const DataMatrix> start_data, Executor& executor)
    : cells_(data, graphs, model, nullptr, std::move(start_data)), size_{static_cast<double>(data.features()),
                                                                         static_cast<double>(data.cells()),
                                                                         static_cast<double>(data.nonzeros()),
                                                                         data.squared_norm(), graphs.mean_edges()},
      executor_(executor) {}

PathTerms LocalCells::undo(const std::vector<char>& chosen, const std::vector<double>&) {
  return cells_.undo(chosen_scales(chosen), executor_);
}

Vector LocalCells::residuals(const std::vector<Matrix>& Wt) {
  const std::vector<double> of_embeddings = cells_.residuals(Wt, {}, executor_);
  return whole_residuals(Wt, cells_.sums(executor_), of_embeddings, size_.squared_norm, executor_);
}

Vector whole_residuals(const std::vector<Matrix>& Wt, const std::vector<Sums>& sums,
                       const std::vector<double>& of_embeddings, double squared_norm, Executor& executor) {
  Vector residual = ConstVectorMap(of_embeddings.data(), static_cast<Index>(of_embeddings.size()));
  executor.run(residual.size(), [&](Index t) { residual[t] += basis_residual(Wt[t], sums[t].XHt, sums[t].HHt); });
  return residual / squared_norm;
}

std::vector<Index> chosen_scales(const std::vector<char>& chosen) {
  std::vector<Index> scales;
  for (std::size_t t = 0; t < chosen.size(); ++t) {
    if (chosen[t]) scales.push_back(static_cast<Index>(t));
  }
  return scales;
}

}  // namespace pnmf
