#include "pnmf/graph/scale_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pnmf/kernels/kernels.h"

namespace pnmf {
namespace {

// On average. Smaller sets would not keep several threads busy.
constexpr Index min_cells_per_set = 100;

// The values of so many cells, for a dozen functions, fit into the second-level cache.
constexpr std::size_t cells_per_group = 1024;

// Numbers a group of cells around the seed, breadth first. Cells at its edge become seeds of the next groups. Returns
// the next number.
int number_group(const NestedGraph& graph, int seed, int next, std::vector<int>& number, std::vector<int>& seeds) {
  std::vector<int> group(1, seed);
  number[seed] = next++;
  for (std::size_t k = 0; k < group.size(); ++k) {
    const Index begin = graph.start[group[k]], end = graph.start[group[k] + 1];
    for (Index e = begin; e < end; ++e) {
      const int other = graph.neighbor[e];
      if (number[other] >= 0) continue;
      if (group.size() >= cells_per_group) {
        seeds.push_back(other);
        continue;
      }
      number[other] = next++;
      group.push_back(other);
    }
  }
  return next;
}

}  // namespace

std::vector<int> numbers_by_neighbors(Index cells, const EdgeList& edges) {
  const NestedGraph graph(cells, edges);
  std::vector<int> number(cells, -1), seeds;
  int next = 0;
  for (Index first = 0; first < cells; ++first) {
    seeds.push_back(static_cast<int>(first));
    while (!seeds.empty()) {
      const int seed = seeds.back();
      seeds.pop_back();
      if (number[seed] < 0) next = number_group(graph, seed, next, number, seeds);
    }
  }
  return number;
}

EdgeList renumbered(EdgeList edges, const std::vector<int>& number) {
  for (int& cell : edges.i) cell = number[cell];
  for (int& cell : edges.j) cell = number[cell];
  return edges;
}

Index NestedGraph::count_edges(double threshold) const {
  Index twice = 0;
  for (Index c = 0; c < cells(); ++c) {
    const auto from = value.begin() + start[c], to = value.begin() + start[c + 1];
    twice += std::lower_bound(from, to, threshold) - from;
  }
  return twice / 2;
}

// Greedy colouring: every cell joins the first set that has none of its neighbours.
std::shared_ptr<const IndependentSets> NestedGraph::independent_sets() const {
  const Index n = cells(), max_sets = n / min_cells_per_set;
  IndependentSets sets;
  std::vector<Index> set_of(n, -1), seen_by;  // seen_by: the last cell that has a neighbour in the set
  for (Index i = 0; i < n; ++i) {
    for (Index e = start[i]; e < start[i + 1]; ++e) {
      const Index other = set_of[neighbor[e]];
      if (other >= 0) seen_by[other] = i;
    }
    const auto free = std::find_if(seen_by.begin(), seen_by.end(), [&](Index cell) { return cell != i; });
    set_of[i] = free - seen_by.begin();
    if (free == seen_by.end()) {
      if (static_cast<Index>(sets.size()) >= max_sets) return nullptr;
      seen_by.push_back(-1);
      sets.emplace_back();
    }
    sets[set_of[i]].push_back(static_cast<int>(i));
  }
  return std::make_shared<const IndependentSets>(std::move(sets));
}

double inverse_bandwidth(double threshold, double alpha) { return 1.0 / std::pow(threshold, alpha); }

// Duplicates have weight 1, even if the bandwidth underflows.
double edge_weight(double length, double inverse_bandwidth) {
  return length > 0 ? std::exp(-length * length * inverse_bandwidth) : 1.0;
}

ScaleGraph::ScaleGraph(const NestedGraph& nested, double threshold, double alpha)
    : first(nested.start.begin(), nested.start.end() - 1), begin(nested.start.size(), 0),
      neighbor(nested.neighbor.data()), degree(Vector::Zero(nested.cells())) {
  const Index n = nested.cells();
  for (Index i = 0; i < n; ++i) {
    const auto from = nested.value.begin() + nested.start[i], to = nested.value.begin() + nested.start[i + 1];
    begin[i + 1] = begin[i] + (std::lower_bound(from, to, threshold) - from);
  }
  weight.resize(begin[n]);
  const double inverse = inverse_bandwidth(threshold, alpha);
  for (Index i = 0; i < n; ++i) {
    for (Index e = begin[i]; e < begin[i + 1]; ++e) {
      weight[e] = edge_weight(nested.value[first[i] + e - begin[i]], inverse);
      degree[i] += weight[e];
    }
  }
}

ScaleGraph::ScaleGraph(Index cells, const int* row, const double* value, const int* column_start)
    : first(column_start, column_start + cells), begin(column_start, column_start + cells + 1), neighbor(row),
      weight(value, value + column_start[cells]), degree(Vector::Zero(cells)) {
  for (Index i = 0; i < cells; ++i) {
    for (Index e = begin[i]; e < begin[i + 1]; ++e) degree[i] += weight[e];
  }
}

void ScaleGraph::add_neighbors(Index i, const Matrix& H, double factor, Vector& out) const {
  add_weighted_columns(H.data(), H.rows(), neighbor + first[i], weight.data() + begin[i], begin[i + 1] - begin[i],
                       factor, out.data());
}

Matrix ScaleGraph::multiply(const Matrix& H) const {
  Matrix product = Matrix::Zero(H.rows(), H.cols());
  Vector sum(H.rows());
  for (Index i = 0; i < cells(); ++i) {
    if (begin[i] == begin[i + 1]) continue;
    sum.setZero();
    add_neighbors(i, H, 1.0, sum);
    product.col(i) = sum;
  }
  return product;
}

double ScaleGraph::penalty(const Matrix& H) const {
  double twice = 0;
  for (Index i = 0; i < cells(); ++i) {
    twice += weighted_differences(H.data(), H.rows(), i, neighbor + first[i], weight.data() + begin[i],
                                  begin[i + 1] - begin[i]);
  }
  return 0.5 * twice;
}

ScaleGraphs::ScaleGraphs(NestedGraph nested, std::vector<double> thresholds, double alpha, Index max_kept)
    : nested_(std::make_shared<const NestedGraph>(std::move(nested))), thresholds_(std::move(thresholds)),
      alpha_(alpha), one_at_a_time_(max_kept == 0), independent_sets_(nested_->independent_sets()),
      kept_(thresholds_.size()) {
  count_edges();
  if (2 * mean_edges_ * static_cast<double>(scales()) > static_cast<double>(max_kept)) return;
  for (Index t = 0; t < scales(); ++t) kept_[t] = make(t);
}

ScaleGraphs::ScaleGraphs(ScaleGraph graph)
    : nested_(std::make_shared<const NestedGraph>(graph.cells(), EdgeList())),
      thresholds_(1, std::numeric_limits<double>::infinity()), alpha_(1),
      mean_edges_(0.5 * static_cast<double>(graph.weight.size())),
      kept_(1, std::make_shared<const ScaleGraph>(std::move(graph))) {}

void ScaleGraphs::count_edges() {
  double total = 0;
  for (double threshold : thresholds_) total += static_cast<double>(nested_->count_edges(threshold));
  mean_edges_ = total / static_cast<double>(scales());
}

ScaleGraphs ScaleGraphs::chosen(const std::vector<Index>& scales) const {
  ScaleGraphs some(*this);
  some.thresholds_.clear();
  some.kept_.clear();
  for (Index t : scales) {
    some.thresholds_.push_back(thresholds_[t]);
    some.kept_.push_back(kept_[t]);
  }
  some.count_edges();
  return some;
}

std::shared_ptr<const ScaleGraph> ScaleGraphs::at(Index t) const { return kept_[t] ? kept_[t] : make(t); }

std::shared_ptr<const ScaleGraph> ScaleGraphs::make(Index t) const {
  auto graph = std::make_shared<ScaleGraph>(*nested_, thresholds_[t], alpha_);
  graph->independent_sets = independent_sets_;
  return graph;
}

}  // namespace pnmf
