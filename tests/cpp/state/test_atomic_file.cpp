#include "pnmf/state/atomic_file.h"

#include <filesystem>

#include "check.h"

namespace {

namespace fs = std::filesystem;

// A new folder with a space and letters beyond ASCII in its name; it goes with the test.
struct Folder {
  Folder() : place(fs::temp_directory_path() / fs::u8path(u8"pnmf gr\u00f6\u00dfe \u7d30\u80de")) {
    fs::remove_all(place);
    fs::create_directory(place);
  }
  ~Folder() { fs::remove_all(place); }
  std::string file(const char* name) const { return (place / name).u8string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(place), fs::directory_iterator()));
  }
  fs::path place;
};

std::string content(const std::string& path) {
  pnmf::FileSource source(path);
  std::string bytes(source.size(), ' ');
  source.read(&bytes[0], bytes.size());
  return bytes;
}

void replace(const std::string& path, const std::string& bytes) {
  pnmf::AtomicFile file(path);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

}  // namespace

TEST("atomic file: bytes come back as they went, line ends and zeros among them, under any name") {
  const Folder folder;
  const std::string path = folder.file("a state.ckpt"), bytes("one\r\ntwo\n\x1a\0three", 16);
  replace(path, bytes);
  CHECK(content(path) == bytes);
  replace(path, "shorter");
  CHECK(content(path) == "shorter");
  CHECK(folder.entries() == 1);
}

TEST("atomic file: what is not committed leaves the old file as it was, and no part behind") {
  const Folder folder;
  const std::string path = folder.file("state.ckpt");
  replace(path, "before");
  {
    pnmf::AtomicFile file(path);
    file.write("after", 5);
  }
  CHECK(content(path) == "before");
  CHECK(folder.entries() == 1);
}

TEST("atomic file: a second writer is refused, and the first one's bytes are what remains") {
  const Folder folder;
  const std::string path = folder.file("state.ckpt");
  pnmf::AtomicFile first(path);
  first.write("first", 5);
  CHECK_THROWS(pnmf::AtomicFile(path), pnmf::FileError);
  first.commit();
  CHECK(content(path) == "first");
  CHECK(folder.entries() == 1);
}

TEST("atomic file: a part that a killed process left is used again") {
  const Folder folder;
  const std::string path = folder.file("state.ckpt");
  replace(path + ".part", "left over, and longer");
  replace(path, "new");
  CHECK(content(path) == "new");
  CHECK(folder.entries() == 1);
}

TEST("atomic file: folders and missing files are no checkpoints, and reading beyond the end is said") {
  const Folder folder;
  CHECK_THROWS(pnmf::FileSource(folder.place.u8string()), pnmf::CheckpointError);
  CHECK_THROWS(pnmf::FileSource(folder.file("none")), pnmf::CheckpointError);
  CHECK_THROWS(pnmf::AtomicFile(folder.file("none/state.ckpt")), pnmf::FileError);
  replace(folder.file("short"), "four");
  pnmf::FileSource source(folder.file("short"));
  char bytes[5];
  CHECK_THROWS(source.read(bytes, 5), pnmf::CheckpointError);
}
