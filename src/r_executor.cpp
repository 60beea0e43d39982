#include "r_executor.h"

// RcppParallel's matrix wrapper, not used here, derives from std::iterator, which C++17 compilers warn about.
#define __RCPP_PARALLEL_RMATRIX__
#include <RcppParallel.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>

namespace {

constexpr std::chrono::milliseconds look_every(50);

void look_for_interrupt(void*) { R_CheckUserInterrupt(); }

// TBB prints a warning if it is asked for more threads than cores.
int threads_available(int wanted) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return cores > 0 ? std::min(wanted, cores) : wanted;
}

// Whether this thread is running a task, so that a loop it starts is an inner one.
thread_local bool inside_task = false;

class InsideTask {
 public:
  InsideTask() : before_(inside_task) { inside_task = true; }
  ~InsideTask() { inside_task = before_; }
  InsideTask(const InsideTask&) = delete;
  InsideTask& operator=(const InsideTask&) = delete;

 private:
  bool before_;
};

struct TaskWorker : public RcppParallel::Worker {
  explicit TaskWorker(std::function<void(pnmf::Index)> body) : body(std::move(body)) {}
  void operator()(std::size_t begin, std::size_t end) override {
    const InsideTask mark;
    for (std::size_t task = begin; task < end && !failed; ++task) {
      try {
        body(static_cast<pnmf::Index>(task));
      } catch (...) {
        const std::lock_guard<std::mutex> lock(guard);
        if (!failed) error = std::current_exception();
        failed = true;
      }
    }
  }
  const std::function<void(pnmf::Index)> body;
  std::atomic<bool> failed{false};
  std::mutex guard;
  std::exception_ptr error;
};

#if RCPP_PARALLEL_USE_TBB
// One arena per number of threads, kept for the session. RcppParallel::parallelFor makes one per call, and TBB does not
// release all of their memory. Only R's thread looks arenas up: an inner loop runs in the arena of its thread.
tbb::task_arena& arena_of(int threads) {
  static auto& arenas = *new std::map<int, tbb::task_arena>();
  return arenas.try_emplace(threads, threads).first->second;
}

void run_in_threads(TaskWorker& worker, std::size_t n_tasks, int threads) {
  const auto run = [&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n_tasks, 1),
                      [&](const tbb::blocked_range<std::size_t>& tasks) { worker(tasks.begin(), tasks.end()); });
  };
  if (inside_task) {
    // Without isolation, a thread that waits for the end of its inner loop could begin another item of the outer loop.
    tbb::this_task_arena::isolate(run);
  } else {
    arena_of(threads).execute(run);
  }
}
#else
void run_in_threads(TaskWorker& worker, std::size_t n_tasks, int threads) {
  if (inside_task) return worker(0, n_tasks);
  RcppParallel::parallelFor(0, n_tasks, worker, 1, threads);
}
#endif

}  // namespace

RcppParallelExecutor::RcppParallelExecutor(int threads)
    : threads_(threads), r_thread_(std::this_thread::get_id()), last_look_(std::chrono::steady_clock::now()) {}

void RcppParallelExecutor::run(pnmf::Index n_tasks, const std::function<void(pnmf::Index)>& body) {
  if (threads_ == 1 || n_tasks < 2) {
    for (pnmf::Index task = 0; task < n_tasks; ++task) {
      poll();
      body(task);
    }
    return;
  }
  TaskWorker worker([&](pnmf::Index task) {
    poll();
    body(task);
  });
  run_in_threads(worker, static_cast<std::size_t>(n_tasks), threads_available(threads_));
  if (cancelled_) throw Rcpp::internal::InterruptedException();
  if (worker.error) std::rethrow_exception(worker.error);
}

void RcppParallelExecutor::poll() {
  if (std::this_thread::get_id() != r_thread_) {
    if (cancelled_) throw std::runtime_error("interrupted");
    return;
  }
  if (cancelled_) throw Rcpp::internal::InterruptedException();
  const auto now = std::chrono::steady_clock::now();
  if (now - last_look_ < look_every) return;
  last_look_ = now;
  if (R_ToplevelExec(look_for_interrupt, nullptr) == FALSE) {
    cancelled_ = true;
    throw Rcpp::internal::InterruptedException();
  }
}
