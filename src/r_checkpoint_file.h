#pragma once

#include <string>

#include "pnmf/solver/fit.h"
#include "pnmf/state/checkpoint.h"

// Writes the state of a run every few sweeps and at its end.
class CheckpointFile {
 public:
  CheckpointFile(std::string path, int every, pnmf::RunLabels labels)
      : path_(std::move(path)), every_(every), labels_(std::move(labels)) {}
  void on_state(const pnmf::SolverView& state, bool last);

 private:
  std::string path_;
  int every_, written_ = -1;
  pnmf::RunLabels labels_;
};
