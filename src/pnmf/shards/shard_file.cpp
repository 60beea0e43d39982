#include "pnmf/shards/shard_file.h"

#include "pnmf/data/projected_data.h"

namespace pnmf {

template <class Archive>
void visit(Archive& archive, ShardModel& model) {
  fields(archive, "rank", model.rank, "thresholds", model.thresholds, "alpha", model.alpha, "unit", model.unit,
         "lambda_graph", model.penalties.graph, "lambda_smooth", model.penalties.smooth, "lambda_anchor",
         model.penalties.anchor, "weight", model.weights.weight, "gap", model.weights.gap);
}

template <class Archive>
void visit(Archive& archive, ShardEdges& edges) {
  fields(archive, "inner_i", edges.inner.i, "inner_j", edges.inner.j, "inner_length", edges.inner.length,
         "crossing_cell", edges.crossing.cell, "crossing_ghost", edges.crossing.ghost, "crossing_length",
         edges.crossing.length);
}

namespace {

template <class Archive, class File>
void visit_shard(Archive& archive, File& file) {
  fields(archive, "features", file.features, "cells", file.cells, "value", file.value, "row", file.row, "start",
         file.start, "model", file.model, "edges", file.edges, "H", file.H, "directions", file.directions,
         "coordinates", file.coordinates);
}

std::unique_ptr<DataMatrix> data_of(const ShardFile& file) {
  if (file.start.empty()) return dense_data(ConstMatrixMap(file.value.data(), file.features, file.cells));
  return sparse_data({file.features, file.cells, file.row.data(), file.value.data(), file.start.data()});
}

std::shared_ptr<const DataMatrix> start_data_of(const ShardFile& file) {
  if (file.directions.size() == 0) return nullptr;
  return projected_data({file.directions, file.coordinates});
}

}  // namespace

void write_shard(const ShardFile& file, ByteSink& sink) {
  write_archive([&](ArchiveWriter& out) { visit_shard(out, file); }, sink);
}

ShardFile read_shard(ByteSource& source) {
  ShardFile file;
  read_archive([&](ArchiveReader& in) { visit_shard(in, file); }, source);
  return file;
}

StoredShard::StoredShard(ShardFile file) : file_(std::move(file)) {
  std::vector<Matrix> H;
  H.swap(file_.H);
  shard_ =
      std::make_unique<Shard>(data_of(file_), std::move(file_.edges), file_.model, std::move(H), start_data_of(file_));
  file_.directions.resize(0, 0);
  file_.coordinates.resize(0, 0);
}

}  // namespace pnmf
