#include "pnmf/geometry/minimum_spanning_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace pnmf {
namespace {

// Cells outside the tree with their nearest cell inside it. The last cell overwrites a cell that joins the tree.
struct Frontier {
  std::vector<int> cell, nearest;
  std::vector<double> key;
};

struct Candidate {
  double key = std::numeric_limits<double>::infinity();
  int cell = std::numeric_limits<int>::max();
  Index place = -1;
  double farthest = 0;
  // Ties go to the cell with the smaller number, so the tree does not depend on the order of the frontier.
  bool before(const Candidate& other) const { return key < other.key || (key == other.key && cell < other.cell); }
};

Candidate relax(const Distances& distances, Index joined, Frontier& frontier, Index begin, Index end) {
  thread_local std::vector<double> key;
  key.resize(end - begin);
  distances.keys(joined, frontier.cell.data() + begin, end - begin, key.data());
  Candidate best;
  double farthest = 0;
  for (Index k = begin; k < end; ++k) {
    const double d = key[k - begin];
    farthest = std::max(farthest, d);
    if (d < frontier.key[k]) {
      frontier.key[k] = d;
      frontier.nearest[k] = static_cast<int>(joined);
    }
    const Candidate here{frontier.key[k], frontier.cell[k], k, 0};
    if (here.before(best)) best = here;
  }
  best.farthest = farthest;
  return best;
}

// One step over the whole frontier, on several threads if it reads enough entries.
Candidate relax_all(const Distances& distances, Index joined, Frontier& frontier, Executor& executor) {
  const Index n = static_cast<Index>(frontier.cell.size());
  constexpr Index worth_a_task = 100000;
  const Index block = std::max<Index>(256, worth_a_task / std::max<Index>(1, distances.cost()));
  if (executor.threads() == 1 || n <= block) return relax(distances, joined, frontier, 0, n);
  const Index n_blocks = (n + block - 1) / block;
  std::vector<Candidate> found(n_blocks);
  executor.run(n_blocks, [&](Index b) {
    found[b] = relax(distances, joined, frontier, b * block, std::min(n, (b + 1) * block));
  });
  Candidate best;
  for (const Candidate& candidate : found) {
    const double farthest = std::max(best.farthest, candidate.farthest);
    if (candidate.before(best)) best = candidate;
    best.farthest = farthest;
  }
  return best;
}

}  // namespace

void sort_edges(EdgeList& edges) {
  struct Edge {
    double length;
    int i, j;
  };
  std::vector<Edge> all(edges.size());
  for (Index e = 0; e < edges.size(); ++e) all[e] = {edges.length[e], edges.i[e], edges.j[e]};
  std::sort(all.begin(), all.end(),
            [](const Edge& a, const Edge& b) { return std::tie(a.length, a.i, a.j) < std::tie(b.length, b.i, b.j); });
  for (Index e = 0; e < edges.size(); ++e) {
    edges.length[e] = all[e].length;
    edges.i[e] = all[e].i;
    edges.j[e] = all[e].j;
  }
}

Adjacency::Adjacency(Index cells, const EdgeList& edges)
    : start(cells + 1, 0), neighbor(2 * edges.size()), value(2 * edges.size()) {
  for (Index e = 0; e < edges.size(); ++e) {
    ++start[edges.i[e] + 1];
    ++start[edges.j[e] + 1];
  }
  for (Index c = 0; c < cells; ++c) start[c + 1] += start[c];
  std::vector<Index> next(start.begin(), start.end() - 1);
  for (Index e = 0; e < edges.size(); ++e) {
    const Index a = next[edges.i[e]]++, b = next[edges.j[e]]++;
    neighbor[a] = edges.j[e];
    neighbor[b] = edges.i[e];
    value[a] = value[b] = edges.length[e];
  }
}

SpanningTree minimum_spanning_tree(const Distances& distances, Executor& executor) {
  const Index n = distances.size();
  Frontier frontier;
  frontier.cell.resize(n - 1);
  std::iota(frontier.cell.begin(), frontier.cell.end(), 1);
  frontier.nearest.assign(n - 1, 0);
  frontier.key.assign(n - 1, std::numeric_limits<double>::infinity());
  SpanningTree tree;
  double farthest = 0;
  Index joined = 0;
  while (!frontier.cell.empty()) {
    executor.poll();
    const Candidate next = relax_all(distances, joined, frontier, executor);
    farthest = std::max(farthest, next.farthest);
    const int other = frontier.nearest[next.place];
    tree.edges.add(std::min(next.cell, other), std::max(next.cell, other), distances.length(next.key));
    frontier.cell[next.place] = frontier.cell.back();
    frontier.nearest[next.place] = frontier.nearest.back();
    frontier.key[next.place] = frontier.key.back();
    frontier.cell.pop_back();
    frontier.nearest.pop_back();
    frontier.key.pop_back();
    joined = next.cell;
  }
  tree.longest_distance = distances.length(farthest);
  sort_edges(tree.edges);
  return tree;
}

}  // namespace pnmf
