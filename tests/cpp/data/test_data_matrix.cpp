#include "pnmf/data/data_matrix.h"

#include "check.h"
#include "random_data.h"
#include "thread_executor.h"

namespace {

struct Both {
  explicit Both(Matrix given) : X(std::move(given)), compressed(X) {
    data.push_back(pnmf::dense_data(map_of(X)));
    data.push_back(pnmf::sparse_data(compressed.columns()));
  }
  Matrix X;
  Compressed compressed;
  std::vector<std::unique_ptr<pnmf::DataMatrix>> data;
};

}  // namespace

TEST("both products and the norm are those of the matrix, dense or sparse") {
  Random random(1);
  pnmf::SerialExecutor serial;
  for (int k = 0; k < 60; ++k) {
    const Both both(random.sparse_matrix(random.between(1, 90), random.between(1, 90), random.uniform()));
    const Matrix &X = both.X, Wt = random.matrix(random.between(1, 20), X.rows()),
                 H = random.matrix(Wt.rows(), X.cols());
    for (const auto& data : both.data) {
      CHECK(data->features() == X.rows() && data->cells() == X.cols());
      CHECK_NEAR(data->squared_norm(), X.squaredNorm(), 1e-12 * X.squaredNorm());
      CHECK_NEAR((data->basis_product(Wt, serial) - Wt * X).cwiseAbs().maxCoeff(), 0.0, 1e-12);
      CHECK_NEAR((data->embedding_product(H, serial) - H * X.transpose()).cwiseAbs().maxCoeff(), 0.0, 1e-12);
    }
    CHECK(both.data[0]->nonzeros() == (X.array() != 0).count());
    CHECK(both.data[1]->nonzeros() == both.data[0]->nonzeros());
  }
}

TEST("a matrix without any entry gives zero products") {
  const Both both(Matrix::Zero(5, 4));
  pnmf::SerialExecutor serial;
  for (const auto& data : both.data) {
    CHECK(data->squared_norm() == 0);
    CHECK(data->basis_product(Matrix::Ones(3, 5), serial).isZero(0));
    CHECK(data->embedding_product(Matrix::Ones(3, 4), serial).isZero(0));
  }
}

TEST("the number of threads changes no bit of a product") {
  Random random(2);
  const Both both(random.sparse_matrix(700, 900, 0.3));
  const Matrix Wt = random.matrix(13, 700), H = random.matrix(13, 900);
  pnmf::SerialExecutor serial;
  for (const auto& data : both.data) {
    const Matrix WtX = data->basis_product(Wt, serial), XHt = data->embedding_product(H, serial);
    for (Index threads : {2, 3, 4}) {
      ThreadExecutor executor(threads);
      CHECK(same_bits(data->basis_product(Wt, executor), WtX));
      CHECK(same_bits(data->embedding_product(H, executor), XHt));
    }
  }
}

TEST("an executor hands the first exception of a task to its caller") {
  for (Index threads : {1, 4}) {
    ThreadExecutor executor(threads);
    std::atomic<int> ran{0};
    const auto failing = [&](Index task) {
      ++ran;
      if (task == 3) throw std::invalid_argument("task 3");
    };
    CHECK_THROWS(executor.run(1000, failing), std::invalid_argument);
    if (threads == 1) CHECK(ran == 4);  // with more, the others may be done before task 3 gets to throw
    std::vector<int> count(1000, 0);
    executor.run(1000, [&](Index task) { ++count[task]; });  // usable again, every task once
    CHECK(std::all_of(count.begin(), count.end(), [](int c) { return c == 1; }));
  }
}

TEST("blocks cover every index once, whatever the block's length") {
  ThreadExecutor executor(3);
  for (Index n : {0, 1, 7, 64, 65}) {
    for (Index block : {1, 8, 64, 1000}) {
      std::vector<int> seen(n, 0);
      pnmf::run_blocks(executor, n, block, [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k) ++seen[k];
      });
      CHECK(std::all_of(seen.begin(), seen.end(), [](int c) { return c == 1; }));
    }
  }
}

TEST("a product that is asked to stop stops, and the next one is right") {
  Random random(3);
  const Both both(random.sparse_matrix(300, 2000, 0.2));
  const Matrix Wt = random.matrix(5, 300);
  pnmf::SerialExecutor serial;
  for (const auto& data : both.data) {
    for (Index threads : {1, 3}) {
      StoppingExecutor stopping(threads, 4);
      CHECK_THROWS(data->basis_product(Wt, stopping), Stopped);
    }
    StoppingExecutor sooner(1, 2);
    CHECK_THROWS(data->basis_product(Wt, sooner), Stopped);
    CHECK_NEAR((data->basis_product(Wt, serial) - Wt * both.X).cwiseAbs().maxCoeff(), 0.0, 1e-12);
  }
}
