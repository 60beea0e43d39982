// Small checkpoints of every kind for the fuzzer to start from:  write_seeds FOLDER
#include <fstream>

#include "memory_bytes.h"

int main(int, char** arguments) {
  for (int kind = 0; kind < 4; ++kind) {
    const pnmf::Index scales = 1 + kind;
    pnmf::FitState state;
    for (pnmf::Index t = 0; t < scales; ++t) {
      state.Wt.push_back(pnmf::Matrix::Constant(2, 3, 0.5));
      if (kind != 2) state.held.H.push_back(pnmf::Matrix::Constant(2, 2, 1.5));
    }
    pnmf::Progress& progress = state.progress;
    if (kind > 0) {
      progress.record.objective = {3, 2};
      progress.record.residual.assign(scales, 0.1);
      progress.record.steps.assign(scales, 7);
      progress.record.converged.assign(scales, 1);
      progress.own.assign(scales, 1.5);
      progress.momentum.resize(scales);
      progress.windows.last.assign(2, {std::vector<double>(scales, 0.1), 0.2});
    }
    if (kind > 1) progress.record.updates = {{1, 0, 'W', 2.5}, {1, 1, 'H', 2.25}};
    if (kind == 3) state.held.before = state.held.snapshot = state.held.H;
    std::ofstream file(std::string(arguments[1]) + "/kind" + std::to_string(kind), std::ios::binary);
    file << written({{"x", "0123456789abcdef"}, {"rank", "2"}}, {true, state.progress, state.Wt, state.held, 2});
  }
}
