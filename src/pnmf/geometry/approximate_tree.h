#pragma once

#include "pnmf/geometry/minimum_spanning_tree.h"

namespace pnmf {

// A spanning tree close to the minimum one, from the graph of every cell's neighbours (cells x k, 0-based): the minimum
// spanning forest of that graph, then Boruvka's rounds, in which every component but the largest is joined to others by
// the shortest of all pairs that leave it. These joins are edges of the minimum spanning tree; only where the graph
// connects what a shorter pair outside of it connects, too, is the tree longer. So the r-th shortest edge is never
// shorter than the minimum tree's, and the tree is a minimum one of every graph between itself and the neighbours'.
// `longest_distance` is the longest from a few hundred cells to any, outlying ones and the farthest of these, hence at
// most that over all pairs.
SpanningTree approximate_spanning_tree(const Distances& distances, const Eigen::Ref<const Eigen::MatrixXi>& neighbors,
                                       Executor& executor);

}  // namespace pnmf
