// The shards of a problem in this process.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "pnmf/shards/remote_cells.h"
#include "pnmf/shards/shard.h"
#include "random_data.h"

class LocalShards : public pnmf::ShardWorkers {
 public:
  LocalShards(const Problem& problem, Index shards, const pnmf::Path& start, double unit = 1)
      : problem_(problem), unit_(unit), cells_(pnmf::split_cells(problem.X.cols(), problem.edges, shards)),
        edges_(pnmf::split_edges(cells_, problem.edges)), start_(start) {
    for (const auto& cells : cells_.cells) {
      data_.emplace_back(problem.X.rows(), cells.size());
      for (std::size_t k = 0; k < cells.size(); ++k) data_.back().col(k) = problem.X.col(cells[k]);
    }
    for (std::size_t s = 0; s < data_.size(); ++s) shards_.push_back(fresh(s));
  }

  std::vector<pnmf::ShardAnswer> run(const pnmf::ShardRequest& request,
                                     const std::vector<pnmf::BorderMatrices>& ghosts) override {
    if (calls++ == loses_at) restart(shards_.size() / 2);
    std::vector<pnmf::ShardAnswer> answers;
    pnmf::SerialExecutor serial;
    // In reverse, as other processes might.
    for (std::size_t s = shards_.size(); s-- > 0;) {
      find(s, request.version);
      answers.insert(answers.begin(), shards_[s]->answer(request, ghosts[s], serial));
    }
    return answers;
  }
  void save(int version, int place) override {
    for (std::size_t s = 0; s < shards_.size(); ++s) {
      find(s, version);
      states_[{s, place}] = shards_[s]->state();
      states_[{s, place}].version = version;
    }
  }
  Matrix collect(int version, Index t) override {
    Matrix H;
    for (std::size_t s = 0; s < shards_.size(); ++s) {
      find(s, version);
      const Matrix& of_shard = shards_[s]->state().H[t];
      if (s == 0) H.resize(of_shard.rows(), problem_.X.cols());
      for (std::size_t k = 0; k < cells_.cells[s].size(); ++k) H.col(cells_.cells[s][k]) = of_shard.col(k);
    }
    return H;
  }
  // The process of a shard forgets everything.
  void restart(std::size_t s) { shards_[s] = fresh(s); }

  // The cells of the problem, as the driver sees them. The options must outlive them.
  pnmf::RemoteCells remote(const pnmf::FitOptions& options, pnmf::Executor& executor) {
    double edges = 0;
    for (double threshold : problem_.thresholds) {
      for (double length : problem_.edges.length) edges += length < threshold;
    }
    const Matrix& X = problem_.X;
    return {
        pnmf::Borders(edges_.borders, problem_.thresholds, problem_.alpha, unit_),
        {static_cast<double>(X.rows()), static_cast<double>(X.cols()), static_cast<double>((X.array() != 0).count()),
         X.squaredNorm(), edges / static_cast<double>(problem_.thresholds.size())},
        options,
        *this,
        executor};
  }
  const pnmf::CellShards& cells() const { return cells_; }

  int calls = 0, loses_at = -1;

 private:
  std::unique_ptr<pnmf::Shard> fresh(std::size_t s) const {
    std::vector<Matrix> H;
    for (const Matrix& whole : start_.H) {
      H.emplace_back(whole.rows(), data_[s].cols());
      for (Index k = 0; k < data_[s].cols(); ++k) H.back().col(k) = whole.col(cells_.cells[s][k]);
    }
    pnmf::ShardModel model;
    static_cast<pnmf::Model&>(model) = problem_.options;
    model.rank = static_cast<int>(start_.Wt[0].rows());
    model.thresholds = problem_.thresholds;
    model.alpha = problem_.alpha;
    model.unit = unit_;
    return std::make_unique<pnmf::Shard>(pnmf::dense_data(map_of(data_[s])), edges_.shards[s], model, H);
  }

  void find(std::size_t s, int version) {
    if (shards_[s]->version() == version) return;
    if (version == 0) return restart(s);
    for (int place : {0, 1}) {
      const auto stored = states_.find({s, place});
      if (stored != states_.end() && shards_[s]->restore(stored->second, version)) return;
    }
    throw pnmf::StateLost("lost");
  }

  const Problem& problem_;
  double unit_;
  pnmf::CellShards cells_;
  pnmf::SplitEdges edges_;
  pnmf::Path start_;
  std::vector<Matrix> data_;
  std::vector<std::unique_ptr<pnmf::Shard>> shards_;
  std::map<std::pair<std::size_t, int>, pnmf::HeldState> states_;
};
