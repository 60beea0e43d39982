#include "pnmf/geometry/distances.h"

#include <algorithm>
#include <cmath>

#include "pnmf/kernels/kernels.h"
#include "pnmf/kernels/simd.h"

namespace pnmf {
namespace {

// Pairs processed at once: their sums are independent chains, and x is read once for all of them.
constexpr int pairs_at_once = 4;
// Cells are far apart in memory, so what the pairs after the next ones need is read ahead.
constexpr int pairs_ahead = 8;

template <int VL>
PNMF_INLINE double sum_of_lanes(typename Doubles<VL>::type v) {
  if constexpr (VL == 1) {
    return v;
  } else {
    using Half = typename Doubles<VL / 2>::type;
    const double* lanes = reinterpret_cast<const double*>(&v);
    return sum_of_lanes<VL / 2>(*reinterpret_cast<const Half*>(lanes) + *reinterpret_cast<const Half*>(lanes + VL / 2));
  }
}

// Adds (x_k - y[p]_k)^2 for VL consecutive k to sum[p].
template <int VL>
PNMF_INLINE void add_squares(const double* x, const double* const* y, Index k, typename Doubles<VL>::type* sum) {
  using V = typename Doubles<VL>::type;
  const V xk = *reinterpret_cast<const V*>(x + k);
#pragma GCC unroll 4
  for (int p = 0; p < pairs_at_once; ++p) {
    const V d = xk - *reinterpret_cast<const V*>(y[p] + k);
    sum[p] += d * d;
  }
}

// The same for the last `left` < VL entries of n >= VL: a whole vector, whose first lanes were already added and count
// as zero.
template <int VL>
PNMF_INLINE void add_last_squares(const double* x, const double* const* y, Index n, Index left,
                                  typename Doubles<VL>::type* sum) {
  using V = typename Doubles<VL>::type;
  static constexpr double zeros_and_ones[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
  const V counted = *reinterpret_cast<const V*>(zeros_and_ones + 8 - VL + left);
  const V xk = *reinterpret_cast<const V*>(x + n - VL);
#pragma GCC unroll 4
  for (int p = 0; p < pairs_at_once; ++p) {
    const V d = (xk - *reinterpret_cast<const V*>(y[p] + n - VL)) * counted;
    sum[p] += d * d;
  }
}

// out[p] = sum_k (x_k - y[p]_k)^2. A length must have the same bits wherever it is computed; otherwise an edge would
// differ from its own threshold. So there is one code path, with whole vectors only. n >= VL
template <int VL>
PNMF_INLINE void squared_differences(const double* x, const double* const* y, Index n, double* out) {
  using V = typename Doubles<VL>::type;
  V sum[pairs_at_once];
  for (int p = 0; p < pairs_at_once; ++p) sum[p] = V{};
  Index k = 0;
  for (; k + VL <= n; k += VL) add_squares<VL>(x, y, k, sum);
  if (k < n) add_last_squares<VL>(x, y, n, n - k, sum);
  for (int p = 0; p < pairs_at_once; ++p) out[p] = sum_of_lanes<VL>(sum[p]);
}

struct RowArguments {
  const double* coordinates;
  Index rows, from;
  const int* to;
  Index n;
  double* key;
};

template <int VL>
PNMF_INLINE void row_of_keys(const RowArguments& a) {
  if constexpr (VL > 1) {
    if (a.rows < VL) return row_of_keys<VL / 2>(a);
  }
  const double* x = a.coordinates + a.from * a.rows;
  const double* y[pairs_at_once];
  double key[pairs_at_once];
  for (Index k = 0; k < a.n; k += pairs_at_once) {
    const Index pairs = std::min<Index>(pairs_at_once, a.n - k);
    for (Index next = k + pairs_ahead; next < std::min<Index>(k + pairs_ahead + pairs_at_once, a.n); ++next) {
      prefetch(a.coordinates + a.to[next] * a.rows, a.rows);
    }
    for (Index p = 0; p < pairs_at_once; ++p) y[p] = a.coordinates + a.to[k + std::min(p, pairs - 1)] * a.rows;
    squared_differences<VL>(x, y, a.rows, key);
    std::copy_n(key, pairs, a.key + k);
  }
}

PNMF_DISPATCHED(void, squared_distances, (const RowArguments& a), (a), (row_of_keys<1>(a)), (row_of_keys<4>(a)),
                (row_of_keys<8>(a)))

// Lengths from squared Euclidean distances:
//   euclidean  sqrt(key);   cosine  key / 2 on unit vectors (1 - cos);
//   local  sqrt(key) * mean(s), key = d^2/(s_i s_j);   adaptive  the same with key = d^2/max(s_i, s_j)^2
class CoordinateDistances : public Distances {
 public:
  CoordinateDistances(Metric metric, ConstVectorMap local_scale) : metric_(metric) {
    if (scaled()) {
      inverse_scale_ = local_scale.cwiseInverse();
      mean_scale_ = local_scale.mean();
    }
  }
  void keys(Index from, const int* to, Index n, double* key) const override {
    squared(from, to, n, key);
    if (metric_ == Metric::local) {
      for (Index k = 0; k < n; ++k) key[k] *= inverse_scale_[from] * inverse_scale_[to[k]];
    } else if (metric_ == Metric::adaptive) {
      for (Index k = 0; k < n; ++k) {
        const double inverse = std::min(inverse_scale_[from], inverse_scale_[to[k]]);
        key[k] *= inverse * inverse;
      }
    }
  }
  double length(double key) const override {
    if (metric_ == Metric::cosine) return 0.5 * key;
    return scaled() ? std::sqrt(key) * mean_scale_ : std::sqrt(key);
  }
  bool obeys_triangle() const override { return !scaled(); }

 protected:
  virtual void squared(Index from, const int* to, Index n, double* key) const = 0;
  Metric metric_;

 private:
  bool scaled() const { return metric_ == Metric::local || metric_ == Metric::adaptive; }

  Vector inverse_scale_;
  double mean_scale_ = 1;
};

class DenseDistances : public CoordinateDistances {
 public:
  DenseDistances(ConstMatrixMap coordinates, Metric metric, ConstVectorMap local_scale)
      : CoordinateDistances(metric, local_scale), given_(coordinates) {
    if (metric != Metric::cosine) return;
    unit_ = coordinates;
    for (Index c = 0; c < unit_.cols(); ++c) unit_.col(c).stableNormalize();
  }
  Index size() const override { return given_.cols(); }
  Index cost() const override { return given_.rows(); }
  // Long columns gain nothing, and their copy would be large.
  bool gains_from_order() const override { return metric_ == Metric::euclidean && given_.rows() <= 128; }
  std::unique_ptr<Distances> reordered(const std::vector<int>& order) const override;

 protected:
  void squared(Index from, const int* to, Index n, double* key) const override {
    const double* x = metric_ == Metric::cosine ? unit_.data() : given_.data();
    squared_distances({x, given_.rows(), from, to, n, key});
  }

 private:
  ConstMatrixMap given_;
  Matrix unit_;
};

// Owns its cells.
class OrderedDistances : public DenseDistances {
 public:
  explicit OrderedDistances(Matrix cells)
      : DenseDistances(ConstMatrixMap(cells.data(), cells.rows(), cells.cols()), Metric::euclidean,
                       ConstVectorMap(nullptr, 0)),
        cells_(std::move(cells)) {}

 private:
  Matrix cells_;
};

std::unique_ptr<Distances> DenseDistances::reordered(const std::vector<int>& order) const {
  Matrix cells(given_.rows(), given_.cols());
  for (std::size_t k = 0; k < order.size(); ++k) cells.col(static_cast<Index>(k)) = given_.col(order[k]);
  return std::make_unique<OrderedDistances>(std::move(cells));
}

class SparseDistances : public CoordinateDistances {
 public:
  SparseDistances(const SparseColumns& coordinates, Metric metric, ConstVectorMap local_scale)
      : CoordinateDistances(metric, local_scale), x_(coordinates), norm_(coordinates.columns) {
    const Index nonzeros = x_.column_start[x_.columns];
    value_.assign(x_.value, x_.value + nonzeros);
    for (Index c = 0; c < x_.columns; ++c) {
      Eigen::Map<Vector> column(value_.data() + x_.column_start[c], x_.column_start[c + 1] - x_.column_start[c]);
      if (metric == Metric::cosine) column.stableNormalize();
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
