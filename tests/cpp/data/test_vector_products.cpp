#include "pnmf/data/vector_products.h"

#include "check.h"
#include "random_data.h"
#include "thread_executor.h"

TEST("vector products: those of the definition, dense and sparse, and an executor can end them") {
  Random random(1);
  for (Index columns : {1, 255, 256, 257, 600}) {
    const Matrix X = random.sparse_matrix(17, columns, 0.4);
    const Compressed compressed(X);
    const Vector v = random.matrix(columns, 1), u = random.matrix(17, 1);
    const pnmf::ConstVectorMap v_map(v.data(), v.size()), u_map(u.data(), u.size());
    pnmf::SerialExecutor serial;
    for (const Vector& product :
         {pnmf::multiply(map_of(X), v_map, serial), pnmf::multiply(compressed.columns(), v_map, serial)}) {
      CHECK_NEAR((product - X * v).cwiseAbs().maxCoeff(), 0.0, 1e-12);
    }
    for (const Vector& product : {pnmf::multiply_transposed(map_of(X), u_map, serial),
                                  pnmf::multiply_transposed(compressed.columns(), u_map, serial)}) {
      CHECK_NEAR((product - X.transpose() * u).cwiseAbs().maxCoeff(), 0.0, 1e-13);
    }
    StoppingExecutor stopping(1, 0);
    CHECK_THROWS(pnmf::multiply(map_of(X), v_map, stopping), Stopped);
    CHECK_THROWS(pnmf::multiply_transposed(compressed.columns(), u_map, stopping), Stopped);
  }
}
