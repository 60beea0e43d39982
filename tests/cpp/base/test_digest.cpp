#include "pnmf/base/digest.h"

#include <string>

#include "check.h"

namespace {

std::uint64_t digest_of(const std::string& text, std::size_t piece) {
  pnmf::Digest digest;
  for (std::size_t at = 0; at < text.size(); at += piece)
    digest.add(text.data() + at, std::min(piece, text.size() - at));
  return digest.value();
}

}  // namespace

TEST("digest: the values of XXH64 that its author publishes") {
  CHECK(digest_of("", 1) == 0xEF46DB3751D8E999u);
  CHECK(digest_of("a", 1) == 0xD24EC4F1A98C6E5Bu);
  CHECK(digest_of("abc", 3) == 0x44BC2CF5AD770999u);
  CHECK(digest_of("xxhash", 6) == 0x32DD38952C4BC720u);
  CHECK(digest_of("Nobody inspects the spammish repetition", 39) == 0xFBCEA83C8A378BF1u);
}

TEST("digest: the pieces do not matter, every byte does") {
  std::string text;
  for (int k = 0; k < 150; ++k) text.push_back(static_cast<char>(7 * k));
  const std::uint64_t whole = digest_of(text, text.size());
  for (std::size_t piece = 1; piece < text.size(); ++piece) CHECK(digest_of(text, piece) == whole);
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string other = text;
    other[at] ^= 1;
    CHECK(digest_of(other, 1000) != whole);
  }
}
