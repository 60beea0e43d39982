#pragma once

#include <memory>

#include "pnmf/base/types.h"
#include "pnmf/data/data_matrix.h"

namespace pnmf {

// Dissimilarities between cells, computed when they are asked for. Both orders of a pair give the same bits.
// To implement a new one: keys() that order pairs as their lengths do, and length() from key to length.
class Distances {
 public:
  virtual ~Distances() = default;
  virtual Index size() const = 0;
  // key[k] for the pairs (from, to[k])
  virtual void keys(Index from, const int* to, Index n, double* key) const = 0;
  virtual double length(double key) const = 0;
  // Entries read for one pair: tells when a thread is worth starting.
  virtual Index cost() const = 0;
  // Whether the square roots of keys obey the triangle inequality.
  virtual bool obeys_triangle() const { return false; }
};

enum class Metric { euclidean, cosine, local, adaptive };

// Coordinates: dimensions x cells. Squared differences are summed directly, so duplicates are at distance exactly 0.
// `local_scale` (one per cell) is used by two metrics:
//   local  d_ij / sqrt(s_i s_j) * mean(s);   adaptive  d_ij / max(s_i, s_j) * mean(s)
std::unique_ptr<Distances> dense_distances(ConstMatrixMap coordinates, Metric metric, ConstVectorMap local_scale);

// Sparse coordinates: |x|^2 + |y|^2 - 2 x.y, and direct differences where that cancels.
std::unique_ptr<Distances> sparse_distances(const SparseColumns& coordinates, Metric metric,
                                            ConstVectorMap local_scale);

// The lower triangle of a distance matrix by columns, as R's dist stores it.
std::unique_ptr<Distances> stored_distances(Index size, const double* lower_triangle);

}  // namespace pnmf
