#include "pnmf/shards/remote_cells.h"

#include <numeric>

#include "pnmf/solver/held_cells.h"

namespace pnmf {
namespace {

Sums sum_of(const std::vector<ShardAnswer>& answers, std::size_t k) {
  Sums total = answers[0].sums[k];
  for (std::size_t s = 1; s < answers.size(); ++s) {
    total.XHt += answers[s].sums[k].XHt;
    total.HHt += answers[s].sums[k].HHt;
  }
  return total;
}

void add(std::vector<double>& total, const std::vector<double>& part) {
  for (std::size_t t = 0; t < total.size(); ++t) total[t] += part[t];
}

// values[shard][scale]; empties the answers.
Borders::Values take_borders(std::vector<ShardAnswer>& answers, BorderMatrices ShardAnswer::*part) {
  Borders::Values values;
  for (ShardAnswer& answer : answers) values.push_back(std::move(answer.*part));
  return values;
}

}  // namespace

void RemoteCells::restore(HeldState state) {
  state_ = std::move(state);
  sums_.clear();
  now_.clear();
}

void RemoteCells::store() {
  const int place = state_.place == 0 ? 1 : 0;
  workers_.save(state_.version, place);
  state_.place = place;
}

ShardRequest RemoteCells::request(ShardTask task) const {
  ShardRequest request;
  request.task = static_cast<int>(task);
  request.scales.resize(scales());
  std::iota(request.scales.begin(), request.scales.end(), 0);
  request.order.next_step.assign(scales(), 0);
  return request;
}

// Takes the sums of the scales of the request.
std::vector<ShardAnswer> RemoteCells::ask(const ShardRequest& request, const std::vector<BorderMatrices>& ghosts) {
  ShardRequest asked = request;
  asked.version = state_.version;
  std::vector<ShardAnswer> answers = workers_.run(asked, ghosts);
  if (asked.changes_state()) ++state_.version;
  const std::vector<int>& of = request.scales;
  const bool one = request.is(ShardTask::start);
  sums_.resize(one ? 1 : scales());
  for (std::size_t k = 0; k < of.size(); ++k) sums_[one ? 0 : of[k]] = sum_of(answers, k);
  return answers;
}

Sums RemoteCells::start_sums(Index t) {
  if (sums_.empty()) {
    ShardRequest as_it_is = request(ShardTask::start);
    as_it_is.scales = {static_cast<int>(t)};
    std::vector<ShardAnswer> answers = ask(as_it_is, std::vector<BorderMatrices>(borders_.shards()));
    now_ = take_borders(answers, &ShardAnswer::border);
  }
  return sums_[0];
}

double RemoteCells::start_step(Index t, const Matrix* Wt, int rounds) {
  ShardRequest step = request(ShardTask::start);
  step.scales = {static_cast<int>(t)};
  if (Wt) step.Wt = {*Wt};
  step.order.rounds = rounds;
  std::vector<ShardAnswer> answers = ask(step, borders_.ghosts(now_, {t}));
  now_ = take_borders(answers, &ShardAnswer::border);
  double gain = 0;
  for (const ShardAnswer& answer : answers) gain += answer.gain;
  return gain;
}

PathTerms RemoteCells::take_bases(const std::vector<Matrix>& Wt) {
  ShardRequest bases = request(ShardTask::bases);
  bases.Wt = Wt;
  std::vector<ShardAnswer> answers = ask(bases, std::vector<BorderMatrices>(borders_.shards()));
  before_ = now_ = take_borders(answers, &ShardAnswer::border);
  return terms_of(answers);
}

void RemoteCells::ask_report(const std::vector<double>& next_step) {
  ShardRequest report = request(ShardTask::report);
  report.order.next_step = next_step;
  std::vector<ShardAnswer> answers = ask(report, std::vector<BorderMatrices>(borders_.shards()));
  now_ = take_borders(answers, &ShardAnswer::border);
  before_ = take_borders(answers, &ShardAnswer::before);
}

std::vector<Sums> RemoteCells::begin_sweep(const SweepOrder& order) {
  if (sums_.empty()) ask_report(order.step);
  std::vector<Sums> sums;
  sums.swap(sums_);
  return sums;
}

PathTerms RemoteCells::end_sweep(const std::vector<Matrix>& Wt, const SweepOrder& order, UpdateLog*) {
  ShardRequest sweep = request(ShardTask::sweep);
  sweep.Wt = Wt;
  sweep.order = order;
  const Borders::Values ghosts =
      borders_.ghosts(extrapolated_borders(now_, before_, order.step), {sweep.scales.begin(), sweep.scales.end()});
  std::vector<ShardAnswer> answers = ask(sweep, ghosts);
  before_ = std::move(now_);
  now_ = take_borders(answers, &ShardAnswer::border);
  return terms_of(answers);
}

PathTerms RemoteCells::undo(const std::vector<char>& chosen, const std::vector<double>& next_step) {
  ShardRequest undo = request(ShardTask::undo);
  undo.order.next_step = next_step;
  undo.scales.clear();
  for (Index t : chosen_scales(chosen)) {
    undo.scales.push_back(static_cast<int>(t));
    for (Index s = 0; s < borders_.shards(); ++s) now_[s][t] = before_[s][t];
  }
  return terms_of(ask(undo, std::vector<BorderMatrices>(borders_.shards())));
}

Vector RemoteCells::residuals(const std::vector<Matrix>& Wt) {
  if (now_.empty()) ask_report(std::vector<double>(scales(), 0));
  ShardRequest residual = request(ShardTask::residual);
  residual.Wt = Wt;
  const Borders::Values ghosts = borders_.ghosts(now_, {residual.scales.begin(), residual.scales.end()});
  const std::vector<ShardAnswer> answers = ask(residual, ghosts);
  std::vector<double> total = answers[0].residual;
  for (std::size_t s = 1; s < answers.size(); ++s) add(total, answers[s].residual);
  return whole_residuals(Wt, sums_, total, size_.squared_norm, executor_);
}

// Adds the edges between shards to the own terms.
PathTerms RemoteCells::terms_of(const std::vector<ShardAnswer>& answers) const {
  PathTerms total = answers[0].terms;
  for (std::size_t s = 1; s < answers.size(); ++s) {
    const PathTerms& part = answers[s].terms;
    add(total.own, part.own);
    add(total.step, part.step);
    add(total.moved, part.moved);
    add(total.length, part.length);
  }
  executor_.run(static_cast<Index>(total.own.size()),
                [&](Index t) { total.own[t] += model_.penalties.graph * borders_.penalty(now_, t); });
  return total;
}

}  // namespace pnmf
