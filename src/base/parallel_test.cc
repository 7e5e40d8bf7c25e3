// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace sibyl {
namespace {

TEST(Parallel, EveryNumberIsTakenOnce) {
  for (const std::size_t grain : {0U, 1U, 7U, 2000U}) {
    std::vector<std::atomic<int>> taken(1000);
    ForEachInParallel(taken.size(), {.threads = 4, .grain = grain},
                      [&](std::size_t i) { ++taken[i]; });
    for (const std::atomic<int>& times : taken) EXPECT_EQ(times, 1) << grain;
  }
  ForEachInParallel(0, {}, [](std::size_t) { FAIL(); });
}

TEST(Parallel, EachThreadHasAWorkerOfItsOwn) {
  constexpr std::size_t kThreads = 3;
  std::vector<std::size_t> counts(kThreads);  // no lock: one for each worker
  ForEachWithWorkers(500, {.threads = kThreads}, [&](std::size_t worker) {
    return
        [&counts, worker, mine = std::size_t{0}](std::size_t) mutable { counts[worker] = ++mine; };
  });
  EXPECT_EQ(counts[0] + counts[1] + counts[2], 500U);
}

TEST(Parallel, OneThreadWorksInOrderOnTheCallingOne) {
  std::vector<std::size_t> order;
  const std::thread::id here = std::this_thread::get_id();
  ForEachInParallel(3, {.threads = 1}, [&](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    order.push_back(i);
  });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Parallel, NothingIsStartedAfterAStop) {
  std::stop_source source;
  std::atomic<int> begun = 0;
  ForEachInParallel(1000, {.threads = 2, .grain = 100, .stop = source.get_token()},
                    [&](std::size_t) {
                      ++begun;
                      source.request_stop();
                    });
  EXPECT_GE(begun, 1);
  EXPECT_LE(begun, 2);
}

TEST(Parallel, AnExceptionIsThrownAgainWhereItWasCalled) {
  for (const std::size_t threads : {1U, 4U}) {
    std::atomic<int> ended = 0;
    const auto run = [&] {
      ForEachInParallel(1000, {.threads = threads}, [&](std::size_t i) {
        if (i == 10) throw std::runtime_error("ten");
        ++ended;
      });
    };
    EXPECT_THROW(run(), std::runtime_error);
    // The other threads may have taken all the rest before this one threw.
    if (threads == 1) {
      EXPECT_EQ(ended, 10);
    }
  }
}

TEST(Parallel, WorkersRunAtOnce) {
  std::atomic<std::size_t> here = 0;
  RunOnThreads(3, [&](std::size_t) {
    ++here;
    while (here < 3) std::this_thread::yield();
  });
  EXPECT_EQ(here, 3U);
  EXPECT_GE(MachineThreads(), 1U);
}

}  // namespace
}  // namespace sibyl
