#include "pnmf/state/archive.h"

#include <array>

namespace pnmf {
namespace {

using Magic = std::array<unsigned char, 8>;

// As in PNG: a first byte above 127 and both kinds of line ending show what a transfer as text would change.
constexpr Magic magic{{0x89, 'p', 'N', 'M', 'F', '\r', '\n', 0x1a}};
constexpr std::uint32_t byte_order_mark = 0x01020304, swapped_byte_order_mark = 0x04030201;
constexpr std::uint64_t front_bytes = 8 + 4 + 4 + 8, digest_bytes = 8;

// Counts what a writer would write.
class Counter : public ByteSink {
 public:
  void write(const void*, std::size_t n) override { total += n; }
  std::uint64_t total = 0;
};

void read_front(ArchiveReader& in, std::uint64_t size) {
  Magic first{};
  if (size < first.size()) throw CheckpointError("is not a checkpoint of pnmf()");
  in.bytes(first.data(), first.size());
  if (first != magic) throw CheckpointError("is not a checkpoint of pnmf()");
  std::uint32_t mark, version;
  in.bytes(&mark, sizeof(mark));
  in.bytes(&version, sizeof(version));
  if (mark == swapped_byte_order_mark) throw CheckpointError("was written on a machine with another byte order");
  if (mark != byte_order_mark) throw CheckpointError("is damaged: it has no byte order mark");
  if (version != archive_version) {
    throw CheckpointError("has format version " + std::to_string(version) + ", and this version of pNMF reads " +
                          std::to_string(archive_version));
  }
  std::uint64_t written = 0;
  in.bytes(&written, sizeof(written));
  if (size < written) {
    throw CheckpointError("is truncated: it has " + std::to_string(size) + " of " + std::to_string(written) + " bytes");
  }
  if (size > written) throw CheckpointError("is damaged: it is longer than it was written");
}

}  // namespace

void write_archive(const WriteFields& fields, ByteSink& sink) {
  Counter counter;
  ArchiveWriter measured(counter);
  fields(measured);
  const std::uint64_t size = front_bytes + counter.total + digest_bytes;
  ArchiveWriter out(sink);
  out.bytes(magic.data(), magic.size());
  out.bytes(&byte_order_mark, sizeof(byte_order_mark));
  out.bytes(&archive_version, sizeof(archive_version));
  out.bytes(&size, sizeof(size));
  fields(out);
  const std::uint64_t digest = out.digest();
  out.bytes(&digest, sizeof(digest));
}

void read_archive(const ReadFields& fields, ByteSource& source) {
  ArchiveReader in(source);
  read_front(in, source.size());
  fields(in);
  const std::uint64_t digest = in.digest();
  std::uint64_t written = 0;
  in.bytes(&written, sizeof(written));
  if (written != digest || in.left() > 0) throw CheckpointError("is damaged: its content does not match its digest");
}

bool has_archive_magic(ByteSource& source) {
  Magic first{};
  if (source.size() < first.size()) return false;
  source.read(first.data(), first.size());
  return first == magic;
}

}  // namespace pnmf
