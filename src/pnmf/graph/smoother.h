#pragma once

#include "pnmf/base/executor.h"
#include "pnmf/graph/scale_graph.h"

namespace pnmf {

// L V, where every row of V is a function of the cells.   V: functions x cells
void multiply_laplacian(const ScaleGraph& graph, const Matrix& V, Matrix& product, Executor& executor);

// For every row, sum_i A_i B_i. Summed in fixed blocks of cells: the same for any number of threads.
Vector row_products(const Matrix& A, const Matrix& B, Executor& executor);

struct SmootherSettings {
  double tol = 1e-8;  // of the residual, relative to the right side
  int max_rounds = 2000;
};

// S B', S = (I + lambda L)^-1: conjugate gradients, all rows of B at once.   B: functions x cells
Matrix smooth(const ScaleGraph& graph, double lambda, const Matrix& B, const SmootherSettings& settings,
              Executor& executor);

}  // namespace pnmf
