#include "pnmf/geometry/approximate_neighbors.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "pnmf/geometry/cell_groups.h"

namespace pnmf {
namespace {

constexpr Index cells_per_task = 256;
// Below this many cells, comparing all pairs is as fast.
constexpr Index few_cells = 500;
constexpr Index n_splits = 8, max_rounds = 12;
// The last round is the first one in which less than this share of all entries changes.
constexpr double settled = 0.002;

// One entry of the list of a cell. Entries that are new in a round give candidates in the next round.
struct Near {
  double key;
  int cell;
  bool fresh;
  bool operator<(const Near& other) const { return std::tie(key, cell) < std::tie(other.key, other.cell); }
};

// Lists of equal length, one after the other, each ascending.
struct Lists {
  Lists(Index cells, Index length) : length(length), entries(cells * length) {}
  Near* of(Index i) { return entries.data() + i * length; }
  const Near* of(Index i) const { return entries.data() + i * length; }
  Index cells() const { return static_cast<Index>(entries.size()) / length; }
  Index length;
  std::vector<Near> entries;
};

// The cells in the order of a split, its groups, and the group of every cell.
struct Split {
  std::vector<int> order, group;
  std::vector<Index> starts;
};

Split random_split(const Distances& distances, Index largest, std::uint64_t seed, Executor& executor) {
  const Index n = distances.size();
  Split split;
  split.order.resize(n);
  for (Index i = 0; i < n; ++i) split.order[i] = static_cast<int>(i);
  split.starts = split_into_groups(distances, split.order.data(), n, largest, seed, executor);
  split.group.resize(n);
  for (Index g = 0; g + 1 < static_cast<Index>(split.starts.size()); ++g) {
    for (Index k = split.starts[g]; k < split.starts[g + 1]; ++k) split.group[split.order[k]] = static_cast<int>(g);
  }
  return split;
}

// A set of cells that is cleared for each cell. A hash table (open addressing), so that its memory grows with the cells
// seen and not with the number of all cells.
class Seen {
 public:
  void clear() {
    ++now_;
    count_ = 0;
  }
  // Whether `cell` is seen for the first time since clear().
  bool first(int cell) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = find(cell);
    if (slot.time == now_) return false;
    slot = {now_, cell};
    ++count_;
    return true;
  }

 private:
  struct Slot {
    int time = -1;
    int cell = -1;
  };
  // The slot of the cell, or the free slot where it belongs.
  Slot& find(int cell) {
    std::size_t place = (static_cast<std::uint32_t>(cell) * 2654435769u) >> shift_;
    while (slots_[place].time == now_ && slots_[place].cell != cell) place = (place + 1) & (slots_.size() - 1);
    return slots_[place];
  }
  void grow() {
    const std::vector<Slot> before = std::move(slots_);
    --shift_;
    slots_.assign(std::size_t(1) << (32 - shift_), Slot());
    for (const Slot& slot : before) {
      if (slot.time == now_) find(slot.cell) = slot;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1 << 10);
  int shift_ = 22;  // 32 minus the logarithm of the number of slots
  std::size_t count_ = 0;
  int now_ = 0;
};

// The best `length` entries of a list (with `have` entries, no longer fresh) and of candidates; returns how many of the
// candidates are among them.
Index keep_best(const Distances& distances, Index i, const Near* list, Index have, const std::vector<int>& candidates,
                Index length, Near* out) {
  thread_local std::vector<double> key;
  thread_local std::vector<Near> all;
  key.resize(candidates.size());
  distances.keys(i, candidates.data(), static_cast<Index>(candidates.size()), key.data());
  all.assign(list, list + have);
  for (Near& near : all) near.fresh = false;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const Near near{key[c], candidates[c], true};
    if (have < length || near < list[have - 1]) all.push_back(near);
  }
  std::partial_sort(all.begin(), all.begin() + length, all.end());
  std::copy_n(all.begin(), length, out);
  return std::count_if(out, out + length, [](const Near& near) { return near.fresh; });
}

// Initial lists from the groups of each cell.
Lists first_lists(const Distances& distances, Index length, Executor& executor) {
  const Index n = distances.size();
  std::vector<Split> splits(n_splits);
  // Halves of more than 2 * (length + 1) cells have at least length + 1.
  executor.run(n_splits, [&](Index s) {
    splits[s] = random_split(distances, 2 * (length + 1), splitmix64(static_cast<std::uint64_t>(s)), executor);
  });
  Lists lists(n, length);
  run_blocks(executor, n, cells_per_task, [&](Index begin, Index end) {
    Seen seen;
    std::vector<int> candidates;
    for (Index i = begin; i < end; ++i) {
      candidates.clear();
      seen.clear();
      seen.first(static_cast<int>(i));
      for (const Split& split : splits) {
        const int g = split.group[i];
        for (Index k = split.starts[g]; k < split.starts[g + 1]; ++k) {
          if (seen.first(split.order[k])) candidates.push_back(split.order[k]);
        }
      }
      keep_best(distances, i, nullptr, 0, candidates, length, lists.of(i));
    }
  });
  return lists;
}

// For every cell, the cells in its list and the nearest of those that have it in their lists, each once, fresh ones
// first.
struct Links {
  Links(Index cells, Index most) : most(most), count(cells), fresh(cells), cell(cells * most) {}
  const int* begin(Index i) const { return cell.data() + i * most; }
  const int* fresh_end(Index i) const { return begin(i) + fresh[i]; }
  const int* end(Index i) const { return begin(i) + count[i]; }
  // A cell counts as fresh if one of its entries is. Sorts `entries`.
  void set(Index i, std::vector<std::pair<int, bool>>& entries) {
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
      return a.first < b.first || (a.first == b.first && a.second > b.second);
    });
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
    int* next = cell.data() + i * most;
    for (const bool wanted : {true, false}) {
      for (const auto& entry : entries) {
        if (entry.second == wanted) *next++ = entry.first;
      }
      if (wanted) fresh[i] = static_cast<int>(next - begin(i));
    }
    count[i] = static_cast<int>(entries.size());
  }
  Index most;
  std::vector<int> count, fresh, cell;
};

Links linked(const Lists& lists, Executor& executor) {
  const Index n = lists.cells();
  std::vector<Index> start(n + 1, 0);
  for (const Near& near : lists.entries) ++start[near.cell + 1];
  for (Index i = 0; i < n; ++i) start[i + 1] += start[i];
  std::vector<Near> reverse(lists.entries.size());
  std::vector<Index> next(start.begin(), start.end() - 1);
  for (Index i = 0; i < n; ++i) {
    for (Index r = 0; r < lists.length; ++r) {
      const Near& near = lists.of(i)[r];
      reverse[next[near.cell]++] = {near.key, static_cast<int>(i), near.fresh};
    }
  }
  Links links(n, 2 * lists.length);
  run_blocks(executor, n, cells_per_task, [&](Index begin, Index end) {
    std::vector<std::pair<int, bool>> entries;
    for (Index i = begin; i < end; ++i) {
      entries.clear();
      const auto add = [&](const Near& near) { entries.emplace_back(near.cell, near.fresh); };
      std::for_each(lists.of(i), lists.of(i) + lists.length, add);
      Near* first = reverse.data() + start[i];
      Near* last = reverse.data() + start[i + 1];
      Near* nearest_end = first + std::min<Index>(lists.length, last - first);
      std::partial_sort(first, nearest_end, last);
      std::for_each(first, nearest_end, add);
      links.set(i, entries);
    }
  });
  return links;
}

// Neighbours of neighbours of cell i, with at least one fresh entry on the way, and the cells that have it in their
// lists.
void collect(Index i, const Lists& lists, const Links& links, Seen& seen, std::vector<int>& candidates) {
  candidates.clear();
  seen.clear();
  seen.first(static_cast<int>(i));
  for (Index r = 0; r < lists.length; ++r) seen.first(lists.of(i)[r].cell);
  const auto visit = [&](const int* begin, const int* end) {
    for (const int* cell = begin; cell != end; ++cell) {
      if (seen.first(*cell)) candidates.push_back(*cell);
    }
  };
  visit(links.begin(i), links.end(i));
  for (const int* via = links.begin(i); via != links.fresh_end(i); ++via) visit(links.begin(*via), links.end(*via));
  for (const int* via = links.fresh_end(i); via != links.end(i); ++via) visit(links.begin(*via), links.fresh_end(*via));
}

// One round; returns the number of entries that changed.
Index descend(const Distances& distances, Lists& lists, Executor& executor) {
  const Index n = lists.cells();
  const Links links = linked(lists, executor);
  Lists updated(n, lists.length);
  std::vector<Index> changed((n + cells_per_task - 1) / cells_per_task, 0);
  run_blocks(executor, n, cells_per_task, [&](Index begin, Index end) {
    Seen seen;
    std::vector<int> candidates;
    for (Index i = begin; i < end; ++i) {
      if ((i - begin) % 16 == 0) executor.poll();
      collect(i, lists, links, seen, candidates);
      changed[begin / cells_per_task] +=
          keep_best(distances, i, lists.of(i), lists.length, candidates, lists.length, updated.of(i));
    }
  });
  lists = std::move(updated);
  Index total = 0;
  for (const Index count : changed) total += count;
  return total;
}

Lists descended_lists(const Distances& distances, Index length, Executor& executor) {
  Lists lists = first_lists(distances, length, executor);
  const double few = settled * static_cast<double>(lists.entries.size());
  for (Index round = 0; round < max_rounds; ++round) {
    if (static_cast<double>(descend(distances, lists, executor)) < few) break;
  }
  return lists;
}

}  // namespace

NearestNeighbors approximate_neighbors(const Distances& distances, Index k, Executor& executor) {
  const Index n = distances.size();
  // The lists are longer than requested, because the descent could otherwise get stuck.
  const Index length = std::max<Index>(k, 20);
  if (n <= std::max(few_cells, 4 * length)) {
    NearestNeighbors exact = nearest_neighbors(distances, k, executor);
    exact.longest_distance = 0;
    return exact;
  }
  // Cells of one group lie next to each other in memory, so that neighbours are often found in the cache.
  std::vector<int> order;
  std::unique_ptr<Distances> reordered;
  if (distances.gains_from_order()) {
    order = random_split(distances, 2 * (length + 1), 0, executor).order;
    reordered = distances.reordered(order);
  }
  const Lists lists = descended_lists(reordered ? *reordered : distances, length, executor);
  const auto given = [&](int cell) { return reordered ? order[cell] : cell; };
  NearestNeighbors found;
  found.index.resize(n, k);
  found.length.resize(n, k);
  for (Index i = 0; i < n; ++i) {
    for (Index r = 0; r < k; ++r) {
      found.index(given(static_cast<int>(i)), r) = given(lists.of(i)[r].cell);
      found.length(given(static_cast<int>(i)), r) = distances.length(lists.of(i)[r].key);
    }
  }
  return found;
}

}  // namespace pnmf
