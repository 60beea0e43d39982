#pragma once

#include "pnmf/geometry/minimum_spanning_tree.h"

namespace pnmf {

// A spanning tree close to the minimum spanning tree, from the graph of the neighbours of every cell (cells x k,
// 0-based). Takes the minimum spanning forest of that graph. Boruvka's rounds then join every component except the
// largest to another by the shortest of all outgoing pairs. These joins are edges of the minimum spanning tree. The
// tree is only longer where the graph lacks a shorter pair that connects the same components. So its r-th shortest edge
// is never shorter than that of the minimum tree, and it is a minimum spanning tree of every graph between itself and
// the neighbour graph. `longest_distance` is the longest distance from a few hundred outlying cells to any cell, so it
// is at most that over all pairs.
SpanningTree approximate_spanning_tree(const Distances& distances, const Eigen::Ref<const Eigen::MatrixXi>& neighbors,
                                       Executor& executor);

}  // namespace pnmf
