#include "pnmf/geometry/persistence_scales.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

namespace pnmf {
namespace {

// Cells per task of a pass over all pairs.
constexpr Index rows_per_task = 32;
// Partners per block, so that their coordinates are read from cache for all rows of a task.
constexpr Index partners_per_block = 256;

Index count_tasks(const Distances& distances) { return (distances.size() + rows_per_task - 1) / rows_per_task; }

// Calls visit(i, first, last, keys) for every row i of the task and blocks of partners first ... last-1, all > i.
template <class Visit>
void for_pairs(const Distances& distances, Index task, Executor& executor, Visit visit) {
  const Index n = distances.size(), begin = task * rows_per_task, end = std::min(n, begin + rows_per_task);
  std::vector<int> partner(n);
  std::iota(partner.begin(), partner.end(), 0);
  std::vector<double> key(partners_per_block);
  for (Index block = begin; block < n; block += partners_per_block) {
    executor.poll();
    const Index block_end = std::min(n, block + partners_per_block);
    for (Index i = begin; i < end; ++i) {
      const Index first = std::max(block, i + 1);
      if (first >= block_end) continue;
      distances.keys(i, partner.data() + first, block_end - first, key.data());
      visit(i, first, block_end, key.data());
    }
  }
}

// The smallest key with length(key) >= threshold, by bisection over the bit patterns of nonnegative doubles, which have
// the same order as the doubles. Keys compare with it exactly as their lengths compare with the threshold.
double key_of_threshold(const Distances& distances, double threshold) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::uint64_t low = 0, high;
  std::memcpy(&high, &infinity, sizeof high);
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    double key;
    std::memcpy(&key, &middle, sizeof key);
    if (distances.length(key) >= threshold) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  double key;
  std::memcpy(&key, &low, sizeof key);
  return key;
}

// Ascending bounds with a table over equal steps, which reduces the search for a key to a few comparisons.
class ThresholdLookup {
 public:
  explicit ThresholdLookup(std::vector<double> bounds)
      : bounds_(std::move(bounds)), n_steps_(4 * static_cast<Index>(bounds_.size()) + 1), passed_(n_steps_) {
    const double step = bounds_.back() / static_cast<double>(n_steps_ - 1);
    if (std::isfinite(1 / step)) inverse_step_ = 1 / step;
    for (Index b = 0; b < n_steps_; ++b) {
      // Slightly below the start of the step, because the position of a key is rounded.
      const double begin = step * static_cast<double>(b) * (1 - 1e-12);
      passed_[b] = std::upper_bound(bounds_.begin(), bounds_.end(), begin) - bounds_.begin();
    }
  }
  // The number of bounds <= key.
  std::size_t position(double key) const {
    const double step = key * inverse_step_;
    std::size_t t = passed_[step < static_cast<double>(n_steps_ - 1) ? static_cast<Index>(step) : n_steps_ - 1];
    while (t < bounds_.size() && bounds_[t] <= key) ++t;
    return t;
  }

 private:
  std::vector<double> bounds_;
  Index n_steps_;
  double inverse_step_ = 0;
  std::vector<std::size_t> passed_;
};

}  // namespace

std::vector<double> count_edges(const Distances& distances, const std::vector<double>& thresholds, Executor& executor) {
  const std::size_t T = thresholds.size();
  std::vector<double> bounds(T);
  for (std::size_t t = 0; t < T; ++t) bounds[t] = key_of_threshold(distances, thresholds[t]);
  const ThresholdLookup lookup(std::move(bounds));
  const Index n_tasks = count_tasks(distances);
  const Index n_groups = std::min(n_tasks, 8 * executor.threads());
  std::vector<std::vector<Index>> counts(n_groups, std::vector<Index>(T + 1, 0));
  executor.run(n_groups, [&](Index group) {
    std::vector<Index>& count = counts[group];
    for (Index task = group; task < n_tasks; task += n_groups) {
      for_pairs(distances, task, executor, [&](Index, Index first, Index last, const double* key) {
        for (Index k = 0; k < last - first; ++k) ++count[lookup.position(key[k])];
      });
    }
  });
  std::vector<double> below(T, 0.0);
  double running = 0;
  for (std::size_t t = 0; t < T; ++t) {
    for (const auto& count : counts) running += static_cast<double>(count[t]);
    below[t] = running;
  }
  return below;
}

EdgeList edges_below(const Distances& distances, double threshold, Executor& executor) {
  const Index n_tasks = count_tasks(distances);
  std::vector<EdgeList> found(n_tasks);
  executor.run(n_tasks, [&](Index task) {
    EdgeList& edges = found[task];
    for_pairs(distances, task, executor, [&](Index i, Index first, Index last, const double* key) {
      for (Index k = 0; k < last - first; ++k) {
        const double length = distances.length(key[k]);
        if (length < threshold) edges.add(static_cast<int>(i), static_cast<int>(first + k), length);
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
