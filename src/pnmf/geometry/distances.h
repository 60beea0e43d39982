#pragma once

#include <memory>
#include <vector>

#include "pnmf/base/types.h"
#include "pnmf/data/data_matrix.h"

namespace pnmf {

// Dissimilarities between cells, computed on request. Both orders of a pair give the same bits. To implement a new one:
// keys() must order pairs as their lengths do, and length() must convert a key to a length.
class Distances {
 public:
  virtual ~Distances() = default;
  virtual Index size() const = 0;
  // key[k] for the pairs (from, to[k])
  virtual void keys(Index from, const int* to, Index n, double* key) const = 0;
  virtual double length(double key) const = 0;
  // Entries read per pair, to decide when starting a thread is worthwhile.
  virtual Index cost() const = 0;
  // Whether the square roots of keys obey the triangle inequality.
  virtual bool obeys_triangle() const { return false; }
  // Whether a copy of the cells in a suitable order makes searches faster, and the distances of such a copy.
  virtual bool gains_from_order() const { return false; }
  virtual std::unique_ptr<Distances> reordered(const std::vector<int>&) const { return nullptr; }
};

enum class Metric { euclidean, cosine, local, adaptive };

// Coordinates: dimensions x cells. Squared differences are summed directly, so the distance of duplicates is exactly 0.
// Two metrics use `local_scale` (one value per cell):
//   local  d_ij / sqrt(s_i s_j) * mean(s);   adaptive  d_ij / max(s_i, s_j) * mean(s)
std::unique_ptr<Distances> dense_distances(ConstMatrixMap coordinates, Metric metric, ConstVectorMap local_scale);

// Sparse coordinates: |x|^2 + |y|^2 - 2 x.y, or direct differences if that cancels.
std::unique_ptr<Distances> sparse_distances(const SparseColumns& coordinates, Metric metric,
                                            ConstVectorMap local_scale);

// The lower triangle of a distance matrix by columns, as R's dist stores it.
std::unique_ptr<Distances> stored_distances(Index size, const double* lower_triangle);

}  // namespace pnmf
