#pragma once

#include "pnmf/shards/shard.h"
#include "pnmf/state/archive.h"

namespace pnmf {

// What the process of a shard begins with.
struct ShardFile {
  int features = 0, cells = 0;
  std::vector<double> value;    // of the data: column by column, or the entries of compressed columns
  std::vector<int> row, start;  // of compressed columns; empty: dense
  ShardModel model;
  ShardEdges edges;
  std::vector<Matrix> H;           // starting embeddings: of the finest scale, or of every scale
  Matrix directions, coordinates;  // U' and U'X, if the chain of starts factorises UU'X; empty: it factorises the data
};

void write_shard(const ShardFile& file, ByteSink& sink);
// CheckpointError if the file is not as it was written.
ShardFile read_shard(ByteSource& source);

// A shard that owns its data.
class StoredShard {
 public:
  explicit StoredShard(ShardFile file);
  Shard& shard() { return *shard_; }

 private:
  ShardFile file_;
  std::unique_ptr<Shard> shard_;
};

}  // namespace pnmf
