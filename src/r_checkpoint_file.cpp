#include "r_checkpoint_file.h"

#include "pnmf/state/atomic_file.h"

void CheckpointFile::on_state(const pnmf::SolverView& state, bool last) {
  const int sweep = state.sweep();
  if (sweep == written_ || (!last && sweep % every_ != 0)) return;
  pnmf::AtomicFile file(path_);
  pnmf::write_checkpoint(labels_, state, file);
  file.commit();
  written_ = sweep;
}
