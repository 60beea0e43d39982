#include "pnmf/shards/shard.h"

#include <algorithm>

namespace pnmf {

Shard::Shard(std::unique_ptr<DataMatrix> data, ShardEdges edges, ShardModel model, std::vector<Matrix> start,
             std::shared_ptr<const DataMatrix> start_data)
    : data_(std::move(data)), model_(std::move(model)),
      graphs_(NestedGraph(data_->cells(), edges.inner), model_.thresholds, model_.alpha),
      border_(std::move(edges.crossing), data_->cells(), model_.thresholds, model_.alpha, model_.unit),
      held_(*data_, graphs_, model_, &border_, std::move(start_data)) {
  HeldState state;
  state.H = std::move(start);
  held_.restore(std::move(state));
}

bool Shard::restore(HeldState state, int version) {
  const auto fits = [&](const std::vector<Matrix>& H) {
    return static_cast<Index>(H.size()) == held_.scales() &&
           std::all_of(H.begin(), H.end(), [&](const Matrix& of_scale) {
             return of_scale.rows() == H[0].rows() && of_scale.cols() == cells();
           });
  };
  const bool known = state.version == version && fits(state.H) && (state.before.empty() || fits(state.before)) &&
                     (state.snapshot.empty() || fits(state.snapshot)) && state.H[0].rows() == model_.rank;
  if (!known) return false;
  held_.restore(std::move(state));
  version_ = version;
  return true;
}

ShardAnswer Shard::answer(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor) {
  if (request.version != version_) throw StateLost("a shard does not hold the requested state");
  ShardAnswer answer;
  switch (static_cast<ShardTask>(request.task)) {
    case ShardTask::start:
      answer = start_step(request, ghosts, executor);
      break;
    case ShardTask::bases:
      answer.terms = held_.take_bases(request.Wt, executor);
      answer.border = borders(state().H);
      add_sums(request, answer, executor);
      break;
    case ShardTask::sweep:
      answer = sweep(request, ghosts, executor);
      break;
    case ShardTask::undo:
      answer.terms = held_.undo({request.scales.begin(), request.scales.end()}, executor);
      add_sums(request, answer, executor);
      break;
    case ShardTask::report:
      answer = report(request, executor);
      break;
    case ShardTask::residual:
      answer.residual = held_.residuals(request.Wt, ghosts, executor);
      answer.sums = held_.sums(executor);
  }
  if (request.changes_state()) ++version_;
  return answer;
}

ShardAnswer Shard::start_step(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor) {
  ShardAnswer answer;
  const Index t = request.scales.at(0);
  if (request.order.rounds > 0) {
    const Matrix* Wt = request.Wt.empty() ? nullptr : &request.Wt[0];
    answer.gain = held_.start_step(t, Wt, request.order.rounds, ghosts, executor);
  }
  answer.sums.push_back(held_.start_sums(t, executor));
  answer.border.push_back(border_.values(state().H[t], std::min(t + 1, held_.scales() - 1)));
  return answer;
}

ShardAnswer Shard::sweep(const ShardRequest& request, const BorderMatrices& ghosts, Executor& executor) {
  ShardAnswer answer;
  held_.extrapolate(request.order, executor);
  answer.terms = held_.end_sweep(request.Wt, request.order.rounds, ghosts, nullptr, executor);
  answer.border = borders(state().H);
  add_sums(request, answer, executor);
  return answer;
}

ShardAnswer Shard::report(const ShardRequest& request, Executor& executor) const {
  ShardAnswer answer;
  add_sums(request, answer, executor);
  answer.border = borders(state().H);
  answer.before = state().before.empty() ? answer.border : borders(state().before);
  return answer;
}

void Shard::add_sums(const ShardRequest& request, ShardAnswer& answer, Executor& executor) const {
  for (int t : request.scales) answer.sums.push_back(held_.next_sums(t, request.order.next_step[t], executor));
}

BorderMatrices Shard::borders(const std::vector<Matrix>& H) const {
  BorderMatrices values;
  for (std::size_t t = 0; t < H.size(); ++t) values.push_back(border_.values(H[t], static_cast<Index>(t)));
  return values;
}

}  // namespace pnmf
