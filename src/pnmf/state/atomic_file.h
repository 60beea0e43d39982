#pragma once

#include <stdexcept>
#include <string>

#include "pnmf/state/archive.h"

namespace pnmf {

// The message completes "... could not be written: ".
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Replaces a file as a whole or not at all. Bytes go to "<path>.part" in the same folder; commit() flushes them to disk
// and renames the file. Without commit(), or after an error, the part is removed and the old file is unchanged. A part
// that a killed process left behind is reused; a part that another process is writing is an error.
class AtomicFile : public ByteSink {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile() override;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  void write(const void* bytes, std::size_t n) override;
  void commit();

 private:
  void discard();
  std::string path_, part_;
  int file_ = -1;
};

// A regular file, read from its beginning.
class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path);
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  std::uint64_t size() const override { return size_; }
  void read(void* bytes, std::size_t n) override;

 private:
  int file_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace pnmf
