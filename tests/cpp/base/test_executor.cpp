#include "pnmf/base/executor.h"

#include "check.h"
#include "thread_executor.h"

using pnmf::Index;

TEST("items: every part of every item runs once, on any number of threads") {
  for (Index threads : {1, 2, 3}) {
    for (Index items : {0, 1, 2, 5}) {
      ThreadExecutor executor(threads);
      std::vector<std::vector<int>> runs(items, std::vector<int>(10, 0));
      executor.run(items, [&](Index item) {
        pnmf::run_blocks(executor, 10, 3, [&](Index begin, Index end) {
          for (Index k = begin; k < end; ++k) ++runs[item][k];
        });
      });
      for (const std::vector<int>& item : runs) CHECK(item == std::vector<int>(10, 1));
    }
  }
}

TEST("items: an exception of an inner part reaches the caller") {
  for (Index threads : {1, 2, 3}) {
    ThreadExecutor executor(threads);
    const auto run = [&] {
      executor.run(4, [&](Index item) {
        pnmf::run_blocks(executor, 10, 3, [&](Index begin, Index) {
          if (item == 2 && begin == 6) throw Stopped();
        });
      });
    };
    CHECK_THROWS(run(), Stopped);
  }
}
