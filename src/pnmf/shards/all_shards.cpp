#include "pnmf/shards/all_shards.h"

#include <numeric>

#include "pnmf/solver/hals_updates.h"
#include "pnmf/solver/path_objective.h"

namespace pnmf {

Matrix sum_of(const std::vector<ShardAnswer>& answers, std::vector<Matrix> ShardAnswer::*part, std::size_t k) {
  Matrix total = (answers[0].*part)[k];
  for (std::size_t s = 1; s < answers.size(); ++s) total += (answers[s].*part)[k];
  return total;
}

Vector sum_of(const std::vector<ShardAnswer>& answers, std::vector<double> ShardAnswer::*part) {
  const std::vector<double>& first = answers[0].*part;
  Vector total = ConstVectorMap(first.data(), static_cast<Index>(first.size()));
  for (std::size_t s = 1; s < answers.size(); ++s) total += ConstVectorMap((answers[s].*part).data(), total.size());
  return total;
}

double sum_of(const std::vector<ShardAnswer>& answers, double ShardAnswer::*part) {
  double total = 0;
  for (const ShardAnswer& answer : answers) total += answer.*part;
  return total;
}

Borders::Values take_borders(std::vector<ShardAnswer>& answers, BorderMatrices ShardAnswer::*part) {
  Borders::Values values;
  for (ShardAnswer& answer : answers) values.push_back(std::move(answer.*part));
  return values;
}

ShardRequest AllShards::request(ShardTask task, const ShardedState& state) const {
  ShardRequest request;
  request.task = task;
  request.version = state.version;
  request.scales.resize(T_);
  std::iota(request.scales.begin(), request.scales.end(), 0);
  return request;
}

Vector AllShards::sweep(ShardedState& state, int rounds, std::vector<double> next_lead) {
  ShardRequest request = this->request(ShardTask::sweep, state);
  request.Wt = state.Wt;
  request.lead = state.lead;
  request.next_lead = std::move(next_lead);
  request.rounds = rounds;
  request.snapshot = state.snapshot;
  std::vector<BorderMatrices> ghosts(borders_.shards());
  if (rounds > 0) ghosts = borders_.ghosts(extrapolated(now_, before_, state.lead), request.scales);
  std::vector<ShardAnswer> answers = workers_.run(request, ghosts);
  ++state.version;
  take_data(answers);
  take_sums(answers, request.scales);
  take_movement(answers);
  before_ = std::move(now_);
  now_ = take_borders(answers, &ShardAnswer::border);
  if (rounds == 0) before_ = now_;
  state.own = own_parts(answers);
  return by_scale(state, answers);
}

Vector AllShards::undo(ShardedState& state, const std::vector<char>& chosen, std::vector<double> next_lead) {
  ShardRequest request = this->request(ShardTask::undo, state);
  request.next_lead = std::move(next_lead);
  request.scales.clear();
  for (Index t = 0; t < T_; ++t) {
    if (!chosen[t]) continue;
    request.scales.push_back(t);
    for (Index s = 0; s < borders_.shards(); ++s) now_[s][t] = before_[s][t];
  }
  const std::vector<ShardAnswer> answers = workers_.run(request, std::vector<BorderMatrices>(borders_.shards()));
  ++state.version;
  take_sums(answers, request.scales);
  take_movement(answers);
  return by_scale(state, answers);
}

void AllShards::ask_sums(const ShardedState& state) {
  ShardRequest request = this->request(ShardTask::report, state);
  request.next_lead = state.lead;
  std::vector<ShardAnswer> answers = workers_.run(request, std::vector<BorderMatrices>(borders_.shards()));
  take_data(answers);
  take_sums(answers, request.scales);
  now_ = take_borders(answers, &ShardAnswer::border);
  before_ = take_borders(answers, &ShardAnswer::before);
}

Vector AllShards::residuals(const ShardedState& state) {
  ShardRequest request = this->request(ShardTask::residual, state);
  request.Wt = state.Wt;
  const std::vector<ShardAnswer> answers = workers_.run(request, borders_.ghosts(now_, request.scales));
  Vector residual = sum_of(answers, &ShardAnswer::residual);
  run_items(executor_, T_, [&](Index t, Executor&) {
    residual[t] +=
        basis_residual(state.Wt[t], sum_of(answers, &ShardAnswer::XHt, t), sum_of(answers, &ShardAnswer::HHt, t));
  });
  return residual / squared_norm_;
}

void AllShards::take_data(const std::vector<ShardAnswer>& answers) {
  squared_norm_ = sum_of(answers, &ShardAnswer::squared_norm);
  nonzeros_ = sum_of(answers, &ShardAnswer::nonzeros);
}

void AllShards::take_sums(const std::vector<ShardAnswer>& answers, const std::vector<Index>& scales) {
  XHt.resize(T_);
  HHt.resize(T_);
  for (std::size_t k = 0; k < scales.size(); ++k) {
    XHt[scales[k]] = sum_of(answers, &ShardAnswer::XHt, k);
    HHt[scales[k]] = sum_of(answers, &ShardAnswer::HHt, k);
  }
}

void AllShards::take_movement(const std::vector<ShardAnswer>& answers) {
  const Vector moved = sum_of(answers, &ShardAnswer::moved), length = sum_of(answers, &ShardAnswer::length);
  movement_.resize(moved.size());
  for (Index t = 0; t < moved.size(); ++t) movement_[t] = relative_movement(moved[t], length[t]);
}

std::vector<double> AllShards::own_parts(const std::vector<ShardAnswer>& answers) {
  const Vector inner = sum_of(answers, &ShardAnswer::own);
  std::vector<double> own(T_);
  run_items(executor_, T_, [&](Index t, Executor&) {
    own[t] = options_.weights.of(t) * (squared_norm_ + inner[t] + options_.penalties.graph * borders_.penalty(now_, t));
  });
  return own;
}

Vector AllShards::by_scale(const ShardedState& state, const std::vector<ShardAnswer>& answers) const {
  Vector step = sum_of(answers, &ShardAnswer::step);
  for (Index t = 1; t < T_; ++t) step[t] *= options_.weights.spring(t);
  return with_steps(ConstVectorMap(state.own.data(), T_), step);
}

}  // namespace pnmf
