// SPDX-License-Identifier: Apache-2.0
#include "model/model_budget.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace sibyl::model {
namespace {

constexpr Usage kMost{.input = 600, .output = 300};

// Issue 24: with many requests at once, parts failed for good while less than half of the
// limit was spent.
TEST(ModelBudget, ARequestWaitsForThoseThatAreUnderWay) {
  ModelBudget budget({.tokens = 1'000}, {});
  ASSERT_TRUE(budget.Reserve(kMost).ok());
  std::atomic<int> told = 0;
  std::atomic<bool> is_reserved = false;
  std::jthread waiter([&] {
    is_reserved = budget.Reserve(kMost, {.tell = [&](const std::string&) { ++told; }}).ok();
  });
  while (told == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_FALSE(is_reserved);
  budget.Settle(kMost, {.input = 50, .output = 50});
  waiter.join();
  EXPECT_TRUE(is_reserved);
  EXPECT_EQ(told, 2) << "when it waits and when it goes on";
}

TEST(ModelBudget, ALimitThatIsSpentIsNotWaitedFor) {
  ModelBudget budget({.tokens = 1'000}, {});
  ASSERT_TRUE(budget.Reserve(kMost).ok());
  budget.Settle(kMost, {.input = 50, .output = 51});
  const Status refused = budget.Reserve(kMost);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("101 are spent"), std::string::npos);
}

TEST(ModelBudget, AStopEndsTheWait) {
  ModelBudget budget({.tokens = 1'000}, {});
  ASSERT_TRUE(budget.Reserve(kMost).ok());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(budget.Reserve(kMost, {.stop = stop.get_token()}).error().kind, ErrorKind::kCancelled);
}

TEST(ModelBudget, ManyAtOnceSpendTheLimit) {
  ModelBudget budget({.tokens = 10'000}, {});
  std::atomic<int> sent = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 30; ++i) {
    threads.emplace_back([&] {
      if (!budget.Reserve(kMost).ok()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++sent;
      budget.Settle(kMost, {.input = 200, .output = 100});
    });
  }
  threads.clear();
  EXPECT_EQ(sent, 30) << "9,000 of 10,000 are spent";
}

}  // namespace
}  // namespace sibyl::model
