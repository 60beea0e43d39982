#include "pnmf/geometry/query_neighbors.h"

#include <algorithm>

#include "check.h"
#include "random_data.h"

TEST("queries find the nearest points, ties by point, the same on any number of threads") {
  Random random(1);
  Matrix points = random.matrix(3, 1500, -1, 1), queries = random.matrix(3, 40, -1, 1);
  points.col(7) = points.col(3);
  queries.col(0) = points.col(3);
  pnmf::SerialExecutor serial;
  const pnmf::NearestNeighbors found =
      pnmf::query_neighbors({points.data(), 3, 1500}, {queries.data(), 3, 40}, 5, serial);
  for (Index q = 0; q < 40; ++q) {
    std::vector<std::pair<double, int>> all;
    for (Index p = 0; p < 1500; ++p) all.push_back({(points.col(p) - queries.col(q)).norm(), static_cast<int>(p)});
    std::sort(all.begin(), all.end());
    for (Index r = 0; r < 5; ++r) {
      CHECK(found.index(q, r) == all[r].second);
      CHECK_NEAR(found.length(q, r), all[r].first, 1e-12);
    }
  }
  CHECK(found.length(0, 0) == 0);
  CHECK(found.index(0, 0) == 3);
  CHECK(found.index(0, 1) == 7);
}
