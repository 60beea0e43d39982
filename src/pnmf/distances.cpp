#include "distances.h"

#include <algorithm>
#include <cmath>

#include "kernels.h"

namespace pnmf {
namespace {

// Lengths from squared Euclidean distances:
//   euclidean  sqrt(key);   cosine  key / 2 on unit vectors (1 - cos);   local  sqrt(key) * mean(s), key = d^2/(s_i s_j)
class CoordinateDistances : public Distances {
 public:
  CoordinateDistances(Metric metric, ConstVectorMap local_scale) : metric_(metric) {
    if (metric == Metric::local) {
      inverse_scale_ = local_scale.cwiseInverse();
      mean_scale_ = local_scale.mean();
    }
  }
  void keys(Index from, const int* to, Index n, double* key) const override {
    squared(from, to, n, key);
    if (metric_ != Metric::local) return;
    for (Index k = 0; k < n; ++k) key[k] *= inverse_scale_[from] * inverse_scale_[to[k]];
  }
  double length(double key) const override {
    if (metric_ == Metric::cosine) return 0.5 * key;
    return metric_ == Metric::local ? std::sqrt(key) * mean_scale_ : std::sqrt(key);
  }

 protected:
  virtual void squared(Index from, const int* to, Index n, double* key) const = 0;
  Metric metric_;

 private:
  Vector inverse_scale_;
  double mean_scale_ = 1;
};

class DenseDistances : public CoordinateDistances {
 public:
  DenseDistances(ConstMatrixMap coordinates, Metric metric, ConstVectorMap local_scale)
      : CoordinateDistances(metric, local_scale), given_(coordinates) {
    if (metric == Metric::cosine) unit_ = coordinates.colwise().normalized();
  }
  Index size() const override { return given_.cols(); }
  Index cost() const override { return given_.rows(); }

 protected:
  void squared(Index from, const int* to, Index n, double* key) const override {
    const double* x = metric_ == Metric::cosine ? unit_.data() : given_.data();
    const Index rows = given_.rows();
    for (Index k = 0; k < n; ++k) key[k] = squared_distance(x + from * rows, x + to[k] * rows, rows);
  }

 private:
  ConstMatrixMap given_;
  Matrix unit_;
};

class SparseDistances : public CoordinateDistances {
 public:
  SparseDistances(const SparseColumns& coordinates, Metric metric, ConstVectorMap local_scale)
      : CoordinateDistances(metric, local_scale), x_(coordinates), norm_(coordinates.columns) {
    const Index nonzeros = x_.column_start[x_.columns];
    value_.assign(x_.value, x_.value + nonzeros);
    for (Index c = 0; c < x_.columns; ++c) {
      Eigen::Map<Vector> column(value_.data() + x_.column_start[c], x_.column_start[c + 1] - x_.column_start[c]);
      if (metric == Metric::cosine) column.normalize();
      norm_[c] = dot(column.data(), column.data(), column.size());
    }
  }
  Index size() const override { return x_.columns; }
  Index cost() const override { return x_.column_start[x_.columns] / std::max<Index>(1, x_.columns); }

 protected:
  void squared(Index from, const int* to, Index n, double* key) const override {
    thread_local std::vector<double> spread;
    if (static_cast<Index>(spread.size()) < x_.rows) spread.assign(x_.rows, 0.0);
    for (int e = x_.column_start[from]; e < x_.column_start[from + 1]; ++e) spread[x_.row[e]] = value_[e];
    for (Index k = 0; k < n; ++k) {
      double product = 0;
      for (int e = x_.column_start[to[k]]; e < x_.column_start[to[k] + 1]; ++e) {
        product += spread[x_.row[e]] * value_[e];
      }
      const double norms = norm_[from] + norm_[to[k]];
      key[k] = norms - 2 * product;
      if (key[k] < 1e-8 * norms) key[k] = direct(from, to[k]);
    }
    for (int e = x_.column_start[from]; e < x_.column_start[from + 1]; ++e) spread[x_.row[e]] = 0;
  }

 private:
  // Sum of squared differences by merging the two columns.
  double direct(Index a, Index b) const {
    int i = x_.column_start[a], j = x_.column_start[b];
    const int i_end = x_.column_start[a + 1], j_end = x_.column_start[b + 1];
    double sum = 0;
    while (i < i_end || j < j_end) {
      double d;
      if (j == j_end || (i < i_end && x_.row[i] < x_.row[j])) {
        d = value_[i++];
      } else if (i == i_end || x_.row[j] < x_.row[i]) {
        d = value_[j++];
      } else {
        d = value_[i++] - value_[j++];
      }
      sum += d * d;
    }
    return sum;
  }

  SparseColumns x_;
  std::vector<double> value_;
  Vector norm_;
};

class StoredDistances : public Distances {
 public:
  StoredDistances(Index size, const double* lower_triangle) : size_(size), d_(lower_triangle) {}
  Index size() const override { return size_; }
  Index cost() const override { return 1; }
  double length(double key) const override { return key; }
  void keys(Index from, const int* to, Index n, double* key) const override {
    for (Index k = 0; k < n; ++k) {
      const Index i = std::min<Index>(from, to[k]), j = std::max<Index>(from, to[k]);
      key[k] = i == j ? 0.0 : d_[i * size_ - i * (i + 1) / 2 + j - i - 1];
    }
  }

 private:
  Index size_;
  const double* d_;
};

}  // namespace

std::unique_ptr<Distances> dense_distances(ConstMatrixMap coordinates, Metric metric, ConstVectorMap local_scale) {
  return std::make_unique<DenseDistances>(coordinates, metric, local_scale);
}

std::unique_ptr<Distances> sparse_distances(const SparseColumns& coordinates, Metric metric,
                                            ConstVectorMap local_scale) {
  return std::make_unique<SparseDistances>(coordinates, metric, local_scale);
}

std::unique_ptr<Distances> stored_distances(Index size, const double* lower_triangle) {
  return std::make_unique<StoredDistances>(size, lower_triangle);
}

}  // namespace pnmf
