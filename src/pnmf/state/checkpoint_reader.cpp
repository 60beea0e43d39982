#include <algorithm>
#include <limits>

#include "pnmf/base/digest.h"
#include "pnmf/state/checkpoint.h"
#include "pnmf/state/checkpoint_format.h"

namespace pnmf {
namespace {

constexpr std::uint32_t max_labels = 100, max_label_length = 10000;

class Reader {
 public:
  explicit Reader(ByteSource& source) : source_(source), left_(source.size()) {}

  std::uint64_t left() const { return left_; }
  void bytes(void* at, std::uint64_t n) {
    if (n > left_) throw CheckpointError("is truncated");
    source_.read(at, static_cast<std::size_t>(n));
    digest_.add(at, static_cast<std::size_t>(n));
    left_ -= n;
  }
  template <class T>
  T value() {
    T x;
    bytes(&x, sizeof(T));
    return x;
  }
  // A length of items of this size, of which there are enough bytes left.
  std::uint64_t length(std::uint64_t item_bytes) {
    const auto n = value<std::uint64_t>();
    if (n > left_ / item_bytes) throw CheckpointError("is damaged: a length exceeds the file");
    return n;
  }
  template <class T>
  std::vector<T> array() {
    std::vector<T> v(static_cast<std::size_t>(length(sizeof(T))));
    bytes(v.data(), v.size() * sizeof(T));
    return v;
  }
  std::string text() {
    const auto n = value<std::uint32_t>();
    if (n > max_label_length || n > left_) throw CheckpointError("is damaged: a label is too long");
    std::string s(n, '\0');
    bytes(&s[0], n);
    return s;
  }
  std::uint64_t digest() const { return digest_.value(); }

 private:
  ByteSource& source_;
  std::uint64_t left_;
  Digest digest_;
};

void read_front(Reader& in, std::uint64_t size) {
  std::array<unsigned char, 8> first{};
  if (size < checkpoint_magic.size()) throw CheckpointError("is not a checkpoint of pnmf()");
  in.bytes(first.data(), first.size());
  if (first != checkpoint_magic) throw CheckpointError("is not a checkpoint of pnmf()");
  const auto mark = in.value<std::uint32_t>(), version = in.value<std::uint32_t>();
  if (mark == swapped_byte_order_mark) throw CheckpointError("was written on a machine with another byte order");
  if (mark != byte_order_mark) throw CheckpointError("is damaged: it has no byte order mark");
  if (version != checkpoint_version) {
    throw CheckpointError("has format version " + std::to_string(version) + ", and this version of pNMF reads " +
                          std::to_string(checkpoint_version));
  }
  const auto written = in.value<std::uint64_t>();
  if (size < written) {
    throw CheckpointError("is truncated: it has " + std::to_string(size) + " of " + std::to_string(written) + " bytes");
  }
  if (size > written) throw CheckpointError("is damaged: it is longer than it was written");
}

Numbers read_numbers(Reader& in) {
  const auto n = in.value<std::uint32_t>();
  if (n > max_labels) throw CheckpointError("is damaged: it has too many numbers");
  Numbers numbers;
  for (std::uint32_t k = 0; k < n; ++k) {
    std::string name = in.text();
    numbers.emplace_back(std::move(name), in.array<double>());
  }
  return numbers;
}

RunLabels read_labels(Reader& in) {
  const auto n = in.value<std::uint32_t>();
  if (n > max_labels) throw CheckpointError("is damaged: it has too many labels");
  RunLabels labels;
  for (std::uint32_t k = 0; k < n; ++k) {
    std::string name = in.text(), text = in.text();
    labels.emplace_back(std::move(name), std::move(text));
  }
  return labels;
}

// Every size is checked on its own.
CheckpointShape read_shape(Reader& in) {
  CheckpointShape shape{};
  const auto max_size = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  for (std::uint64_t* size : {&shape.scales, &shape.rank, &shape.features, &shape.cells}) {
    *size = in.value<std::uint64_t>();
    if (*size < 1 || *size > max_size) throw CheckpointError("is damaged: it has a size of " + std::to_string(*size));
  }
  return shape;
}

// Which parts the file has. Checks the sizes against the file, so that no product of them can wrap around.
std::uint32_t read_parts(Reader& in, const CheckpointShape& shape) {
  const auto parts = in.value<std::uint32_t>();
  if (parts > all_parts || (parts & without_bases && parts & without_embeddings)) {
    throw CheckpointError("is damaged: it has unknown parts");
  }
  // Both factors are below 2^31, and so are features alone: the file has at least one basis or embedding.
  const std::uint64_t embeddings = parts & without_embeddings ? 1 : shape.scales * shape.cells;
  const bool other_embeddings = parts & without_embeddings && parts & (has_ahead | has_snapshot | has_products);
  const bool features_fit = parts & without_bases || shape.features <= in.left();
  if (other_embeddings || !features_fit || embeddings > in.left() || shape.rank > in.left() / embeddings) {
    throw CheckpointError("is damaged: its sizes exceed the file");
  }
  return parts;
}

// Whether the matrices fill the file exactly. scales x features may be far beyond the file, but not beyond 2^62.
bool fills(const CheckpointShape& shape, std::uint32_t parts, std::uint64_t bytes) {
  const std::uint64_t total = matrix_columns(shape, parts);
  return bytes % sizeof(double) == 0 && total <= bytes && shape.rank <= bytes / total &&
         shape.rank * total == bytes / sizeof(double);
}

std::vector<UpdateRecord> read_updates(Reader& in, const CheckpointShape& shape) {
  std::vector<UpdateRecord> updates(static_cast<std::size_t>(in.length(update_bytes)));
  for (UpdateRecord& update : updates) {
    update.outer = in.value<std::int32_t>();
    update.scale = in.value<std::int32_t>();
    update.block = in.value<char>();
    update.objective = in.value<double>();
    const bool in_range = update.scale >= 0 && static_cast<std::uint64_t>(update.scale) < shape.scales;
    if (!in_range || (update.block != 'W' && update.block != 'H')) {
      throw CheckpointError("is damaged: an update of no scale or block");
    }
  }
  return updates;
}

FitRecord read_record(Reader& in, const CheckpointShape& shape) {
  FitRecord record;
  record.objective = in.array<double>();
  record.residual = in.array<double>();
  const auto steps = in.array<std::int32_t>();
  record.steps.assign(steps.begin(), steps.end());
  record.converged = in.array<char>();
  record.updates = read_updates(in, shape);
  if (record.objective.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw CheckpointError("is damaged: it has too many sweeps");
  }
  for (std::size_t n : {record.residual.size(), record.steps.size(), record.converged.size()}) {
    if (n != 0 && n != shape.scales) throw CheckpointError("is damaged: its record is not one entry per scale");
  }
  return record;
}

Matrix read_factor(Reader& in, std::uint64_t rows, std::uint64_t columns) {
  Matrix factor(static_cast<Index>(rows), static_cast<Index>(columns));
  in.bytes(factor.data(), static_cast<std::uint64_t>(factor.size()) * sizeof(double));
  return factor;
}

void read_factors(Reader& in, const CheckpointShape& shape, std::uint32_t parts, SolverState& state) {
  for (std::uint64_t t = 0; t < shape.scales; ++t) {
    const bool held = !(parts & has_products) || t % scales_per_basis == 0;
    if (!(parts & without_bases)) {
      state.path.Wt.push_back(held ? read_factor(in, shape.rank, shape.features) : Matrix());
    }
    if (!(parts & without_embeddings)) state.path.H.push_back(read_factor(in, shape.rank, shape.cells));
  }
  for (auto part : {std::make_pair(has_ahead, &state.ahead), std::make_pair(has_snapshot, &state.snapshot)}) {
    if (!(parts & part.first)) continue;
    for (std::uint64_t t = 0; t < shape.scales; ++t) {
      part.second->push_back(read_factor(in, shape.rank, shape.cells));
    }
  }
  if (!(parts & has_products)) return;
  for (std::uint64_t t = 0; t < shape.scales; ++t) {
    state.products.WtX.push_back(read_factor(in, shape.rank, shape.cells));
    state.products.WtW.push_back(read_factor(in, shape.rank, shape.rank));
  }
}

bool is_nonnegative(const std::vector<Matrix>& factors) {
  return std::all_of(factors.begin(), factors.end(),
                     [](const Matrix& factor) { return factor.allFinite() && (factor.array() >= 0).all(); });
}

bool is_nonnegative(const SolverState& state) {
  for (const auto* factors :
       {&state.path.Wt, &state.path.H, &state.ahead, &state.snapshot, &state.products.WtX, &state.products.WtW}) {
    if (!is_nonnegative(*factors)) return false;
  }
  return true;
}

}  // namespace

Checkpoint read_checkpoint(ByteSource& source) {
  Reader in(source);
  read_front(in, source.size());
  Checkpoint checkpoint;
  checkpoint.labels = read_labels(in);
  SolverState& state = checkpoint.state;
  const CheckpointShape shape = checkpoint.shape = read_shape(in);
  const std::uint32_t parts = read_parts(in, shape);
  state.record = read_record(in, shape);
  state.numbers = read_numbers(in);
  if (in.left() < sizeof(std::uint64_t) || !fills(shape, parts, in.left() - sizeof(std::uint64_t))) {
    throw CheckpointError("is damaged: its sizes do not agree with its length");
  }
  read_factors(in, shape, parts, state);
  const std::uint64_t digest = in.digest();
  if (in.value<std::uint64_t>() != digest) throw CheckpointError("is damaged: its content does not match its digest");
  if (!is_nonnegative(state)) {
    throw CheckpointError("holds factors that are negative or not finite");
  }
  state.started = true;
  return checkpoint;
}

bool has_checkpoint_magic(ByteSource& source) {
  std::array<unsigned char, 8> first{};
  if (source.size() < first.size()) return false;
  source.read(first.data(), first.size());
  return first == checkpoint_magic;
}

}  // namespace pnmf
