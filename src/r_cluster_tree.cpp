#include <Rcpp.h>

#include "pnmf/cluster/community_tree.h"
#include "r_convert.h"

namespace {

pnmf::ClusterTree as_cluster_tree(const Rcpp::List& tree) {
  const Rcpp::IntegerVector leaf = tree["leaf"], a = tree["a"], b = tree["b"];
  pnmf::ClusterTree out;
  out.leaves = tree["leaves"];
  for (int l : leaf) out.leaf_of_cell.push_back(l - 1);
  for (R_xlen_t m = 0; m < a.size(); ++m) out.mergers.push_back({a[m] - 1, b[m] - 1, 0.0});
  return out;
}

}  // namespace

// index, length: neighbours, cells x k; links: edges of a spanning tree. Clusters and cells are 1-based; leaf 0: none.
// [[Rcpp::export(rng = false)]]
Rcpp::List cluster_tree_cpp(Rcpp::IntegerMatrix index, Rcpp::NumericMatrix length, Rcpp::List links, int min_size) {
  pnmf::NearestNeighbors near;
  near.index = Eigen::Map<const Eigen::MatrixXi>(index.begin(), index.nrow(), index.ncol()).array() - 1;
  near.length = as_dense(length);
  const auto mergers = pnmf::community_tree(pnmf::shared_neighbors(near, as_edges(links)));
  const pnmf::ClusterTree tree = pnmf::substantial_clusters(index.nrow(), mergers, min_size);
  Rcpp::IntegerVector leaf(tree.leaf_of_cell.begin(), tree.leaf_of_cell.end()), a, b;
  Rcpp::NumericVector resolution;
  for (const pnmf::Merger& merger : tree.mergers) {
    a.push_back(merger.a + 1);
    b.push_back(merger.b + 1);
    resolution.push_back(merger.resolution);
  }
  return Rcpp::List::create(Rcpp::Named("leaves") = tree.leaves, Rcpp::Named("leaf") = leaf + 1, Rcpp::Named("a") = a,
                            Rcpp::Named("b") = b, Rcpp::Named("resolution") = resolution);
}

// points: dimensions x cells; tree: as cluster_tree_cpp() returns, with a leaf for every cell.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector mean_silhouettes_cpp(Rcpp::NumericMatrix points, Rcpp::List tree) {
  return Rcpp::wrap(pnmf::mean_silhouettes(as_dense(points), as_cluster_tree(tree)));
}
