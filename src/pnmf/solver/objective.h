#pragma once

#include "pnmf/base/types.h"
#include "pnmf/graph/scale_graph.h"

namespace pnmf {

// The weights of the four terms of the model,
//   sum_t q_t (|X - W_t H_t|^2 + graph tr(H_t L_t H_t') + anchor |H_t|^2)  +  smooth sum_{t>1} |H_t - H_{t-1}|^2 / g_t
// All terms are in this file.
struct Penalties {
  double graph = 1, smooth = 1, anchor = 1;
};

// Scale t of a thinned path represents q_t scales of the full path, and g_t of its steps lie between scales t - 1 and t
// (springs in series). Empty means 1 everywhere, which is the paper's model.
struct ScaleWeights {
  std::vector<double> weight;  // q
  std::vector<double> gap;     // g; not used for the first scale
  double of(Index t) const { return weight.empty() ? 1.0 : weight[t]; }
  // 1 / g_t
  double spring(Index t) const { return gap.empty() ? 1.0 : 1.0 / gap[t]; }
};

struct Model {
  Penalties penalties;
  ScaleWeights weights;  // hals
};

// |X - WH|^2 without WH:  |X|^2 - 2 <W'X, H> + <W'W, HH'>.   WtX: rank x cells, WtW and HHt: rank x rank
double data_term(double squared_norm, const Matrix& WtX, const Matrix& WtW, const Matrix& H, const Matrix& HHt);
double data_term(double squared_norm, const Matrix& WtX, const Matrix& WtW, const Matrix& H);

// The same from the other product:  |X|^2 - 2 <XH', W> + <HH', W'W>.   XHt: rank x features
double data_term_by_features(double squared_norm, const Matrix& XHt, const Matrix& HHt, const Matrix& Wt);

// graph tr(H L H') + anchor |H|^2
double embedding_terms(const ScaleGraph& graph, const Matrix& H, const Penalties& penalties);

// All terms of one scale but its smoothness: the first two functions together, from one HH'.
double own_terms(double squared_norm, const Matrix& WtX, const Matrix& WtW, const ScaleGraph& graph, const Matrix& H,
                 const Penalties& penalties);

// smooth |A - B|^2
double smooth_term(const Matrix& A, const Matrix& B, const Penalties& penalties);

// Sum of the smoothness terms of a whole path.
double total_smooth_term(const std::vector<Matrix>& H, const Penalties& penalties);

// What each scale adds to the objective, from its own terms and smooth |H_t - H_{t-1}|^2; half of the smoothness between
// two scales belongs to each.
Vector objective_by_scale(const std::vector<double>& own, const std::vector<double>& step, const ScaleWeights& weights);

// The possible effect of rounding on an objective, which is a difference of terms of the size of |X|^2, and the value
// below which it counts as zero: 1e-8 of the objective of a path of zeros.
double objective_rounding(double squared_norm, const ScaleWeights& weights, Index scales);
double negligible_objective(double squared_norm, const ScaleWeights& weights, Index scales);

}  // namespace pnmf
