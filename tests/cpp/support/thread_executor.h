// Executors for tests: real threads, so that ThreadSanitizer sees what RcppParallel's threads would do, and one that
// asks to stop.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "pnmf/base/executor.h"

class ThreadExecutor : public pnmf::Executor {
 public:
  explicit ThreadExecutor(pnmf::Index threads) : threads_(threads) {}
  pnmf::Index threads() const override { return threads_; }

  void run(pnmf::Index n_tasks, const std::function<void(pnmf::Index)>& body) override {
    std::atomic<pnmf::Index> next{0};
    std::mutex guard;
    std::exception_ptr error;
    const auto work = [&] {
      for (pnmf::Index task = next++; task < n_tasks; task = next++) {
        try {
          poll();
          body(task);
        } catch (...) {
          const std::lock_guard<std::mutex> lock(guard);
          if (!error) error = std::current_exception();
          next = n_tasks;
        }
      }
    };
    std::vector<std::thread> others;
    for (pnmf::Index k = 1; k < threads_; ++k) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    if (error) std::rethrow_exception(error);
  }

 private:
  pnmf::Index threads_;
};

struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

// Throws from the given poll on, as an executor does after an interrupt.
class StoppingExecutor : public ThreadExecutor {
 public:
  StoppingExecutor(pnmf::Index threads, long polls) : ThreadExecutor(threads), left_(polls) {}
  void poll() override {
    if (left_-- <= 0) throw Stopped();
  }

 private:
  std::atomic<long> left_;
};
