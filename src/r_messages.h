#pragma once

#include <Rcpp.h>

#include <cstring>

#include "pnmf/state/archive.h"

// Messages between this session and the processes of shards: what visit() names, as raw vectors.

struct MessageSink : pnmf::ByteSink {
  void write(const void* at, std::size_t n) override {
    const auto* first = static_cast<const unsigned char*>(at);
    bytes.insert(bytes.end(), first, first + n);
  }
  std::vector<unsigned char> bytes;
};

struct MessageSource : pnmf::ByteSource {
  explicit MessageSource(const Rcpp::RawVector& bytes) : bytes(bytes) {}
  std::uint64_t size() const override { return bytes.size(); }
  void read(void* at, std::size_t n) override {
    std::memcpy(at, bytes.begin() + next, n);
    next += n;
  }
  const Rcpp::RawVector& bytes;
  std::size_t next = 0;
};

template <class T>
Rcpp::RawVector wrap_message(const T& message) {
  MessageSink sink;
  pnmf::ArchiveWriter out(sink);
  out("message", message);
  return Rcpp::RawVector(sink.bytes.begin(), sink.bytes.end());
}

template <class T>
T as_message(const Rcpp::RawVector& bytes) {
  T message;
  MessageSource source(bytes);
  pnmf::ArchiveReader in(source);
  in("message", message);
  return message;
}
