#include "pnmf/shards/shard.h"

#include <algorithm>

#include "pnmf/kernels/kernels.h"
#include "pnmf/solver/embedding_descent.h"

namespace pnmf {

Shard::Shard(std::unique_ptr<DataMatrix> data, ShardEdges edges, ShardModel model, std::vector<Matrix> start,
             std::unique_ptr<DataMatrix> chain_data)
    : data_(std::move(data)), chain_data_(std::move(chain_data)), model_(std::move(model)),
      graphs_(NestedGraph(data_->cells(), edges.inner), model_.thresholds, model_.alpha),
      border_(std::move(edges.crossing), data_->cells(), model_.thresholds, model_.alpha, model_.unit) {
  state_.H = std::move(start);
  state_.H.resize(scales());
}

ShardAnswer Shard::answer(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor) {
  if (request.version != state_.version) throw StateLost("a shard does not hold the requested state");
  ShardAnswer answer;
  switch (request.task) {
    case ShardTask::chain:
      answer = chain(request, ghosts, executor);
      break;
    case ShardTask::sweep:
      answer = sweep(request, ghosts, executor);
      break;
    case ShardTask::undo:
      answer = undo(request, executor);
      break;
    case ShardTask::report:
      answer = report(request, executor);
      break;
    case ShardTask::residual:
      answer = residual(request, ghosts, executor);
  }
  if (changes_state(request.task)) ++state_.version;
  answer.squared_norm = data_->squared_norm();
  answer.nonzeros = static_cast<double>(data_->nonzeros());
  return answer;
}

ShardAnswer Shard::chain(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor) {
  ShardAnswer answer;
  const Index t = request.scales[0];
  const DataMatrix& source = chain_data_ ? *chain_data_ : *data_;
  std::vector<Matrix>& H = state_.H;
  if (request.copy_finer) H[t] = H[t - 1];
  if (!request.Wt.empty()) {
    chain_WtX_ = source.basis_product(request.Wt[0], executor);
    chain_WtW_ = gram(request.Wt[0]);
  }
  if (request.rounds > 0) {
    Neighbors finer = neighbors_of(H, t, model_.weights);
    finer.coarser = nullptr;
    const BorderPull pull = border_.majorised(H[t], ghosts[0], t, model_.penalties.graph);
    Matrix r = chain_WtX_;
    border_.add(pull, r);
    answer.gain = update_embedding(H[t], {r, chain_WtW_, *graphs_.at(t), finer, model_.penalties, &pull.c},
                                   request.rounds, executor);
  }
  answer.XHt.push_back(source.embedding_product(H[t], executor));
  answer.HHt.push_back(gram(H[t]));
  answer.border.push_back(border_.values(H[t], std::min(t + 1, scales() - 1)));
  return answer;
}

void Shard::find_products(const std::vector<Matrix>& Wt, Products& products, Executor& executor) const {
  products.WtX.resize(scales());
  products.WtW.resize(scales());
  run_items(executor, scales(), [&](Index t, Executor& inner) {
    products.WtX[t] = data_->basis_product(Wt[t], inner);
    products.WtW[t] = gram(Wt[t]);
  });
}

// H <- H + lead (H - before), before <- H
void Shard::leap(const std::vector<double>& lead) {
  if (state_.before.empty()) state_.before = state_.H;
  for (Index t = 0; t < scales(); ++t) {
    Matrix &H = state_.H[t], &before = state_.before[t];
    extrapolate_nonnegative(H.data(), lead[t], H.size(), before.data());
    H.swap(before);
  }
}

ShardAnswer Shard::sweep(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor) {
  ShardAnswer answer;
  if (request.snapshot && model_.measures) state_.snapshot = state_.H;
  leap(request.lead);
  ScaleStates states;
  states.path.H.swap(state_.H);
  find_products(request.Wt, states.products, executor);
  std::vector<BorderPull> pulls(scales());
  std::vector<Vector> shift(scales());
  for (Index t = 0; request.rounds > 0 && t < scales(); ++t) {
    pulls[t] = border_.majorised(states.path.H[t], ghosts[t], t, model_.penalties.graph);
    border_.add(pulls[t], states.products.WtX[t]);
    shift[t].swap(pulls[t].c);
  }
  const UpdateSettings settings{model_.penalties, model_.weights, 1, request.rounds, false};
  if (request.rounds > 0) EmbeddingDescent(*data_, graphs_, settings, executor, &shift).descend(states);
  state_.H.swap(states.path.H);
  for (Index t = 0; t < scales(); ++t) {
    border_.round(state_.H[t], t);
    answer.border.push_back(border_.values(state_.H[t], t));
  }
  add_objective(states.products, pulls, answer);
  add_steps(answer);
  add_movement(answer);
  add_sums(request, answer, executor);
  return answer;
}

// products.WtX holds W'X + r of the pulls.
void Shard::add_objective(const Products& products, const std::vector<BorderPull>& pulls, ShardAnswer& answer) const {
  for (Index t = 0; t < scales(); ++t) {
    const Matrix& H = state_.H[t];
    const Matrix HHt = gram(H);
    answer.own.push_back(data_term(2 * border_.inner_product(pulls[t], H), products.WtX[t], products.WtW[t], H, HHt) +
                         graph_term(*graphs_.at(t), H, model_.penalties) + model_.penalties.anchor * HHt.trace());
  }
}

void Shard::add_steps(ShardAnswer& answer) const {
  answer.step.assign(scales(), 0);
  for (Index t = 1; t < scales(); ++t) {
    answer.step[t] = smooth_term(state_.H[t], state_.H[t - 1], model_.penalties);
  }
}

void Shard::add_movement(ShardAnswer& answer) const {
  if (state_.snapshot.empty()) return;
  for (Index t = 0; t < scales(); ++t) {
    const Matrix& H = state_.H[t];
    answer.moved.push_back(squared_change(H.data(), state_.snapshot[t].data(), 1, H.size()));
    answer.length.push_back(inner_product(H, H));
  }
}

void Shard::add_sums(const ShardRequest& request, ShardAnswer& answer, Executor& executor) const {
  answer.XHt.resize(request.scales.size());
  answer.HHt.resize(request.scales.size());
  run_items(executor, static_cast<Index>(request.scales.size()), [&](Index k, Executor& inner) {
    const Index t = request.scales[k];
    const Matrix& H = state_.H[t];
    Matrix ahead = state_.before[t];
    extrapolate_nonnegative(H.data(), request.next_lead[t], H.size(), ahead.data());
    answer.XHt[k] = data_->embedding_product(ahead, inner);
    answer.HHt[k] = gram(ahead);
  });
}

ShardAnswer Shard::undo(const ShardRequest& request, Executor& executor) {
  ShardAnswer answer;
  for (Index t : request.scales) state_.H[t] = state_.before[t];
  add_steps(answer);
  add_movement(answer);
  add_sums(request, answer, executor);
  return answer;
}

ShardAnswer Shard::report(const ShardRequest& request, Executor& executor) const {
  ShardAnswer answer;
  add_sums(request, answer, executor);
  for (Index t = 0; t < scales(); ++t) {
    answer.border.push_back(border_.values(state_.H[t], t));
    answer.before.push_back(border_.values(state_.before[t], t));
  }
  return answer;
}

ShardAnswer Shard::residual(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor) const {
  ShardAnswer answer;
  Products products;
  find_products(request.Wt, products, executor);
  const std::vector<Matrix>& H = state_.H;
  answer.residual.resize(scales());
  run_items(executor, scales(), [&](Index t, Executor&) {
    const BorderPull pull = border_.exact(ghosts[t], t, model_.penalties.graph);
    border_.add(pull, products.WtX[t]);
    answer.residual[t] = embedding_residual(H[t], {products.WtX[t], products.WtW[t], *graphs_.at(t),
                                                   neighbors_of(H, t, model_.weights), model_.penalties, &pull.c});
  });
  for (Index t = 0; t < scales(); ++t) {
    answer.XHt.push_back(data_->embedding_product(H[t], executor));
    answer.HHt.push_back(gram(H[t]));
  }
  return answer;
}

}  // namespace pnmf
