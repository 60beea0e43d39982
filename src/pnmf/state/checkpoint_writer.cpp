#include <algorithm>

#include "pnmf/base/digest.h"
#include "pnmf/state/checkpoint.h"
#include "pnmf/state/checkpoint_format.h"

namespace pnmf {
namespace {

class Writer {
 public:
  explicit Writer(ByteSink& sink) : sink_(sink) {}

  void bytes(const void* at, std::size_t n) {
    digest_.add(at, n);
    sink_.write(at, n);
  }
  template <class T>
  void value(const T& x) {
    bytes(&x, sizeof(T));
  }
  void text(const std::string& s) {
    value(static_cast<std::uint32_t>(s.size()));
    bytes(s.data(), s.size());
  }
  template <class T>
  void array(const std::vector<T>& v) {
    value(static_cast<std::uint64_t>(v.size()));
    bytes(v.data(), v.size() * sizeof(T));
  }
  void matrix(const Matrix& m) { bytes(m.data(), static_cast<std::size_t>(m.size()) * sizeof(double)); }
  std::uint64_t digest() const { return digest_.value(); }

 private:
  ByteSink& sink_;
  Digest digest_;
};

// Counts what a writer would write.
class Counter : public ByteSink {
 public:
  void write(const void*, std::size_t n) override { total += n; }
  std::uint64_t total = 0;
};

void write_updates(const std::vector<UpdateRecord>& updates, Writer& out) {
  out.value(static_cast<std::uint64_t>(updates.size()));
  for (const UpdateRecord& update : updates) {
    out.value(static_cast<std::int32_t>(update.outer));
    out.value(static_cast<std::int32_t>(update.scale));
    out.value(update.block);
    out.value(update.objective);
  }
}

std::uint32_t parts_of(const SolverView& state) {
  return (state.ahead ? has_ahead : 0) | (state.snapshot ? has_snapshot : 0) | (state.products ? has_products : 0) |
         (state.path.Wt.empty() ? without_bases : 0) | (state.path.H.empty() ? without_embeddings : 0);
}

void write_details(const RunLabels& labels, const SolverView& state, const CheckpointShape& shape, Writer& out) {
  out.value(static_cast<std::uint32_t>(labels.size()));
  for (const auto& label : labels) {
    out.text(label.first);
    out.text(label.second);
  }
  for (std::uint64_t size : {shape.scales, shape.rank, shape.features, shape.cells}) out.value(size);
  out.value(parts_of(state));
  out.array(state.record.objective);
  out.array(state.record.residual);
  out.array(std::vector<std::int32_t>(state.record.steps.begin(), state.record.steps.end()));
  out.array(state.record.converged);
  write_updates(state.record.updates, out);
  out.value(static_cast<std::uint32_t>(state.numbers.size()));
  for (const auto& named : state.numbers) {
    out.text(named.first);
    out.array(named.second);
  }
}

// Bases that are not stored are empty and write nothing.
void write_factors(const SolverView& state, Writer& out) {
  const Path& path = state.path;
  for (std::size_t t = 0; t < std::max(path.Wt.size(), path.H.size()); ++t) {
    if (!path.Wt.empty()) out.matrix(path.Wt[t]);
    if (!path.H.empty()) out.matrix(path.H[t]);
  }
  for (const std::vector<Matrix>* embeddings : {state.ahead, state.snapshot}) {
    if (!embeddings) continue;
    for (const Matrix& H : *embeddings) out.matrix(H);
  }
  if (!state.products) return;
  for (std::size_t t = 0; t < state.path.H.size(); ++t) {
    out.matrix(state.products->WtX[t]);
    out.matrix(state.products->WtW[t]);
  }
}

// A part that is elsewhere has no size here; 1 stands for it.
CheckpointShape shape_of(const SolverView& state) {
  const std::vector<Matrix>&Wt = state.path.Wt, &H = state.path.H;
  const Index features = Wt.empty() ? 1 : Wt[0].cols(), cells = H.empty() ? state.cells : H[0].cols();
  return {static_cast<std::uint64_t>(std::max(Wt.size(), H.size())),
          static_cast<std::uint64_t>(H.empty() ? Wt[0].rows() : H[0].rows()), static_cast<std::uint64_t>(features),
          static_cast<std::uint64_t>(cells)};
}

}  // namespace

void write_checkpoint(const RunLabels& labels, const SolverView& state, ByteSink& sink) {
  const CheckpointShape shape = shape_of(state);
  Counter counter;
  Writer measured(counter);
  write_details(labels, state, shape, measured);
  const std::uint64_t size = checkpoint_magic.size() + 4 + 4 + 8 + counter.total +
                             shape.rank * matrix_columns(shape, parts_of(state)) * sizeof(double) +
                             sizeof(std::uint64_t);
  Writer out(sink);
  out.bytes(checkpoint_magic.data(), checkpoint_magic.size());
  out.value(byte_order_mark);
  out.value(checkpoint_version);
  out.value(size);
  write_details(labels, state, shape, out);
  write_factors(state, out);
  out.value(out.digest());
}

}  // namespace pnmf
