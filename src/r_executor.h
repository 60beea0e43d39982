#pragma once

#include <Rcpp.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "pnmf/base/executor.h"

// RcppParallel threads for the core. Only R's own thread checks for interrupts; the others see them through a flag. The
// first exception of a task is rethrown on R's thread.
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
