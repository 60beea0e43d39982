#include "pnmf/data/projected_data.h"

#include "check.h"
#include "pnmf/solver/hals.h"
#include "pnmf/solver/path_solver.h"
#include "random_data.h"
#include "thread_executor.h"

namespace {

// n orthonormal directions in the space of the features.
Matrix directions(Random& random, Index features, Index n) {
  Eigen::HouseholderQR<Matrix> qr(random.matrix(features, n));
  return (qr.householderQ() * Matrix::Identity(features, n)).transpose();
}

}  // namespace

TEST("projected data: products are those of UU'X, the same for any number of threads") {
  Random random(1);
  for (int k = 0; k < 20; ++k) {
    const Matrix X = random.matrix(random.between(5, 60), random.between(1, 90));
    const Matrix Ut = directions(random, X.rows(), random.between(1, 5));
    const Matrix projected = Ut.transpose() * (Ut * X);
    const auto data = pnmf::projected_data({Ut, Ut * X});
    const Matrix Wt = random.matrix(4, X.rows()), H = random.matrix(4, X.cols());
    pnmf::SerialExecutor serial;
    ThreadExecutor threads(3);
    CHECK(data->features() == X.rows() && data->cells() == X.cols() && !data->streamed());
    CHECK_NEAR(data->squared_norm(), projected.squaredNorm(), 1e-12 * X.squaredNorm());
    CHECK(data->nonzeros() == Ut.size() + Ut.rows() * X.cols());
    const Matrix WtX = data->basis_product(Wt, serial), XHt = data->embedding_product(H, serial);
    CHECK((WtX - Wt * projected).norm() <= 1e-12 * Wt.norm() * X.norm());
    CHECK((XHt - H * projected.transpose()).norm() <= 1e-12 * H.norm() * X.norm());
    CHECK((pnmf::feature_gram(*data, threads) - projected * projected.transpose()).norm() <= 1e-12 * X.squaredNorm());
    CHECK(same_bits(WtX, data->basis_product(Wt, threads)));
    CHECK(same_bits(XHt, data->embedding_product(H, threads)));
  }
}

TEST("projected data: a start from as many directions as features is that from the data") {
  Problem problem = random_problem(3, 12, 20);
  problem.options.chain_start = true;
  problem.options.tol = 0;
  problem.options.max_outer = 3;
  pnmf::SerialExecutor serial;
  pnmf::Monitor silent;
  const auto data = pnmf::dense_data(map_of(problem.X));
  const auto expected = pnmf::fit_hals(*data, problem.graphs(), problem.start, problem.options, serial, silent);
  Random random(4);
  const Matrix Ut = directions(random, problem.X.rows(), problem.X.rows());
  problem.options.chain_data = pnmf::projected_data({Ut, Ut * problem.X});
  const auto result = pnmf::fit_hals(*data, problem.graphs(), problem.start, problem.options, serial, silent);
  for (std::size_t t = 0; t < expected.path.H.size(); ++t) {
    CHECK((result.path.H[t] - expected.path.H[t]).norm() <= 1e-8 * expected.path.H[t].norm());
    CHECK((result.path.Wt[t] - expected.path.Wt[t]).norm() <= 1e-8 * expected.path.Wt[t].norm());
  }
}

TEST("projected data: the projection of a start is released before the first sweep") {
  struct Observer : pnmf::Monitor {
    bool on_sweep(int, double) override {
      released = released && projection.expired();
      ++sweeps;
      return true;
    }
    std::weak_ptr<const pnmf::DataMatrix> projection;
    bool released = true;
    int sweeps = 0;
  } observer;
  Problem problem = random_problem(3, 12, 20);
  problem.options.chain_start = true;
  problem.options.tol = 0;
  problem.options.max_outer = 3;
  pnmf::SerialExecutor serial;
  Random random(4);
  const Matrix Ut = directions(random, problem.X.rows(), 5);
  problem.options.chain_data = pnmf::projected_data({Ut, Ut * problem.X});
  observer.projection = problem.options.chain_data;
  const auto data = pnmf::dense_data(map_of(problem.X));
  pnmf::fit_path(*data, problem.graphs(), problem.start, pnmf::Solver::hals, std::move(problem.options), serial,
                 observer);
  CHECK(observer.sweeps == 3);
  CHECK(observer.released);
}
