#pragma once

#include <Rcpp.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "pnmf/base/executor.h"

// RcppParallel threads for the core. Interrupts are looked for on R's own thread only; the others learn of them
// through a flag. The first exception of a task is rethrown on R's thread.
class RcppParallelExecutor : public pnmf::Executor {
 public:
  explicit RcppParallelExecutor(int threads);
  pnmf::Index threads() const override { return threads_; }
  void run(pnmf::Index n_tasks, const std::function<void(pnmf::Index)>& body) override;
  void poll() override;

 private:
  int threads_;
  std::thread::id r_thread_;
  std::atomic<bool> cancelled_{false};
  std::chrono::steady_clock::time_point last_look_;
};
