#include "pnmf/shards/shard_file.h"

#include "pnmf/data/projected_data.h"

namespace pnmf {

template <class Archive>
void visit(Archive& archive, ShardModel& model) {
  archive("rank", model.rank);
  archive("thresholds", model.thresholds);
  archive("alpha", model.alpha);
  archive("unit", model.unit);
  archive("lambda_graph", model.penalties.graph);
  archive("lambda_smooth", model.penalties.smooth);
  archive("lambda_anchor", model.penalties.anchor);
  archive("weight", model.weights.weight);
  archive("gap", model.weights.gap);
}

template <class Archive>
void visit(Archive& archive, ShardEdges& edges) {
  archive("inner_i", edges.inner.i);
  archive("inner_j", edges.inner.j);
  archive("inner_length", edges.inner.length);
  archive("crossing_cell", edges.crossing.cell);
  archive("crossing_ghost", edges.crossing.ghost);
  archive("crossing_length", edges.crossing.length);
}

namespace {

template <class Archive, class File>
void visit_shard(Archive& archive, File& file) {
  archive("features", file.features);
  archive("cells", file.cells);
  archive("value", file.value);
  archive("row", file.row);
  archive("start", file.start);
  archive("model", file.model);
  archive("edges", file.edges);
  archive("H", file.H);
  archive("directions", file.directions);
  archive("coordinates", file.coordinates);
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
