#pragma once

#include <functional>

#include "pnmf/base/executor.h"
#include "pnmf/graph/scale_graph.h"

namespace pnmf {

// Functions of the cells are in single precision (float) where an estimate is all that is wanted: neighbours are then
// read from memory in half the time.

// L V, where every row of V is a function of the cells.   V: functions x cells
template <typename Scalar>
void multiply_laplacian(const ScaleGraph& graph, const Functions<Scalar>& V, Functions<Scalar>& product,
                        Executor& executor);

// For every row,  y <- scale L x - last y.   The sums over the cells of x y
template <typename Scalar>
Vector laplacian_recurrence(const ScaleGraph& graph, const Functions<Scalar>& x, const FunctionValues<Scalar>& scale,
                            const FunctionValues<Scalar>& last, Functions<Scalar>& y, Executor& executor);

// For every row, the sum of what body(begin, end, sum) adds for the cells of a block. Blocks are fixed: the sum is the
// same for any number of threads.
Vector sum_over_blocks(Index rows, Index cells, Executor& executor,
                       const std::function<void(Index begin, Index end, Vector& sum)>& body);

// For every row, sum_i A_i B_i.
template <typename Scalar>
Vector row_products(const Functions<Scalar>& A, const Functions<Scalar>& B, Executor& executor);

struct SmootherSettings {
  double tol = 1e-8;  // of the residual, relative to the right side
  int max_rounds = 2000;
};

// S B', S = (I + lambda L)^-1: conjugate gradients, all rows of B at once.   B: functions x cells
// residual: B - X - lambda X L of the result X, if asked for
template <typename Scalar>
Functions<Scalar> smooth(const ScaleGraph& graph, double lambda, const Functions<Scalar>& B,
                         const SmootherSettings& settings, Executor& executor, Functions<Scalar>* residual = nullptr);

// 1_A' S 1_B for all groups A and B of cells, right to tol^2 (|A| |B|)^(1/2).   group: that of every cell, or -1
Matrix group_mixing(const ScaleGraph& graph, double lambda, const std::vector<int>& group, Index groups,
                    const SmootherSettings& settings, Executor& executor);

}  // namespace pnmf
