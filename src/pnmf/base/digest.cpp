#include "pnmf/base/digest.h"

#include <algorithm>
#include <cstring>

namespace pnmf {
namespace {

constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87u, prime2 = 0xC2B2AE3D27D4EB4Fu, prime3 = 0x165667B19E3779F9u,
                        prime4 = 0x85EBCA77C2B2AE63u, prime5 = 0x27D4EB2F165667C5u;

std::uint64_t rotate(std::uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

template <class Word>
std::uint64_t load(const unsigned char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t word) { return rotate(lane + word * prime2, 31) * prime1; }

std::uint64_t merge(std::uint64_t hash, std::uint64_t lane) { return (hash ^ round(0, lane)) * prime1 + prime4; }

void stripe(std::array<std::uint64_t, 4>& lane, const unsigned char* bytes) {
  for (int k = 0; k < 4; ++k) lane[k] = round(lane[k], load<std::uint64_t>(bytes + 8 * k));
}

}  // namespace

void Digest::add(const void* bytes, std::size_t n) {
  const unsigned char* at = static_cast<const unsigned char*>(bytes);
  total_ += n;
  if (n_pending_ > 0) {
    const std::size_t taken = std::min(n, pending_.size() - n_pending_);
    std::copy(at, at + taken, pending_.begin() + n_pending_);
    n_pending_ += taken;
    at += taken;
    n -= taken;
    if (n_pending_ < pending_.size()) return;
    stripe(lane_, pending_.data());
    n_pending_ = 0;
  }
  for (; n >= pending_.size(); n -= pending_.size(), at += pending_.size()) stripe(lane_, at);
  std::copy(at, at + n, pending_.begin());
  n_pending_ = n;
}

std::uint64_t Digest::value() const {
  std::uint64_t hash = prime5;
  if (total_ >= pending_.size()) {
    hash = rotate(lane_[0], 1) + rotate(lane_[1], 7) + rotate(lane_[2], 12) + rotate(lane_[3], 18);
    for (std::uint64_t lane : lane_) hash = merge(hash, lane);
  }
  hash += total_;
  const unsigned char *at = pending_.data(), *end = at + n_pending_;
  for (; end - at >= 8; at += 8) hash = rotate(hash ^ round(0, load<std::uint64_t>(at)), 27) * prime1 + prime4;
  if (end - at >= 4) {
    hash = rotate(hash ^ (load<std::uint32_t>(at) * prime1), 23) * prime2 + prime3;
    at += 4;
  }
  for (; at < end; ++at) hash = rotate(hash ^ (*at * prime5), 11) * prime1;
  hash = (hash ^ (hash >> 33)) * prime2;
  hash = (hash ^ (hash >> 29)) * prime3;
  return hash ^ (hash >> 32);
}

}  // namespace pnmf
