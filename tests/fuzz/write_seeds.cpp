// Small checkpoints of every kind for the fuzzer to start from:  write_seeds FOLDER
#include <fstream>

#include "memory_bytes.h"

int main(int, char** arguments) {
  for (int kind = 0; kind < 4; ++kind) {
    const pnmf::Index scales = 1 + kind;
    pnmf::Path path;
    for (pnmf::Index t = 0; t < scales; ++t) {
      path.Wt.push_back(pnmf::Matrix::Constant(2, 3, 0.5));
      path.H.push_back(pnmf::Matrix::Constant(2, 2, 1.5));
    }
    pnmf::FitRecord record;
    if (kind > 0) {
      record.objective = {3, 2};
      record.residual.assign(scales, 0.1);
      record.steps.assign(scales, 7);
      record.converged.assign(scales, 1);
    }
    if (kind > 1) record.updates = {{1, 0, 'W', 2.5}, {1, 1, 'H', 2.25}};
    pnmf::Products products{path.H, std::vector<pnmf::Matrix>(path.H.size(), pnmf::Matrix::Constant(2, 2, 0.5))};
    const bool shared_bases = kind >= 2;
    if (shared_bases) path.Wt[1].resize(0, 0);
    const pnmf::SolverView state{record,
                                 {{"a", {0.5, 0.25}}, {"b", {2}}},
                                 path,
                                 kind % 2 ? &path.H : nullptr,
                                 kind == 3 ? &path.H : nullptr,
                                 shared_bases ? &products : nullptr};
    std::ofstream file(std::string(arguments[1]) + "/kind" + std::to_string(kind), std::ios::binary);
    file << written({{"x", "0123456789abcdef"}, {"rank", "2"}}, state);
  }
}
