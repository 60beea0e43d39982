#include "pnmf/shards/shard_borders.h"

#include <algorithm>
#include <unordered_map>

#include "pnmf/graph/scale_graph.h"

namespace pnmf {

ShardBorder::ShardBorder(CrossingEdges edges, Index cells, const std::vector<double>& thresholds, double alpha,
                         double unit)
    : edges_(std::move(edges)), cells_(border_cells(edges_)), below_(counts_below(edges_.length, thresholds)),
      all_cells_(cells), unit_(unit) {
  std::unordered_map<int, int> place;
  for (std::size_t k = 0; k < cells_.size(); ++k) place[cells_[k]] = static_cast<int>(k);
  for (int cell : edges_.cell) place_.push_back(place[cell]);
  for (std::size_t t = 0; t < thresholds.size(); ++t) {
    const auto last = std::max_element(place_.begin(), place_.begin() + below_[t]);
    size_.push_back(below_[t] == 0 ? 0 : *last + 1);
    weight_.emplace_back(below_[t]);
    const double inverse = inverse_bandwidth(thresholds[t], alpha);
    for (Index e = 0; e < below_[t]; ++e) weight_[t][e] = edge_weight(edges_.length[e], inverse);
  }
}

void ShardBorder::round(Matrix& H, Index t) const {
  for (Index k = 0; k < size_[t]; ++k) {
    auto h = H.col(cells_[k]);
    h = (h / unit_).cast<float>().cast<double>() * unit_;
  }
}

BorderMatrix ShardBorder::values(const Matrix& H, Index t) const {
  BorderMatrix values(H.rows(), size_[t]);
  for (Index k = 0; k < size_[t]; ++k) values.col(k) = (H.col(cells_[k]) / unit_).cast<float>();
  return values;
}

BorderPull ShardBorder::no_pull(Index rank, Index t) const {
  return {Matrix::Zero(rank, size_[t]), Vector::Zero(all_cells_)};
}

// Both shards of an edge compute m from the same numbers of single precision.
BorderPull ShardBorder::majorised(const Matrix& H, const BorderMatrix& ghosts, Index t, double graph_penalty) const {
  BorderPull pull = no_pull(H.rows(), t);
  const BorderMatrix own = values(H, t);
  for (Index e = 0; e < below_[t]; ++e) {
    const double factor = graph_penalty * weight_[t][e];
    const int k = place_[e];
    pull.r.col(k) += factor * unit_ * (own.col(k).cast<double>() + ghosts.col(edges_.ghost[e]).cast<double>());
    pull.c[edges_.cell[e]] += 2 * factor;
  }
  return pull;
}

BorderPull ShardBorder::exact(const BorderMatrix& ghosts, Index t, double graph_penalty) const {
  BorderPull pull = no_pull(ghosts.rows(), t);
  for (Index e = 0; e < below_[t]; ++e) {
    const double factor = graph_penalty * weight_[t][e];
    pull.r.col(place_[e]) += factor * unit_ * ghosts.col(edges_.ghost[e]).cast<double>();
    pull.c[edges_.cell[e]] += factor;
  }
  return pull;
}

void ShardBorder::add(const BorderPull& pull, Matrix& WtX) const {
  for (Index k = 0; k < pull.r.cols(); ++k) WtX.col(cells_[k]) += pull.r.col(k);
}

double ShardBorder::inner_product(const BorderPull& pull, const Matrix& H) const {
  double total = 0;
  for (Index k = 0; k < pull.r.cols(); ++k) total += pull.r.col(k).dot(H.col(cells_[k]));
  return total;
}

Borders::Borders(BorderEdges edges, std::vector<double> thresholds, double alpha, double unit)
    : edges_(std::move(edges)), thresholds_(std::move(thresholds)), alpha_(alpha), unit_(unit),
      below_(counts_below(edges_.length, thresholds_)) {
  for (const auto& from : edges_.ghost_from) ghosts_.push_back(counts_below(from, thresholds_));
}

Borders::Values Borders::ghosts(const Values& values, const std::vector<Index>& scales) const {
  Values ghosts(shards());
  for (Index s = 0; s < shards(); ++s) {
    for (std::size_t k = 0; k < scales.size(); ++k) {
      BorderMatrix of_scale(values[s][k].rows(), ghosts_[s][scales[k]]);
      for (Index g = 0; g < of_scale.cols(); ++g) {
        const BorderCell& cell = edges_.ghosts[s][g];
        of_scale.col(g) = values[cell.shard][k].col(cell.place);
      }
      ghosts[s].push_back(std::move(of_scale));
    }
  }
  return ghosts;
}

double Borders::penalty(const Values& values, Index t) const {
  const double inverse = inverse_bandwidth(thresholds_[t], alpha_);
  double total = 0;
  for (Index e = 0; e < below_[t]; ++e) {
    const BorderCell &a = edges_.a[e], &b = edges_.b[e];
    total +=
        edge_weight(edges_.length[e], inverse) *
        (values[a.shard][t].col(a.place).cast<double>() - values[b.shard][t].col(b.place).cast<double>()).squaredNorm();
  }
  return total * unit_ * unit_;
}

Borders::Values extrapolated(const Borders::Values& now, const Borders::Values& before,
                             const std::vector<double>& lead) {
  Borders::Values ahead = now;
  for (std::size_t s = 0; s < now.size(); ++s) {
    for (std::size_t t = 0; t < now[s].size(); ++t) {
      if (lead[t] == 0) continue;
      const auto h = now[s][t].cast<double>().array(), last = before[s][t].cast<double>().array();
      ahead[s][t] = (h + lead[t] * (h - last)).max(0.0).matrix().cast<float>();
    }
  }
  return ahead;
}

}  // namespace pnmf
