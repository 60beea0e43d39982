#pragma once

#include "pnmf/solver/embedding_descent.h"

namespace pnmf {

// The whole objective after every single update of a sweep without extrapolation, as a running sum of the changes.
class UpdateLog : public HalfRoundObserver {
 public:
  UpdateLog(const DataMatrix& data, const ScaleGraphs& graphs, const UpdateSettings& settings, Executor& executor)
      : data_(data), graphs_(graphs), settings_(settings), executor_(executor) {}

  void begin_sweep(int sweep, double objective) {
    sweep_ = sweep;
    running_ = objective;
  }
  void before_bases(const ScaleStates& states) { before_ = data_terms(states); }
  void after_bases(const ScaleStates& states);
  void before(const ScaleStates& states, Index colour) override { before_ = local_objectives(states, colour); }
  void after(const ScaleStates& states, Index colour) override;

  std::vector<UpdateRecord> updates;

 private:
  Vector data_terms(const ScaleStates& states) const;
  Vector local_objectives(const ScaleStates& states, Index colour) const;
  void add(Index scale, char block, double change);

  const DataMatrix& data_;
  const ScaleGraphs& graphs_;
  const UpdateSettings& settings_;
  Executor& executor_;
  int sweep_ = 0;
  double running_ = 0;
  Vector before_;
};

}  // namespace pnmf
