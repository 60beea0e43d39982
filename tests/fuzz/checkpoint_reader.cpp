// Any bytes, as they are and with size and digest set right, are either refused with CheckpointError or read into a
// state that is sound and is written back as the same bytes.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "memory_bytes.h"

namespace {

bool sound(const std::vector<pnmf::Matrix>& factors) {
  const auto fine = [](const pnmf::Matrix& factor) { return factor.allFinite() && (factor.array() >= 0).all(); };
  return std::all_of(factors.begin(), factors.end(), fine);
}

void try_to_read(const std::string& bytes) {
  pnmf::Checkpoint found;
  try {
    found = read_bytes(bytes);
  } catch (const pnmf::CheckpointError&) {
    return;
  }
  const pnmf::FitState& state = found.state;
  for (const auto* factors : {&state.Wt, &state.held.H, &state.held.before, &state.held.snapshot}) {
    if (!sound(*factors)) std::abort();
  }
  const auto cells = static_cast<pnmf::Index>(found.shape.cells);
  if (written(found.labels, {state.started, state.progress, state.Wt, state.held, cells}) != bytes) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try_to_read(bytes);
  try_to_read(resealed(bytes));
  return 0;
}
