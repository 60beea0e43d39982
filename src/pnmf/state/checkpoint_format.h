#pragma once

#include <array>
#include <cstdint>

#include "pnmf/state/checkpoint.h"

namespace pnmf {

// The parts of the format that the writer and the reader share.

// As in PNG: a first byte above 127 and both kinds of line ending show what a transfer as text would change.
constexpr std::array<unsigned char, 8> checkpoint_magic{{0x89, 'p', 'N', 'M', 'F', '\r', '\n', 0x1a}};
constexpr std::uint32_t byte_order_mark = 0x01020304, swapped_byte_order_mark = 0x04030201;

// Which parts a file has beside the path.
constexpr std::uint32_t has_ahead = 1, has_snapshot = 2, has_products = 4;
// Which parts of the path are elsewhere, because the cells of the fit are in shards.
constexpr std::uint32_t without_bases = 8, without_embeddings = 16;
constexpr std::uint32_t all_parts = 31;

// Bytes of an update: sweep, scale, block, objective.
constexpr std::uint64_t update_bytes = 4 + 4 + 1 + 8;

// Columns of all matrices, each of which has as many rows as the rank.
inline std::uint64_t matrix_columns(const CheckpointShape& shape, std::uint32_t parts) {
  const std::uint64_t step = parts & has_products ? scales_per_basis : 1;
  std::uint64_t total = 0;
  if (!(parts & without_bases)) total += (shape.scales + step - 1) / step * shape.features;
  if (!(parts & without_embeddings)) total += shape.scales * shape.cells;
  if (parts & has_ahead) total += shape.scales * shape.cells;
  if (parts & has_snapshot) total += shape.scales * shape.cells;
  if (parts & has_products) total += shape.scales * (shape.cells + shape.rank);
  return total;
}

}  // namespace pnmf
