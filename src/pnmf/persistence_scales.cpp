#include "persistence_scales.h"

#include <algorithm>
#include <numeric>

namespace pnmf {
namespace {

// Cells per task of a pass over all pairs.
constexpr Index rows_per_task = 32;
// Partners per block, so that their coordinates are read from cache for all rows of a task.
constexpr Index partners_per_block = 256;

// Calls visit(i, j, lengths) for every row i in begin ... end-1 and blocks of partners j > i.
template <class Visit>
void for_pairs(const Distances& distances, Index begin, Index end, Executor& executor, Visit visit) {
  const Index n = distances.size();
  std::vector<int> partner(n);
  std::iota(partner.begin(), partner.end(), 0);
  std::vector<double> length(partners_per_block);
  for (Index block = begin; block < n; block += partners_per_block) {
    executor.poll();
    const Index block_end = std::min(n, block + partners_per_block);
    for (Index i = begin; i < end; ++i) {
      const Index first = std::max(block, i + 1);
      if (first >= block_end) continue;
      distances.keys(i, partner.data() + first, block_end - first, length.data());
      for (Index k = 0; k < block_end - first; ++k) length[k] = distances.length(length[k]);
      visit(i, first, block_end, length.data());
    }
  }
}

}  // namespace

std::vector<double> count_edges(const Distances& distances, const std::vector<double>& thresholds,
                                Executor& executor) {
  const Index n = distances.size();
  const std::size_t T = thresholds.size();
  // A lookup table over equal steps of length brings the search for a threshold down to a few comparisons.
  const Index n_bins = static_cast<Index>(4 * T + 1);
  const double step = thresholds.back() / static_cast<double>(n_bins - 1);
  std::vector<std::size_t> first_above(n_bins);
  for (Index b = 0; b < n_bins; ++b) {
    first_above[b] =
        std::upper_bound(thresholds.begin(), thresholds.end(), step * static_cast<double>(b)) - thresholds.begin();
  }
  const Index n_tasks = (n + rows_per_task - 1) / rows_per_task;
  const Index n_groups = std::min<Index>(n_tasks, 64);
  std::vector<std::vector<double>> counts(n_groups, std::vector<double>(T + 1, 0.0));
  executor.run(n_groups, [&](Index group) {
    std::vector<double>& count = counts[group];
    for (Index task = group; task < n_tasks; task += n_groups) {
      for_pairs(distances, task * rows_per_task, std::min(n, (task + 1) * rows_per_task), executor,
                [&](Index, Index first, Index last, const double* length) {
                  for (Index k = 0; k < last - first; ++k) {
                    const Index bin = step > 0 ? std::min(n_bins - 1, static_cast<Index>(length[k] / step)) : 0;
                    std::size_t t = first_above[bin] > 0 ? first_above[bin] - 1 : 0;
                    while (t < T && thresholds[t] <= length[k]) ++t;
                    while (t > 0 && thresholds[t - 1] > length[k]) --t;
                    count[t] += 1;
                  }
                });
    }
  });
  std::vector<double> below(T, 0.0);
  double running = 0;
  for (std::size_t t = 0; t < T; ++t) {
    for (const auto& count : counts) running += count[t];
    below[t] = running;
  }
  return below;
}

EdgeList edges_below(const Distances& distances, double threshold, Executor& executor) {
  const Index n = distances.size();
  const Index n_tasks = (n + rows_per_task - 1) / rows_per_task;
  std::vector<EdgeList> found(n_tasks);
  executor.run(n_tasks, [&](Index task) {
    EdgeList& edges = found[task];
    for_pairs(distances, task * rows_per_task, std::min(n, (task + 1) * rows_per_task), executor,
              [&](Index i, Index first, Index last, const double* length) {
                for (Index k = 0; k < last - first; ++k) {
                  if (!(length[k] < threshold)) continue;
                  edges.i.push_back(static_cast<int>(i));
                  edges.j.push_back(static_cast<int>(first + k));
                  edges.length.push_back(length[k]);
                }
              });
  });
  EdgeList all;
  for (EdgeList& edges : found) {
    all.i.insert(all.i.end(), edges.i.begin(), edges.i.end());
    all.j.insert(all.j.end(), edges.j.begin(), edges.j.end());
    all.length.insert(all.length.end(), edges.length.begin(), edges.length.end());
    edges = EdgeList();
  }
  sort_edges(all);
  return all;
}

std::vector<double> pair_lengths(const Distances& distances, const std::vector<int>& i, const std::vector<int>& j) {
  std::vector<double> length(i.size());
  for (std::size_t e = 0; e < i.size(); ++e) {
    double key;
    distances.keys(i[e], &j[e], 1, &key);
    length[e] = distances.length(key);
  }
  return length;
}

}  // namespace pnmf
