#include "pnmf/cluster/community_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "pnmf/geometry/exact_neighbors.h"

namespace pnmf {
namespace {

// Follows chains of nearest neighbours. Average linkage is reducible, so two clusters that are each other's nearest can
// be merged immediately.
class Agglomeration {
 public:
  explicit Agglomeration(const SimilarityGraph& graph)
      : cells_(static_cast<int>(graph.cells())), volume_(cells_, 0.0), links_(cells_), sum_(2 * cells_, 0.0) {
    for (int i = 0; i < cells_; ++i) {
      for (Index e = graph.start[i]; e < graph.start[i + 1]; ++e) {
        links_[i].push_back({graph.neighbor[e], graph.value[e]});
        volume_[i] += graph.value[e];
      }
    }
    total_ = std::accumulate(volume_.begin(), volume_.end(), 0.0);
    root_.resize(cells_);
    std::iota(root_.begin(), root_.end(), 0);
    height_.assign(cells_, std::numeric_limits<double>::infinity());
  }

  std::vector<Merger> run() {
    for (int first = 0; first < static_cast<int>(root_.size()); ++first) {
      if (root_[first] != first) continue;
      std::vector<int> chain{first};
      while (!chain.empty()) extend(chain);
    }
    return in_order();
  }

 private:
  struct Link {
    int to;
    double weight;
  };
  struct Nearest {
    int cluster = -1;
    double resolution = 0;
  };

  // One step of the chain: adds a cluster, or merges its last two. Ends when its last cluster has no neighbour.
  void extend(std::vector<int>& chain) {
    const int last = chain.back(), before = chain.size() > 1 ? chain[chain.size() - 2] : -1;
    const Nearest near = nearest(last, before);
    if (near.cluster < 0) {
      chain.clear();
    } else if (near.cluster == before) {
      chain.resize(chain.size() - 2);
      merge(before, last, near.resolution);
    } else {
      chain.push_back(near.cluster);
    }
  }

  // Ties go to `preferred`, otherwise to the cluster with the smallest number.
  Nearest nearest(int cluster, int preferred) {
    gather(cluster);
    Nearest best;
    for (const Link& link : links_[cluster]) {
      const double resolution = link.weight * total_ / (volume_[cluster] * volume_[link.to]);
      const bool equal = resolution == best.resolution && best.cluster != preferred &&
                         (link.to == preferred || link.to < best.cluster);
      if (resolution > best.resolution || equal) best = {link.to, resolution};
    }
    return best;
  }

  int find(int cluster) {
    while (root_[cluster] != cluster) cluster = root_[cluster] = root_[root_[cluster]];
    return cluster;
  }

  // Combines the links of mergers since the last call into one link per cluster.
  void gather(int cluster) {
    std::vector<Link>& links = links_[cluster];
    std::vector<int> met;
    for (const Link& link : links) {
      const int to = find(link.to);
      if (to == cluster) continue;
      if (sum_[to] == 0) met.push_back(to);
      sum_[to] += link.weight;
    }
    links.clear();
    for (int to : met) {
      links.push_back({to, sum_[to]});
      sum_[to] = 0;
    }
  }

  void merge(int a, int b, double resolution) {
    const int merged = static_cast<int>(root_.size());
    // Rounding must not raise a merger above those inside it.
    const double height = std::min({resolution, height_[a], height_[b]});
    mergers_.push_back({a, b, height});
    height_.push_back(height);
    volume_.push_back(volume_[a] + volume_[b]);
    root_.push_back(merged);
    root_[a] = root_[b] = merged;
    if (links_[a].size() < links_[b].size()) std::swap(a, b);
    std::vector<Link> all = std::move(links_[a]), rest = std::move(links_[b]);
    all.insert(all.end(), rest.begin(), rest.end());
    links_.push_back(std::move(all));
  }

  // By descending resolution. A merger never precedes those inside it, because it was made later and is not higher.
  std::vector<Merger> in_order() const {
    std::vector<int> order(mergers_.size()), place(mergers_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int p, int q) { return mergers_[p].resolution > mergers_[q].resolution; });
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
    const auto renumbered = [&](int c) { return c < cells_ ? c : cells_ + place[c - cells_]; };
    std::vector<Merger> sorted;
    for (int m : order) {
      sorted.push_back({renumbered(mergers_[m].a), renumbered(mergers_[m].b), mergers_[m].resolution});
    }
    return sorted;
  }

  int cells_;
  std::vector<double> volume_;
  std::vector<std::vector<Link>> links_;
  std::vector<double> sum_;  // all zero between calls
  double total_ = 0;
  std::vector<int> root_;
  std::vector<double> height_;
  std::vector<Merger> mergers_;
};

}  // namespace

std::vector<Merger> community_tree(const SimilarityGraph& graph) { return Agglomeration(graph).run(); }

ClusterTree substantial_clusters(Index cells, const std::vector<Merger>& mergers, int min_size) {
  const int n = static_cast<int>(cells), nodes = n + static_cast<int>(mergers.size());
  std::vector<int> size(nodes, 1), inside(nodes, -1);  // inside: the topmost split within a node
  std::vector<int> splits;
  for (int m = 0; m < nodes - n; ++m) {
    const Merger& merger = mergers[m];
    size[n + m] = size[merger.a] + size[merger.b];
    const bool split = merger.resolution < 1 && std::min(size[merger.a], size[merger.b]) >= min_size;
    inside[n + m] = split ? m : std::max(inside[merger.a], inside[merger.b]);
    if (split) splits.push_back(m);
  }

  ClusterTree tree;
  std::vector<int> leaf(nodes, -1), number(nodes - n, -1);
  for (int m : splits) {
    for (int side : {mergers[m].a, mergers[m].b}) {
      if (inside[side] < 0) leaf[side] = tree.leaves++;
    }
  }
  for (std::size_t k = 0; k < splits.size(); ++k) {
    const Merger& merger = mergers[splits[k]];
    const auto cluster = [&](int side) { return inside[side] < 0 ? leaf[side] : number[inside[side]]; };
    tree.mergers.push_back({cluster(merger.a), cluster(merger.b), merger.resolution});
    number[splits[k]] = tree.leaves + static_cast<int>(k);
  }
  for (int node = nodes - 1; node >= n; --node) {
    if (leaf[node] < 0) continue;
    leaf[mergers[node - n].a] = leaf[mergers[node - n].b] = leaf[node];
  }
  tree.leaf_of_cell.assign(leaf.begin(), leaf.begin() + n);
  return tree;
}

ClusterTree clusters_at_distances(const Distances& distances, int k, Executor& executor) {
  // Up to this many cells, it is faster to compare all pairs.
  constexpr Index max_cells_of_all_pairs = 5000;
  const auto search = distances.size() <= max_cells_of_all_pairs ? nearest_neighbors : exact_neighbors;
  const EdgeList links = minimum_spanning_tree(distances, executor).edges;
  const SimilarityGraph graph = shared_neighbors(search(distances, k, executor), links);
  return substantial_clusters(distances.size(), community_tree(graph), k);
}

Matrix leaf_weights(const SimilarityGraph& graph, const std::vector<int>& leaf_of_cell, int leaves) {
  Matrix between = Matrix::Zero(leaves, leaves);
  for (Index i = 0; i < graph.cells(); ++i) {
    for (Index e = graph.start[i]; e < graph.start[i + 1]; ++e) {
      between(leaf_of_cell[i], leaf_of_cell[graph.neighbor[e]]) += graph.value[e];
    }
  }
  return between;
}

}  // namespace pnmf
