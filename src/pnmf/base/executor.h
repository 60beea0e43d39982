#pragma once

#include <functional>

#include "pnmf/base/types.h"

namespace pnmf {

// Runs independent tasks. To implement a new executor:
// 1. run() calls body(0) ... body(n_tasks - 1), each once, in any order, on any threads, and returns when all
//    are done; an exception of a task is rethrown on the caller. A task may call run() in turn: a thread without a task
//    helps with the inner ones, so that few tasks, or tasks of different sizes, keep all threads busy.
// 2. poll() may be called from any task; it throws if the user asked to stop.
// No result may depend on the executor: every task writes to its own memory.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual Index threads() const = 0;
  virtual void run(Index n_tasks, const std::function<void(Index)>& body) = 0;
  virtual void poll() {}
};

// Runs tasks one after the other.
class SerialExecutor : public Executor {
 public:
  Index threads() const override { return 1; }
  void run(Index n_tasks, const std::function<void(Index)>& body) override {
    for (Index task = 0; task < n_tasks; ++task) body(task);
  }
};

// Splits 0 ... n-1 into blocks of fixed length: the same blocks for any number of threads.
inline void run_blocks(Executor& executor, Index n, Index block,
                       const std::function<void(Index begin, Index end)>& body) {
  const Index n_blocks = (n + block - 1) / block;
  executor.run(n_blocks, [&](Index b) { body(b * block, std::min(n, (b + 1) * block)); });
}

}  // namespace pnmf
