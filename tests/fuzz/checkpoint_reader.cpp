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
  const pnmf::SolverState& state = found.state;
  for (const auto* factors :
       {&state.path.Wt, &state.path.H, &state.ahead, &state.snapshot, &state.products.WtX, &state.products.WtW}) {
    if (!sound(*factors)) std::abort();
  }
  const auto* ahead = state.ahead.empty() ? nullptr : &state.ahead;
  const auto* snapshot = state.snapshot.empty() ? nullptr : &state.snapshot;
  const auto* products = state.products.WtX.empty() ? nullptr : &state.products;
  if (written(found.labels, {state.record, state.numbers, state.path, ahead, snapshot, products}) != bytes)
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try_to_read(bytes);
  try_to_read(resealed(bytes));
  return 0;
}
