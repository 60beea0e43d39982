#include <Rcpp.h>

#include <algorithm>

#include "pnmf/cluster/community_tree.h"
#include "r_convert.h"
#include "r_executor.h"

namespace {

Rcpp::List wrap_mergers(const std::vector<pnmf::Merger>& mergers) {
  Rcpp::IntegerVector a, b;
  Rcpp::NumericVector resolution;
  for (const pnmf::Merger& merger : mergers) {
    a.push_back(merger.a + 1);
    b.push_back(merger.b + 1);
    resolution.push_back(merger.resolution);
  }
  return Rcpp::List::create(Rcpp::Named("a") = a, Rcpp::Named("b") = b, Rcpp::Named("resolution") = resolution);
}

// Clusters and cells are 1-based; leaf 0: none.
Rcpp::List wrap_tree(const pnmf::ClusterTree& tree) {
  const Rcpp::IntegerVector leaf(tree.leaf_of_cell.begin(), tree.leaf_of_cell.end());
  Rcpp::List result = wrap_mergers(tree.mergers);
  result.push_front(leaf + 1, "leaf");
  result.push_front(tree.leaves, "leaves");
  return result;
}

}  // namespace

// index, length: neighbours, cells x k; links: edges of a spanning tree. The graph stays in the core.
// [[Rcpp::export(rng = false)]]
SEXP similarity_graph_cpp(Rcpp::IntegerMatrix index, Rcpp::NumericMatrix length, Rcpp::List links) {
  pnmf::NearestNeighbors near;
  near.index = Eigen::Map<const Eigen::MatrixXi>(index.begin(), index.nrow(), index.ncol()).array() - 1;
  near.length = as_dense(length);
  return Rcpp::XPtr<pnmf::SimilarityGraph>(new pnmf::SimilarityGraph(pnmf::shared_neighbors(near, as_edges(links))));
}

// graph: from similarity_graph_cpp()
// [[Rcpp::export(rng = false)]]
Rcpp::List community_tree_cpp(SEXP graph, int min_size) {
  const Rcpp::XPtr<pnmf::SimilarityGraph> cells(graph);
  return wrap_tree(pnmf::substantial_clusters(cells->cells(), pnmf::community_tree(*cells), min_size));
}

// The trees of several sets of cells. points: matrices, dimensions x cells; neighbors: one number for each
// [[Rcpp::export(rng = false)]]
Rcpp::List grown_trees_cpp(Rcpp::List points, std::vector<int> neighbors, int threads) {
  RcppParallelExecutor executor(threads);
  std::vector<std::unique_ptr<pnmf::Distances>> distances;
  for (R_xlen_t k = 0; k < points.size(); ++k) {
    distances.push_back(as_distances(points[k], "euclidean", Rcpp::NumericVector()));
  }
  std::vector<pnmf::ClusterTree> trees(distances.size());
  executor.run(static_cast<pnmf::Index>(trees.size()),
               [&](pnmf::Index k) { trees[k] = pnmf::clusters_at_distances(*distances[k], neighbors[k], executor); });
  Rcpp::List result(trees.size());
  std::transform(trees.begin(), trees.end(), result.begin(), wrap_tree);
  return result;
}

// leaves x leaves; leaf: one of 1 ... leaves for every cell
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix leaf_weights_cpp(SEXP graph, Rcpp::IntegerVector leaf, int leaves) {
  std::vector<int> leaf_of_cell(leaf.begin(), leaf.end());
  for (int& l : leaf_of_cell) --l;
  return wrap_matrix(pnmf::leaf_weights(*Rcpp::XPtr<pnmf::SimilarityGraph>(graph), leaf_of_cell, leaves));
}
