#include "pnmf/layout/neighbor_layout.h"

#include <algorithm>
#include <cmath>

#include "pnmf/geometry/cell_groups.h"

namespace pnmf {
namespace {

constexpr int repulsions_per_edge = 5;
constexpr double largest_pull = 4;
constexpr Index block = 256;

// Neighbours of cell i: entries start[i] ... start[i + 1] - 1. Weights are shares of the largest one.
struct WeightedEdges {
  std::vector<Index> start;
  std::vector<int> neighbor;
  std::vector<double> weight;
};

struct DirectedEdge {
  int from, to;
  double weight;
};

// a + b - ab, where a and b are the weights of the two directions.
WeightedEdges symmetric_edges(const NearestNeighbors& near) {
  const Matrix weight = neighbor_weights(near.length);
  std::vector<DirectedEdge> all;
  all.reserve(2 * static_cast<std::size_t>(weight.size()));
  for (Index i = 0; i < weight.rows(); ++i) {
    for (Index k = 0; k < weight.cols(); ++k) {
      const int from = static_cast<int>(i), to = near.index(i, k);
      all.push_back({from, to, weight(i, k)});
      all.push_back({to, from, weight(i, k)});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const DirectedEdge& a, const DirectedEdge& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  WeightedEdges edges;
  edges.start.assign(static_cast<std::size_t>(weight.rows()) + 1, 0);
  double largest = 0;
  for (std::size_t e = 0; e < all.size(); ++e) {
    double w = all[e].weight;
    while (e + 1 < all.size() && all[e + 1].from == all[e].from && all[e + 1].to == all[e].to) {
      ++e;
      w += all[e].weight - w * all[e].weight;
    }
    edges.neighbor.push_back(all[e].to);
    edges.weight.push_back(w);
    edges.start[all[e].from + 1] = static_cast<Index>(edges.neighbor.size());
    largest = std::max(largest, w);
  }
  for (std::size_t i = 1; i < edges.start.size(); ++i) edges.start[i] = std::max(edges.start[i], edges.start[i - 1]);
  for (double& w : edges.weight) w /= largest;
  return edges;
}

// An edge with the share w of the largest weight is used in every 1/w-th epoch.
bool is_due(double weight, int epoch) { return std::floor((epoch + 1) * weight) > std::floor(epoch * weight); }

double bounded(double pull) { return std::clamp(pull, -largest_pull, largest_pull); }

// Force on cell i in this epoch: its edges pull, and for each of them, five other cells push.
Eigen::Vector2d force_on(Index i, const Matrix& y, const WeightedEdges& edges, int epoch, std::uint64_t seed) {
  const Index n = y.cols();
  const Eigen::Vector2d own = y.col(i);
  Eigen::Vector2d force(0, 0);
  const auto add = [&](const Eigen::Vector2d& away, double size) {
    force[0] += bounded(size * away[0]);
    force[1] += bounded(size * away[1]);
  };
  std::uint64_t draw = splitmix64(seed ^ splitmix64(static_cast<std::uint64_t>(epoch) * n + i));
  for (Index e = edges.start[i]; e < edges.start[i + 1]; ++e) {
    if (!is_due(edges.weight[e], epoch)) continue;
    const Eigen::Vector2d away = own - y.col(edges.neighbor[e]);
    add(away, -4 / (1 + away.squaredNorm()));  // the pull of both directions
    for (int r = 0; r < repulsions_per_edge; ++r) {
      draw = splitmix64(draw);
      const Eigen::Vector2d other = own - y.col(static_cast<Index>((draw >> 32) * static_cast<std::uint64_t>(n) >> 32));
      const double squared = other.squaredNorm();
      if (squared > 0) add(other, 2 / ((1e-3 + squared) * (1 + squared)));
    }
  }
  return force;
}

// Adam with a short memory: forces of one epoch are noisy.
class Steps {
 public:
  explicit Steps(Index cells) : mean_(Matrix::Zero(2, cells)), square_(Matrix::Zero(2, cells)) {}
  Eigen::Vector2d step(Index i, const Eigen::Vector2d& force, int epoch) {
    mean_.col(i) = mean_decay * mean_.col(i) + (1 - mean_decay) * force;
    square_.col(i) = square_decay * square_.col(i) + (1 - square_decay) * force.cwiseAbs2();
    const Eigen::Vector2d size = (square_.col(i) / (1 - std::pow(square_decay, epoch + 1))).cwiseSqrt();
    return (mean_.col(i) / (1 - std::pow(mean_decay, epoch + 1))).cwiseQuotient((size.array() + 1e-7).matrix());
  }

 private:
  static constexpr double mean_decay = 0.5, square_decay = 0.9;
  Matrix mean_, square_;
};

}  // namespace

Matrix neighbor_weights(const Matrix& length) {
  Matrix weight(length.rows(), length.cols());
  const double target = std::log2(static_cast<double>(length.cols()) + 1);
  for (Index i = 0; i < length.rows(); ++i) {
    double rho = 0;
    for (Index k = 0; k < length.cols() && rho == 0; ++k) rho = length(i, k);
    const Eigen::ArrayXd beyond = (length.row(i).array() - rho).max(0);
    double low = 0, high = std::max(beyond.maxCoeff(), 1e-300) * 1e3;
    for (int round = 0; round < 64; ++round) {
      const double sigma = (low + high) / 2;
      ((-beyond / sigma).exp().sum() > target ? high : low) = sigma;
    }
    weight.row(i) = (-beyond / std::max(high, 1e-3 * length.row(i).mean() + 1e-300)).exp();
  }
  return weight;
}

Matrix neighbor_layout(const NearestNeighbors& near, const Matrix& start, const LayoutOptions& options,
                       Executor& executor) {
  const WeightedEdges edges = symmetric_edges(near);
  const Index n = start.cols();
  Matrix now = start, next = start;
  Steps steps(n);
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    executor.poll();
    const double rate = 1 - static_cast<double>(epoch) / options.epochs;
    run_blocks(executor, n, block, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        next.col(i) = now.col(i) + rate * steps.step(i, force_on(i, now, edges, epoch, options.seed), epoch);
      }
    });
    now.swap(next);
  }
  return now;
}

}  // namespace pnmf
