#include "pnmf/state/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <io.h>
#include <share.h>
#include <windows.h>
#else
#include <sys/file.h>
#include <unistd.h>
#endif

namespace pnmf {
namespace {

// Systems limit what one call transfers.
constexpr std::size_t max_chunk_bytes = std::size_t(1) << 26;

[[noreturn]] void fail() { throw FileError(std::strerror(errno)); }

#ifdef _WIN32

// Paths are UTF-8, as R's are.
std::wstring wide(const std::string& path) {
  const int length = MultiByteToWideChar(CP_UTF8, 0, path.data(), static_cast<int>(path.size()), nullptr, 0);
  std::wstring result(static_cast<std::size_t>(length), L' ');
  MultiByteToWideChar(CP_UTF8, 0, path.data(), static_cast<int>(path.size()), &result[0], length);
  return result;
}

// Closed to other processes as long as it is open, so there is nothing to lock.
int open_writing(const std::string& path) {
  const int file = _wsopen(wide(path).c_str(), _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT, _SH_DENYRW,
                           _S_IREAD | _S_IWRITE);
  if (file < 0 && GetLastError() == ERROR_SHARING_VIOLATION) {
    throw FileError("another process is writing the same checkpoint");
  }
  return file;
}
int open_reading(const std::string& path) { return _wopen(wide(path).c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT); }
long long write_some(int file, const char* at, std::size_t n) { return _write(file, at, static_cast<unsigned>(n)); }
long long read_some(int file, char* at, std::size_t n) { return _read(file, at, static_cast<unsigned>(n)); }
int close_file(int file) { return _close(file); }
bool regular_size(int file, std::uint64_t& size) {
  struct _stat64 about;
  if (_fstat64(file, &about) != 0 || (about.st_mode & _S_IFMT) != _S_IFREG) return false;
  size = static_cast<std::uint64_t>(about.st_size);
  return true;
}
bool flush_to_disk(int file) { return _commit(file) == 0; }
bool replace_file(const std::string& from, const std::string& to) {
  return MoveFileExW(wide(from).c_str(), wide(to).c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
}
// An open file can be neither removed nor renamed.
void remove_open(int file, const std::string& path) {
  close_file(file);
  DeleteFileW(wide(path).c_str());
}

#else

// Whether the open file is still the one of that name: another process may have renamed it before we had the lock.
bool still_named(int file, const std::string& path) {
  struct stat open_one, named;
  return fstat(file, &open_one) == 0 && lstat(path.c_str(), &named) == 0 && open_one.st_dev == named.st_dev &&
         open_one.st_ino == named.st_ino;
}

// Follows no link. File systems without locks go without.
int open_writing(const std::string& path) {
  for (int attempt = 0; attempt < 10; ++attempt) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (file < 0) return file;
    const bool taken = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken && still_named(file, path)) {
      if (ftruncate(file, 0) == 0) return file;
      const int reason = errno;
      close(file);
      errno = reason;
      return -1;
    }
    close(file);
    if (taken) throw FileError("another process is writing the same checkpoint");
  }
  throw FileError("another process keeps replacing the same checkpoint");
}
int open_reading(const std::string& path) { return open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); }
long long write_some(int file, const char* at, std::size_t n) { return ::write(file, at, n); }
long long read_some(int file, char* at, std::size_t n) { return ::read(file, at, n); }
int close_file(int file) { return close(file); }
bool regular_size(int file, std::uint64_t& size) {
  struct stat about;
  if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return false;
  size = static_cast<std::uint64_t>(about.st_size);
  return true;
}
bool flush_to_disk(int file) { return fsync(file) == 0; }

// The new name is on the disk once the folder is; a file system that cannot do that is taken as it is.
bool replace_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return false;
  const std::size_t slash = to.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : to.substr(0, slash + 1);
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return true;
  fsync(file);
  close(file);
  return true;
}

// The lock is held until the name is gone.
void remove_open(int file, const std::string& path) {
  std::remove(path.c_str());
  close_file(file);
}

#endif

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
  file_ = open_writing(part_);
  if (file_ < 0) fail();
  std::uint64_t size = 0;
  if (regular_size(file_, size)) return;
  close_file(file_);
  throw FileError("\"" + part_ + "\" is not a regular file");
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (file_ < 0) return;
  remove_open(file_, part_);
  file_ = -1;
}

void AtomicFile::write(const void* bytes, std::size_t n) {
  const char* at = static_cast<const char*>(bytes);
  while (n > 0) {
    const long long done = write_some(file_, at, std::min(n, max_chunk_bytes));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail();
    at += done;
    n -= static_cast<std::size_t>(done);
  }
}

// The lock is held until the file has its name.
void AtomicFile::commit() {
  if (!flush_to_disk(file_)) fail();
#ifdef _WIN32
  close_file(file_);
  file_ = -1;
  if (!replace_file(part_, path_)) {
    DeleteFileW(wide(part_).c_str());
    throw FileError("the file cannot be replaced");
  }
#else
  if (!replace_file(part_, path_)) fail();
  close_file(file_);
  file_ = -1;
#endif
}

FileSource::FileSource(const std::string& path) : file_(open_reading(path)) {
  if (file_ < 0) throw CheckpointError(std::string("cannot be read: ") + std::strerror(errno));
  if (regular_size(file_, size_)) return;
  close_file(file_);
  throw CheckpointError("is not a regular file");
}

FileSource::~FileSource() { close_file(file_); }

void FileSource::read(void* bytes, std::size_t n) {
  char* at = static_cast<char*>(bytes);
  while (n > 0) {
    const long long done = read_some(file_, at, std::min(n, max_chunk_bytes));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw CheckpointError(std::string("cannot be read: ") + std::strerror(errno));
    if (done == 0) throw CheckpointError("is truncated");
    at += done;
    n -= static_cast<std::size_t>(done);
  }
}

}  // namespace pnmf
