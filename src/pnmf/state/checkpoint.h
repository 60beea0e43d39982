#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "pnmf/state/solver_state.h"

namespace pnmf {

// The message completes "the file ...".
struct CheckpointError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Takes bytes in order, or throws.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(const void* bytes, std::size_t n) = 0;
};

// Gives exactly n bytes, or throws CheckpointError.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  virtual void read(void* bytes, std::size_t n) = 0;
};

// The arguments of a run, as strings under their names.
using RunLabels = std::vector<std::pair<std::string, std::string>>;

struct CheckpointShape {
  std::uint64_t scales, rank, features, cells;
};

struct Checkpoint {
  RunLabels labels;
  CheckpointShape shape{};
  SolverState state;
};

constexpr std::uint32_t checkpoint_version = 5;

// The file, in the machine's byte order:
//   magic (8 bytes), byte order mark, version, size of the file
//   labels; scales, rank, features, cells; which parts follow
//   objective, residual, steps, converged, updates: each with its length first; the numbers of the solver, named
//   W', H of scale 1, W', H of scale 2 ... (shared bases: W' of every 16th scale);
//   (a fit with shards has W' in one file and the H of every shard in another;)
//   H that the next sweep begins with; H of an earlier sweep; W'X, W'W of scale 1 ... (shared bases)
//   XXH64 of everything before
// Factors are written in place, without a copy.
void write_checkpoint(const RunLabels& labels, const SolverView& state, ByteSink& sink);

// Every length is checked against the bytes that are left before memory is taken for it; factors are finite and
// nonnegative. Nothing of a damaged file is returned.
Checkpoint read_checkpoint(ByteSource& source);

// Whether the first bytes are those of a checkpoint of any version.
bool has_checkpoint_magic(ByteSource& source);

}  // namespace pnmf
