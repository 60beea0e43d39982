#pragma once

#include "pnmf/data/data_matrix.h"
#include "pnmf/solver/hals_updates.h"
#include "pnmf/state/solver_state.h"

namespace pnmf {

// The factors of all scales, and W'X and W'W of the current bases.
struct ScaleStates {
  Path path;
  Products products;
  Index scales() const { return static_cast<Index>(path.H.size()); }
};

std::vector<Index> all_scales(const ScaleStates& states);

struct UpdateSettings {
  Penalties penalties;
  ScaleWeights weights;
  int basis_rounds = 1, embedding_rounds = 1;  // at most
  bool shared_bases = false;                   // see scales_per_basis
};

// The part of a sweep of fit_hals that reads the data, with threads over scales, or within scales if there are few.
class ScaleUpdates {
 public:
  ScaleUpdates(const DataMatrix& data, const ScaleGraphs& graphs, const UpdateSettings& settings, Executor& executor)
      : data_(data), graphs_(graphs), settings_(settings), executor_(executor) {}

  // W of every scale from XH', then W'X and W'W: the two passes over the data.
  void update_bases(ScaleStates& states);

  // How far every scale is from stationary, as a share of |X|^2: the scaled projected gradients of its embedding and
  // its basis. For a basis that is not stored: the gain from recomputing it.
  Vector residuals(const ScaleStates& states);

 private:
  void update_own_basis(ScaleStates& states, Index t, const Matrix& XHt) const;
  // For streamed data: one read for all scales.
  void update_streamed_bases(ScaleStates& states, const std::vector<Index>& scales);
  // With shared bases: computes each basis from the previous one and passes on whichever is better, this or the old
  // basis of the scale.
  using FoundBasis = std::function<void(Index place, const Matrix& Wt, const Matrix& XHt, const Matrix& HHt,
                                        bool better, Executor& inner)>;
  void find_bases(const ScaleStates& states, const std::vector<Index>& scales, const FoundBasis& found);
  void find_group(const ScaleStates& states, const std::vector<Index>& scales, Index begin, Index end,
                  const FoundBasis& found, Executor& executor);
  Vector basis_residuals(const ScaleStates& states);

  const DataMatrix& data_;
  const ScaleGraphs& graphs_;
  UpdateSettings settings_;
  Executor& executor_;
};

// Runs body over items that use the graphs of scales. With streamed data, graphs are recomputed at each use, one at a
// time (their weights may be as large as an embedding). This costs little compared with reading.
void run_with_graphs(const DataMatrix& data, Executor& executor, Index n,
                     const std::function<void(Index item, Executor& inner)>& body);

// Scales colour, colour + 2, ...
std::vector<Index> every_second(Index colour, Index scales);

}  // namespace pnmf
