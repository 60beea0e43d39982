#include <algorithm>
#include <limits>

#include "pnmf/cluster/community_tree.h"

namespace pnmf {
namespace {

// The vectors m_i by rows and by columns.
struct Neighborhoods {
  explicit Neighborhoods(const NearestNeighbors& near)
      : k(near.index.cols() + 1), column_start(near.index.rows() + 1, 0) {
    const Index n = near.index.rows();
    member.resize(n * k);
    value.resize(n * k);
    squared_norm.assign(n, 0.0);
    for (Index i = 0; i < n; ++i) {
      const double farthest = near.length(i, k - 2);
      for (Index e = 0; e < k; ++e) {
        const Index at = i * k + e;
        member[at] = e == 0 ? static_cast<int>(i) : near.index(i, e - 1);
        value[at] = e == 0 || !(farthest > 0) ? 1.0 : 1.0 - 1e-3 * near.length(i, e - 1) / farthest;
        squared_norm[i] += value[at] * value[at];
        ++column_start[member[at] + 1];
      }
    }
    for (Index l = 0; l < n; ++l) column_start[l + 1] += column_start[l];
    holder.resize(n * k);
    std::vector<Index> next(column_start.begin(), column_start.end() - 1);
    for (Index at = 0; at < n * k; ++at) holder[next[member[at]]++] = at;
  }
  Index k;
  std::vector<int> member;
  std::vector<double> value, squared_norm;
  std::vector<Index> column_start, holder;  // holder: positions of l in `member`, ascending
};

// With weights instead of lengths.
EdgeList sharing_pairs(const Neighborhoods& m) {
  const Index n = static_cast<Index>(m.squared_norm.size());
  EdgeList edges;
  std::vector<double> shared(n, 0.0);
  std::vector<int> touched;
  for (Index i = 0; i < n; ++i) {
    touched.clear();
    for (Index at = i * m.k; at < (i + 1) * m.k; ++at) {
      const int l = m.member[at];
      for (Index h = m.column_start[l]; h < m.column_start[l + 1]; ++h) {
        const int j = static_cast<int>(m.holder[h] / m.k);
        if (j <= i) continue;
        if (shared[j] == 0) touched.push_back(j);
        shared[j] += m.value[at] * m.value[m.holder[h]];
      }
    }
    for (int j : touched) {
      edges.add(static_cast<int>(i), j, shared[j] / (m.squared_norm[i] + m.squared_norm[j] - shared[j]));
      shared[j] = 0;
    }
  }
  return edges;
}

bool share_a_neighbor(const Neighborhoods& m, int i, int j) {
  for (Index a = i * m.k; a < (i + 1) * m.k; ++a) {
    for (Index b = j * m.k; b < (j + 1) * m.k; ++b) {
      if (m.member[a] == m.member[b]) return true;
    }
  }
  return false;
}

void add_links(const Neighborhoods& m, const EdgeList& links, EdgeList& edges) {
  const double weight = 0.5 / static_cast<double>(2 * m.k - 1);
  double shortest = std::numeric_limits<double>::infinity();
  std::vector<Index> apart;
  for (Index e = 0; e < links.size(); ++e) {
    if (share_a_neighbor(m, links.i[e], links.j[e])) continue;
    apart.push_back(e);
    shortest = std::min(shortest, links.length[e]);
  }
  for (Index e : apart) {
    const double share = links.length[e] > 0 ? shortest / links.length[e] : 1.0;
    edges.add(links.i[e], links.j[e], weight * std::max(share, 1e-12));
  }
}

}  // namespace

SimilarityGraph shared_neighbors(const NearestNeighbors& near, const EdgeList& links) {
  const Neighborhoods m(near);
  EdgeList edges = sharing_pairs(m);
  add_links(m, links, edges);
  return {near.index.rows(), edges};
}

}  // namespace pnmf
