#include "pnmf/shards/borders.h"

#include "pnmf/graph/scale_graph.h"

namespace pnmf {

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

Borders::Values extrapolated_borders(const Borders::Values& now, const Borders::Values& before,
                                     const std::vector<double>& step) {
  Borders::Values extrapolated = now;
  for (std::size_t s = 0; s < now.size(); ++s) {
    for (std::size_t t = 0; t < now[s].size(); ++t) {
      if (step[t] == 0) continue;
      const auto h = now[s][t].cast<double>().array(), last = before[s][t].cast<double>().array();
      extrapolated[s][t] = (h + step[t] * (h - last)).max(0.0).matrix().cast<float>();
    }
  }
  return extrapolated;
}

}  // namespace pnmf
