#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pnmf {

// XXH64 of a stream of bytes (Collet's xxHash, seed 0). It distinguishes inputs and detects damage, but does not
// protect against an adversary.
class Digest {
 public:
  void add(const void* bytes, std::size_t n);
  std::uint64_t value() const;

 private:
  std::array<std::uint64_t, 4> lane_{{0x60EA27EEADC0B5D6u, 0xC2B2AE3D27D4EB4Fu, 0, 0x61C8864E7A143579u}};
  std::array<unsigned char, 32> pending_{};
  std::size_t n_pending_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace pnmf
