// Checkpoints in memory.
#pragma once

#include <cstring>
#include <string>

#include "pnmf/base/digest.h"
#include "pnmf/state/checkpoint.h"

class MemorySink : public pnmf::ByteSink {
 public:
  void write(const void* at, std::size_t n) override { bytes.append(static_cast<const char*>(at), n); }
  std::string bytes;
};

class MemorySource : public pnmf::ByteSource {
 public:
  explicit MemorySource(const std::string& bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  void read(void* at, std::size_t n) override {
    if (n > bytes_.size() - next_) throw pnmf::CheckpointError("is truncated");
    if (n > 0) std::memcpy(at, bytes_.data() + next_, n);
    next_ += n;
  }

 private:
  const std::string& bytes_;
  std::size_t next_ = 0;
};

inline pnmf::Checkpoint read_bytes(const std::string& bytes) {
  MemorySource source(bytes);
  return pnmf::read_checkpoint(source);
}

inline std::string written(const pnmf::RunLabels& labels, const pnmf::FitStateView& state) {
  MemorySink sink;
  pnmf::write_checkpoint(labels, state, sink);
  return sink.bytes;
}

// The size in the front and the digest at the end set right, so that a change in between is seen for itself.
inline std::string resealed(std::string bytes) {
  const std::size_t size_at = 16, digest_bytes = sizeof(std::uint64_t);
  if (bytes.size() < size_at + 2 * digest_bytes) return bytes;
  const std::uint64_t size = bytes.size();
  std::memcpy(&bytes[size_at], &size, sizeof(size));
  pnmf::Digest digest;
  digest.add(bytes.data(), bytes.size() - digest_bytes);
  const std::uint64_t value = digest.value();
  std::memcpy(&bytes[bytes.size() - digest_bytes], &value, digest_bytes);
  return bytes;
}
