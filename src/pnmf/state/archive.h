#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "pnmf/base/digest.h"
#include "pnmf/base/types.h"

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

// Archives write or read fields under their names: archive("H", H). A field is a number, a text, a matrix, a type with
// visit(archive, value), or a vector of these. Bytes are in the machine's order; lengths come first (of a name, which is
// shorter than 256, in one byte).
class ArchiveWriter {
 public:
  explicit ArchiveWriter(ByteSink& sink) : sink_(sink) {}
  template <class T>
  void operator()(const char* name, const T& value) {
    const auto length = static_cast<unsigned char>(std::strlen(name));
    put(length);
    bytes(name, length);
    put(value);
  }
  void bytes(const void* at, std::size_t n) {
    if (n == 0) return;
    digest_.add(at, n);
    sink_.write(at, n);
  }
  std::uint64_t digest() const { return digest_.value(); }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_arithmetic<T>::value) {
      bytes(&value, sizeof(T));
    } else {
      visit(*this, const_cast<T&>(value));  // only read: visit() also serves the reader
    }
  }
  void put(const std::string& text) { put_values(text.data(), text.size()); }
  template <class T>
  void put(const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& matrix) {
    put(static_cast<std::uint64_t>(matrix.rows()));
    put(static_cast<std::uint64_t>(matrix.cols()));
    bytes(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(T));
  }
  template <class T>
  void put(const Eigen::Map<const T>& values) {
    put_values(values.data(), static_cast<std::size_t>(values.size()));
  }
  template <class T>
  void put(const std::vector<T>& values) {
    if constexpr (std::is_arithmetic<T>::value) {
      put_values(values.data(), values.size());
    } else {
      put(static_cast<std::uint64_t>(values.size()));
      for (const T& value : values) put(value);
    }
  }
  template <class T>
  void put_values(const T* values, std::size_t n) {
    put(static_cast<std::uint64_t>(n));
    bytes(values, n * sizeof(T));
  }

  ByteSink& sink_;
  Digest digest_;
};

// Every length is checked against the bytes that are left before memory is taken for it.
class ArchiveReader {
 public:
  explicit ArchiveReader(ByteSource& source) : source_(source), left_(source.size()) {}
  template <class T>
  void operator()(const char* name, T& value) {
    const std::string expected(name);
    unsigned char n = 0;
    get(n);
    std::string found(n == expected.size() ? expected.size() : 0, '\0');
    if (!found.empty()) bytes(&found[0], found.size());
    if (found != expected) throw CheckpointError("is damaged: it lacks '" + expected + "'");
    get(value);
  }
  void bytes(void* at, std::uint64_t n) {
    if (n > left_) throw CheckpointError("is truncated");
    if (n == 0) return;
    source_.read(at, static_cast<std::size_t>(n));
    digest_.add(at, static_cast<std::size_t>(n));
    left_ -= n;
  }
  std::uint64_t left() const { return left_; }
  std::uint64_t digest() const { return digest_.value(); }

 private:
  template <class T>
  void get(T& value) {
    if constexpr (std::is_arithmetic<T>::value) {
      bytes(&value, sizeof(T));
    } else {
      visit(*this, value);
    }
  }
  void get(std::string& text) {
    text.resize(length(1));
    bytes(&text[0], text.size());
  }
  template <class T>
  void get(Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& matrix) {
    std::uint64_t rows = 0, columns = 0;
    get(rows);
    get(columns);
    // A matrix without entries still has a shape.
    constexpr std::uint64_t max_dimension = std::uint64_t(1) << 31;
    const bool too_long = rows > max_dimension || columns > max_dimension;
    if (too_long || (rows > 0 && columns > left_ / sizeof(T) / rows)) {
      throw CheckpointError("is damaged: a matrix exceeds the file");
    }
    matrix.resize(static_cast<Index>(rows), static_cast<Index>(columns));
    bytes(matrix.data(), rows * columns * sizeof(T));
  }
  template <class T>
  void get(std::vector<T>& values) {
    if constexpr (std::is_arithmetic<T>::value) {
      values.resize(length(sizeof(T)));
      bytes(values.data(), values.size() * sizeof(T));
    } else {
      // Grows with what is read: a value may have more bytes in memory than in the file.
      const std::size_t n = length(sizeof(std::uint64_t));
      values.clear();
      for (std::size_t k = 0; k < n; ++k) {
        values.emplace_back();
        get(values.back());
      }
    }
  }
  // A length of items of this size, of which there are enough bytes left.
  std::size_t length(std::uint64_t item_bytes) {
    std::uint64_t n = 0;
    get(n);
    if (n > left_ / item_bytes) throw CheckpointError("is damaged: a length exceeds the file");
    return static_cast<std::size_t>(n);
  }

  ByteSource& source_;
  std::uint64_t left_;
  Digest digest_;
};

// Writes or reads several fields, in this order: fields(archive, "a", x.a, "b", x.b)
template <class Archive, class T, class... Others>
void fields(Archive& archive, const char* name, T& value, Others&... others) {
  archive(name, value);
  if constexpr (sizeof...(others) > 0) fields(archive, others...);
}

constexpr std::uint32_t archive_version = 7;

// A file: magic (8 bytes), byte order mark, version, size of the file; fields; XXH64 of everything before.
using WriteFields = std::function<void(ArchiveWriter&)>;
using ReadFields = std::function<void(ArchiveReader&)>;
void write_archive(const WriteFields& fields, ByteSink& sink);
// CheckpointError if the file is not as it was written.
void read_archive(const ReadFields& fields, ByteSource& source);

// Whether the first bytes are those of an archive of any version.
bool has_archive_magic(ByteSource& source);

}  // namespace pnmf
