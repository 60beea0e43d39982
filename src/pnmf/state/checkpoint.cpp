#include "pnmf/state/checkpoint.h"

#include <algorithm>
#include <limits>

namespace pnmf {

template <class Archive>
void visit(Archive& archive, std::pair<std::string, std::string>& label) {
  fields(archive, "name", label.first, "text", label.second);
}

namespace {

template <class Archive, class Shape>
void visit_shape(Archive& archive, Shape& shape) {
  fields(archive, "scales", shape.scales, "rank", shape.rank, "features", shape.features, "cells", shape.cells);
}

bool all_nonnegative(const std::vector<Matrix>& factors) {
  return std::all_of(factors.begin(), factors.end(),
                     [](const Matrix& factor) { return factor.allFinite() && (factor.array() >= 0).all(); });
}

void check_factors(const std::vector<const std::vector<Matrix>*>& all) {
  for (const auto* factors : all) {
    if (!all_nonnegative(*factors)) throw CheckpointError("holds factors that are negative or not finite");
  }
}

// Checks that a part has one entry per scale, or none.
class SizeCheck {
 public:
  explicit SizeCheck(const CheckpointShape& shape) : shape_(shape) {
    const auto max_size = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
    for (std::uint64_t size : {shape.scales, shape.rank, shape.features, shape.cells})
      need(1 <= size && size <= max_size);
  }
  template <class T>
  void one_per_scale(const std::vector<T>& part) const {
    need(part.empty() || part.size() == shape_.scales);
  }
  void factors(const std::vector<Matrix>& part, std::uint64_t columns) const {
    one_per_scale(part);
    for (const Matrix& factor : part) {
      need(static_cast<std::uint64_t>(factor.rows()) == shape_.rank &&
           static_cast<std::uint64_t>(factor.cols()) == columns);
    }
  }
  static void need(bool fits) {
    if (!fits) throw CheckpointError("is damaged: its sizes do not agree");
  }

 private:
  const CheckpointShape& shape_;
};

void check_sizes(const CheckpointShape& shape, const FitState& state) {
  const SizeCheck check(shape);
  const Progress& progress = state.progress;
  check.need(!state.Wt.empty());
  check.factors(state.Wt, shape.features);
  for (const auto* part : {&state.held.H, &state.held.before, &state.held.snapshot}) check.factors(*part, shape.cells);
  const FitRecord& record = progress.record;
  check.need(record.objective.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
  for (const auto* part :
       {&record.residual, &progress.own, &progress.by_scale, &progress.windows.prediction.movement}) {
    check.one_per_scale(*part);
  }
  check.one_per_scale(record.steps);
  check.one_per_scale(record.converged);
  check.one_per_scale(progress.momentum);
  const Windows& windows = progress.windows;
  check.need(windows.predicted_after == 0 || windows.prediction.movement.size() == shape.scales);
  for (const Change& window : windows.last) check.need(window.movement.size() == shape.scales);
  for (const UpdateRecord& update : record.updates) {
    check.need(update.scale >= 0 && static_cast<std::uint64_t>(update.scale) < shape.scales);
    check.need(update.block == 'W' || update.block == 'H');
  }
}

}  // namespace

void write_checkpoint(const RunLabels& labels, const FitStateView& state, ByteSink& sink) {
  const Matrix& Wt = state.Wt.at(0);
  const CheckpointShape shape{state.Wt.size(), static_cast<std::uint64_t>(Wt.rows()),
                              static_cast<std::uint64_t>(Wt.cols()), static_cast<std::uint64_t>(state.cells)};
  write_archive(
      [&](ArchiveWriter& out) {
        out("labels", labels);
        visit_shape(out, shape);
        visit_state(out, state);
      },
      sink);
}

Checkpoint read_checkpoint(ByteSource& source) {
  Checkpoint found;
  read_archive(
      [&](ArchiveReader& in) {
        in("labels", found.labels);
        visit_shape(in, found.shape);
        visit_state(in, found.state);
      },
      source);
  check_sizes(found.shape, found.state);
  const HeldState& held = found.state.held;
  check_factors({&found.state.Wt, &held.H, &held.before, &held.snapshot});
  return found;
}

void write_held(const HeldState& held, int version, ByteSink& sink) {
  write_archive(
      [&](ArchiveWriter& out) {
        out("shard", version);
        visit_held(out, held);
      },
      sink);
}

HeldState read_held(ByteSource& source) {
  HeldState held;
  int version = 0;
  read_archive(
      [&](ArchiveReader& in) {
        in("shard", version);
        visit_held(in, held);
      },
      source);
  held.version = version;
  check_factors({&held.H, &held.before, &held.snapshot});
  return held;
}

}  // namespace pnmf
