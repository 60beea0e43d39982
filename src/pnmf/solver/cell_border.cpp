#include "pnmf/solver/cell_border.h"

#include <algorithm>
#include <unordered_map>

#include "pnmf/graph/scale_graph.h"

namespace pnmf {

CellBorder::CellBorder(CrossingEdges edges, Index cells, const std::vector<double>& thresholds, double alpha,
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

void CellBorder::round(Matrix& H, Index t) const {
  for (Index k = 0; k < size_[t]; ++k) {
    auto h = H.col(cells_[k]);
    h = (h / unit_).cast<float>().cast<double>() * unit_;
  }
}

BorderMatrix CellBorder::values(const Matrix& H, Index t) const {
  BorderMatrix values(H.rows(), size_[t]);
  for (Index k = 0; k < size_[t]; ++k) values.col(k) = (H.col(cells_[k]) / unit_).cast<float>();
  return values;
}

BorderPull CellBorder::no_pull(Index rank, Index t) const {
  return {Matrix::Zero(rank, size_[t]), Vector::Zero(all_cells_)};
}

// Both shards of an edge compute m from the same numbers of single precision.
BorderPull CellBorder::majorised(const Matrix& H, const BorderMatrix& ghosts, Index t, double graph_penalty) const {
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

BorderPull CellBorder::exact(const BorderMatrix& ghosts, Index t, double graph_penalty) const {
  BorderPull pull = no_pull(ghosts.rows(), t);
  for (Index e = 0; e < below_[t]; ++e) {
    const double factor = graph_penalty * weight_[t][e];
    pull.r.col(place_[e]) += factor * unit_ * ghosts.col(edges_.ghost[e]).cast<double>();
    pull.c[edges_.cell[e]] += factor;
  }
  return pull;
}

void CellBorder::add(const BorderPull& pull, Matrix& WtX) const {
  for (Index k = 0; k < pull.r.cols(); ++k) WtX.col(cells_[k]) += pull.r.col(k);
}

double CellBorder::inner_product(const BorderPull& pull, const Matrix& H) const {
  double total = 0;
  for (Index k = 0; k < pull.r.cols(); ++k) total += pull.r.col(k).dot(H.col(cells_[k]));
  return total;
}

}  // namespace pnmf
