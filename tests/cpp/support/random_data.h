// Random matrices, graphs and whole problems for tests; everything is a function of the seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "pnmf/data/data_matrix.h"
#include "pnmf/geometry/distances.h"
#include "pnmf/geometry/persistence_scales.h"
#include "pnmf/graph/scale_graph.h"
#include "pnmf/solver/fit.h"
#include "pnmf/solver/objective.h"

using pnmf::Index;
using pnmf::Matrix;
using pnmf::Vector;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low = 0, double high = 1) {
    return low + (high - low) * std::uniform_real_distribution<double>()(engine_);
  }
  Index between(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(engine_); }
  bool chance(double probability) { return uniform() < probability; }
  // 10^u, u uniform
  double magnitude(double low, double high) { return std::pow(10.0, uniform(low, high)); }

  Matrix matrix(Index rows, Index columns, double low = 0, double high = 1) {
    return Matrix::NullaryExpr(rows, columns, [&] { return uniform(low, high); });
  }
  // Nonnegative, with the given share of nonzero entries.
  Matrix sparse_matrix(Index rows, Index columns, double density) {
    return Matrix::NullaryExpr(rows, columns, [&] { return chance(density) ? uniform(0.1, 1) : 0.0; });
  }
  std::vector<double> values(Index n, double low = -1, double high = 1) {
    std::vector<double> v(n);
    for (double& x : v) x = uniform(low, high);
    return v;
  }

 private:
  std::mt19937_64 engine_;
};

// The compressed columns of a dense matrix, in arrays of exactly the right length.
struct Compressed {
  explicit Compressed(const Matrix& X) : rows(X.rows()), columns_(X.cols()), start(1, 0) {
    for (Index c = 0; c < X.cols(); ++c) {
      for (Index r = 0; r < X.rows(); ++r) {
        if (X(r, c) == 0) continue;
        row.push_back(static_cast<int>(r));
        value.push_back(X(r, c));
      }
      start.push_back(static_cast<int>(row.size()));
    }
    row.shrink_to_fit();
    value.shrink_to_fit();
  }
  pnmf::SparseColumns columns() const { return {rows, columns_, row.data(), value.data(), start.data()}; }
  Index rows, columns_;
  std::vector<int> row, start;
  std::vector<double> value;
};

inline pnmf::ConstMatrixMap map_of(const Matrix& X) { return {X.data(), X.rows(), X.cols()}; }

inline std::unique_ptr<pnmf::Distances> euclidean(const Matrix& X) {
  return pnmf::dense_distances(map_of(X), pnmf::Metric::euclidean, pnmf::ConstVectorMap(nullptr, 0));
}

// Euclidean distances of the same cells, stored dense and sparse. Both arguments must outlive the result.
inline std::vector<std::unique_ptr<pnmf::Distances>> dense_and_sparse(const Matrix& X, const Compressed& compressed) {
  std::vector<std::unique_ptr<pnmf::Distances>> spaces;
  spaces.push_back(euclidean(X));
  spaces.push_back(
      pnmf::sparse_distances(compressed.columns(), pnmf::Metric::euclidean, pnmf::ConstVectorMap(nullptr, 0)));
  return spaces;
}

inline bool same_edges(const pnmf::EdgeList& a, const pnmf::EdgeList& b) {
  return a.i == b.i && a.j == b.j && a.length == b.length;
}

inline bool same_bits(const Matrix& A, const Matrix& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() && (A.array() == B.array()).all();
}

inline bool finite_nonnegative(const std::vector<Matrix>& factors) {
  return std::all_of(factors.begin(), factors.end(),
                     [](const Matrix& F) { return F.allFinite() && (F.array() >= 0).all(); });
}

// What a solver needs: data, the graphs of a few scales, starting factors and penalties.
struct Problem {
  Matrix X;
  std::vector<double> thresholds;
  pnmf::EdgeList edges;
  pnmf::Path start;
  pnmf::FitOptions options;
  double alpha = 1.5;

  pnmf::ScaleGraphs graphs() const { return {pnmf::NestedGraph(X.cols(), edges), thresholds, alpha}; }
  // The size of the numbers the objective is made of: rounding errors are relative to it.
  double size(double objective) const {
    return static_cast<double>(thresholds.size()) * X.squaredNorm() + std::abs(objective);
  }
};

// Up to `scales` of the canonical scales of X, the finest and the coarsest among them.
inline void add_scales(Problem& problem, Index scales) {
  if (problem.X.cols() == 1) {
    problem.thresholds = {1.0};
    return;
  }
  pnmf::SerialExecutor serial;
  const auto distances = euclidean(problem.X);
  const pnmf::SpanningTree tree = pnmf::minimum_spanning_tree(*distances, serial);
  std::vector<double> canonical = tree.edges.length;
  canonical.push_back(tree.longest_distance > 0 ? tree.longest_distance * (1 + 1e-9) : 1.0);
  canonical.erase(std::unique(canonical.begin(), canonical.end()), canonical.end());
  const Index last = static_cast<Index>(canonical.size()) - 1, kept = std::min(scales, last + 1);
  for (Index k = 0; k < kept; ++k) {
    problem.thresholds.push_back(canonical[kept == 1 ? last : k * last / (kept - 1)]);
  }
  problem.edges = pnmf::edges_below(*distances, 2 * canonical.back(), serial);
}

// A random problem of 1-60 cells and 1-40 features: any density, duplicated cells, constant and empty features, values
// and penalties over many orders of magnitude.
inline Problem random_problem(unsigned seed, double size_low, double size_high) {
  Random random(seed);
  Problem problem;
  const double u = random.uniform();
  const Index cells = 1 + static_cast<Index>(59.99 * u * u),
              features = 1 + static_cast<Index>(39.99 * random.uniform());
  problem.X = random.sparse_matrix(features, cells, random.chance(0.3) ? 1.0 : random.uniform(0.05, 1));
  if (random.chance(0.3)) problem.X.row(random.between(0, features - 1)).setConstant(0.5);
  if (random.chance(0.3)) problem.X.row(random.between(0, features - 1)).setZero();
  if (random.chance(0.3)) problem.X.col(random.between(0, cells - 1)).setZero();
  for (Index k = 0; k < cells / 5; ++k) {
    if (random.chance(0.3)) problem.X.col(random.between(0, cells - 1)) = problem.X.col(random.between(0, cells - 1));
  }
  if (problem.X.maxCoeff() == 0) problem.X(0, 0) = 1;
  const double size = random.magnitude(size_low, size_high);
  problem.X *= size;
  add_scales(problem, random.between(1, 5));
  const Index rank = random.between(1, std::min<Index>(12, std::max(features, cells)));
  for (std::size_t t = 0; t < problem.thresholds.size(); ++t) {
    problem.start.Wt.push_back(std::sqrt(size) * random.matrix(rank, features));
    problem.start.H.push_back(std::sqrt(size) * random.matrix(rank, cells));
  }
  const auto penalty = [&] { return random.chance(0.15) ? 0.0 : random.magnitude(-6, 6); };
  problem.options.penalties = {penalty(), penalty(), penalty()};
  problem.alpha = random.uniform(0.5, 2.5);
  return problem;
}

// The model's objective by its definition.
inline double definition(const Problem& problem, const pnmf::Path& path) {
  const auto graphs = problem.graphs();
  double total = pnmf::total_smooth_term(path.H, problem.options.penalties);
  for (std::size_t t = 0; t < path.H.size(); ++t) {
    total += (problem.X - path.Wt[t].transpose() * path.H[t]).squaredNorm() +
             pnmf::embedding_terms(*graphs.at(static_cast<Index>(t)), path.H[t], problem.options.penalties);
  }
  return total;
}
