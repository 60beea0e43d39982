#pragma once

#include "pnmf/solver/cells.h"
#include "pnmf/solver/fit.h"

namespace pnmf {

// The chain of starts: the finest scale is solved first, from Wt and the embedding that is held, and every other scale
// starts from its finer neighbour. Returns the bases of all scales.
std::vector<Matrix> chain_starts(Cells& cells, Matrix Wt, Index scales, const FitOptions& options, Executor& executor);

// The scales of a path that are fitted first: about every third, with the finest and the coarsest. None if the path is
// too short for that.
std::vector<Index> fewer_scales(Index scales);

// The weights of these scales, each of which represents the scales next to it.
ScaleWeights fewer_weights(const ScaleWeights& weights, const std::vector<Index>& chosen, Index scales);

// The embedding of cells that are near some cells of a sample: the mean of the embeddings of those.
// H: rank x cells of the sample, near: cells x number of neighbours
Matrix mean_embedding(const Matrix& H, const Eigen::Ref<const Eigen::MatrixXi>& near);

// All scales of a path of which some are known, as means of the two known neighbours of each.
Path fill_between(const Path& few, const std::vector<Index>& chosen, Index scales);

}  // namespace pnmf
