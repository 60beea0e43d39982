#include "pnmf/data/streamed_data.h"

#include <algorithm>

#include "pnmf/data/memory_blocks.h"
#include "pnmf/data/projected_data.h"

#include "check.h"
#include "pnmf/solver/hals.h"
#include "random_data.h"
#include "thread_executor.h"

namespace {

// Slices of a matrix in memory; counts how often it is read.
struct Slices : pnmf::CellBlocks {
  Slices(const Matrix& X, Index width, bool sparse, int* reads) : X(X), width(width), sparse(sparse), reads(reads) {}
  Index features() const override { return X.rows(); }
  Index cells() const override { return X.cols(); }
  Index nonzeros() const override { return (X.array() != 0).count(); }
  double squared_norm() const override { return X.squaredNorm(); }
  void visit(const std::function<void(Index, const pnmf::DataMatrix&)>& body) const override {
    ++*reads;
    for (Index first = 0; first < X.cols(); first += width) {
      const Matrix block = X.middleCols(first, std::min(width, X.cols() - first));
      const Compressed compressed(block);
      body(first, *(sparse ? pnmf::sparse_data(compressed.columns()) : pnmf::dense_data(map_of(block))));
    }
  }
  const Matrix& X;
  Index width;
  bool sparse;
  int* reads;
};

std::unique_ptr<pnmf::DataMatrix> streamed(const Matrix& X, Index width, bool sparse, int* reads) {
  return pnmf::streamed_data(std::make_unique<Slices>(X, width, sparse, reads));
}

}  // namespace

TEST("streamed data: products are those in memory, whatever the blocks, at one read for all factors") {
  Random random(1);
  const Matrix X = random.sparse_matrix(31, 47, 0.4);
  std::vector<Matrix> Wt, H;
  for (Index rank : {1, 3, 9}) {
    Wt.push_back(random.matrix(rank, 31));
    H.push_back(random.matrix(rank, 47));
  }
  for (bool sparse : {false, true}) {
    for (Index width : {1, 5, 46, 47, 100}) {
      for (Index threads : {1, 3}) {
        ThreadExecutor executor(threads);
        int reads = 0;
        const auto data = streamed(X, width, sparse, &reads);
        CHECK(data->streamed() && data->features() == 31 && data->cells() == 47);
        const auto WtX = data->basis_products({&Wt[0], &Wt[1], &Wt[2]}, executor);
        const auto XHt = data->embedding_products({&H[0], &H[1], &H[2]}, executor);
        CHECK(reads == 2);
        for (int k = 0; k < 3; ++k) {
          CHECK((WtX[k] - Wt[k] * X).norm() <= 1e-13 * X.norm() * Wt[k].norm());
          CHECK((XHt[k] - H[k] * X.transpose()).norm() <= 1e-13 * X.norm() * H[k].norm());
          CHECK(same_bits(WtX[k], data->basis_product(Wt[k], executor)));
          CHECK(same_bits(XHt[k], data->embedding_product(H[k], executor)));
        }
        CHECK((pnmf::feature_gram(*data, executor) - X * X.transpose()).norm() <= 1e-13 * X.squaredNorm());
      }
    }
  }
}

// More cells than two blocks hold.
TEST("data in memory as blocks: the products are those of the whole") {
  Random random(5);
  const Matrix X = random.sparse_matrix(7, 1200, 0.4), Wt = random.matrix(3, 7), H = random.matrix(3, 1200);
  const Compressed compressed(X);
  for (bool sparse : {false, true}) {
    auto blocks = sparse ? pnmf::sparse_blocks(compressed.columns()) : pnmf::dense_blocks(map_of(X));
    CHECK(blocks->nonzeros() == (X.array() != 0).count());
    CHECK_NEAR(blocks->squared_norm(), X.squaredNorm(), 1e-12 * X.squaredNorm());
    int visited = 0;
    blocks->visit([&](Index, const pnmf::DataMatrix&) { ++visited; });
    CHECK(visited > 2);
    const auto data = pnmf::streamed_data(std::move(blocks));
    ThreadExecutor executor(2);
    CHECK((data->basis_product(Wt, executor) - Wt * X).norm() <= 1e-13 * X.norm() * Wt.norm());
    CHECK((data->embedding_product(H, executor) - H * X.transpose()).norm() <= 1e-13 * X.norm() * H.norm());
    CHECK((pnmf::feature_gram(*data, executor) - X * X.transpose()).norm() <= 1e-13 * X.squaredNorm());
  }
}

// Long enough for several parts of a sum in every kernel, and for several slices of XX'.
TEST("streamed data: many factors at once change no bit of W'X, and XX' is symmetric") {
  Random random(4);
  const Index features = 1400, cells = 23;
  const Matrix X = random.sparse_matrix(features, cells, 0.4);
  const Matrix expected = X * X.transpose();
  std::vector<Matrix> Wt;
  for (Index rank : {1, 9, 30}) Wt.push_back(random.matrix(rank, features));
  for (bool sparse : {false, true}) {
    const Compressed compressed(X);
    const auto memory = sparse ? pnmf::sparse_data(compressed.columns()) : pnmf::dense_data(map_of(X));
    ThreadExecutor one(1);
    const Matrix in_memory = pnmf::feature_gram(*memory, one);
    CHECK((in_memory - expected).norm() <= 1e-13 * expected.norm());
    for (Index threads : {1, 2}) {
      ThreadExecutor executor(threads);
      int reads = 0;
      const auto WtX = streamed(X, 6, sparse, &reads)->basis_products({&Wt[0], &Wt[1], &Wt[2]}, executor);
      for (int k = 0; k < 3; ++k) CHECK(same_bits(WtX[k], memory->basis_product(Wt[k], executor)));
      const Matrix gram = pnmf::feature_gram(*streamed(X, 6, sparse, &reads), executor);
      CHECK(same_bits(gram, gram.transpose()));
      CHECK((gram - expected).norm() <= 1e-13 * expected.norm());
      CHECK(same_bits(pnmf::feature_gram(*memory, executor), in_memory));
    }
  }
}

TEST("streamed data: the default solver gives the path of data in memory, at two reads a sweep") {
  Problem problem;
  Random random(2);
  problem.X = random.sparse_matrix(40, 36, 0.5);
  add_scales(problem, 5);
  for (int t = 0; t < 5; ++t) {
    problem.start.Wt.push_back(random.matrix(3, 40));
    problem.start.H.push_back(random.matrix(3, 36));
  }
  problem.options.penalties = {1, 1, 0.1};
  problem.options.tol = 0;
  problem.options.max_outer = 10;
  pnmf::Monitor silent;
  const auto memory = pnmf::dense_data(map_of(problem.X));
  Eigen::HouseholderQR<Matrix> qr(random.matrix(40, 5));
  const Matrix Ut = (qr.householderQ() * Matrix::Identity(40, 5)).transpose();
  const std::shared_ptr<const pnmf::DataMatrix> projected = pnmf::projected_data({Ut, Ut * problem.X});
  for (int start = 0; start < 3; ++start) {
    problem.options.chain_start = start > 0;
    problem.options.chain_data = start == 2 ? projected : nullptr;
    pnmf::SerialExecutor serial;
    const auto expected = pnmf::fit_hals(*memory, problem.graphs(), problem.start, problem.options, serial, silent);
    for (Index threads : {1, 4}) {
      ThreadExecutor executor(threads);
      int reads = 0;
      const auto data = streamed(problem.X, 7, false, &reads);
      const auto result = pnmf::fit_hals(*data, problem.graphs(), problem.start, problem.options, executor, silent);
      // the sweeps, the residual, and the products of the start
      CHECK(start == 1 || reads == 2 * 10 + 1 + 1);
      for (int t = 0; t < 5; ++t) {
        CHECK((result.path.H[t] - expected.path.H[t]).norm() <= 1e-10 * expected.path.H[t].norm());
        CHECK((result.path.Wt[t] - expected.path.Wt[t]).norm() <= 1e-10 * expected.path.Wt[t].norm());
        CHECK_NEAR(result.residual[t], expected.residual[t], 1e-8);
      }
    }
  }
}

TEST("streamed data: sweeps that are undone do not read the data again") {
  pnmf::Monitor silent;
  pnmf::SerialExecutor serial;
  int undone = 0;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Problem problem = random_problem(seed, 20, 30);
    problem.options.chain_start = false;
    problem.options.tol = 0;
    problem.options.max_outer = 80;
    int reads = 0;
    const auto data = streamed(problem.X, 7, false, &reads);
    const auto result = pnmf::fit_hals(*data, problem.graphs(), problem.start, problem.options, serial, silent);
    CHECK(reads == 2 * 80 + 1 + 1);
    // A sweep that is undone for all scales leaves the objective as it was.
    for (int sweep = 1; sweep < 80; ++sweep) undone += result.objective[sweep] == result.objective[sweep - 1];
    const auto memory = pnmf::dense_data(map_of(problem.X));
    const auto expected = pnmf::fit_hals(*memory, problem.graphs(), problem.start, problem.options, serial, silent);
    CHECK_NEAR(result.objective.back(), expected.objective.back(), 1e-6 * expected.objective.back());
  }
  CHECK(undone > 0);
}
