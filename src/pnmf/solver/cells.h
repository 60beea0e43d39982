#pragma once

#include <stdexcept>

#include "pnmf/solver/embedding_descent.h"

namespace pnmf {

// XH' and HH', from which a basis is updated. XHt: rank x features
struct Sums {
  Matrix XHt, HHt;
};

// What a sweep or its undoing leaves, one entry per scale.
struct PathTerms {
  std::vector<double> own;            // the terms of the scale, see own_terms(); undoing: empty
  std::vector<double> step;           // smooth |H_t - H_{t-1}|^2
  std::vector<double> moved, length;  // |H - snapshot|^2 and |H|^2; empty without a snapshot
};

struct SweepOrder {
  std::vector<double> step;       // the sweep begins at H + step (H - H before the last sweep), for every scale; empty
                                  // if no sweep is extrapolated and this one will not be undone
  std::vector<double> next_step;  // the same of the next sweep, if this one is not undone
  int rounds = 0;                 // over the embeddings, at most
  bool begins_window = false;     // movement is measured from the embeddings before this sweep on
};

// What the work of a sweep depends on, besides the rank.
struct ProblemSize {
  double features, cells, nonzeros, squared_norm;
  double mean_edges;  // per scale
};

// A holder does not have the state that the driver asks for, because it was restarted.
struct StateLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Whoever holds the cells: their data, their embeddings at all scales and their graphs. The driver (hals.h) holds the
// bases, and calls
//   restore;  for a new fit: start_sums and start_step (the chain of starts), take_bases;
//   for every sweep: begin_sweep, end_sweep, undo (at most twice), sometimes store;  residuals, collect.
// To add a holder, implement these. LocalCells holds all cells in this process, RemoteCells (shards/) in others.
class Cells {
 public:
  virtual ~Cells() = default;
  virtual ProblemSize size() const = 0;
  virtual Index scales() const = 0;

  // Begins with this state: that of an earlier run, or starting embeddings.
  virtual void restore(HeldState state) = 0;
  // The state now.
  virtual const HeldState& held() const = 0;
  // Makes sure that the state now can be restored, even by another process.
  virtual void store() {}
  // Whether calls may throw StateLost; restore() of the state that was stored last then helps.
  virtual bool may_be_lost() const { return false; }

  // The sums of the embedding of a scale in the chain of starts.
  virtual Sums start_sums(Index t) = 0;
  // Moves the embedding of a scale for this basis. null: the embedding begins as that of the finer scale, and the basis
  // is still that of the last step. Returns the decrease of the objective in the first round.
  virtual double start_step(Index t, const Matrix* Wt, int rounds) = 0;
  // The terms of the starting embeddings with these bases.
  virtual PathTerms take_bases(const std::vector<Matrix>& Wt) = 0;

  // Extrapolates the embeddings. Returns the sums from which the bases are updated.
  virtual std::vector<Sums> begin_sweep(const SweepOrder& order) = 0;
  // Moves the embeddings for the new bases. log: null, or receives every update
  virtual PathTerms end_sweep(const std::vector<Matrix>& Wt, const SweepOrder& order, UpdateLog* log) = 0;
  // Puts the embeddings of the chosen scales back as they were before the sweep.
  virtual PathTerms undo(const std::vector<char>& chosen, const std::vector<double>& next_step) = 0;

  // How far every scale is from stationary: the scaled projected gradients of its embedding and its basis, as a share of
  // |X|^2.
  virtual Vector residuals(const std::vector<Matrix>& Wt) = 0;
  // The embedding of a scale at the end of the fit. Each scale can be collected once.
  virtual Matrix collect(Index t) = 0;
};

}  // namespace pnmf
