// SPDX-License-Identifier: Apache-2.0
#include "oracle/lease_monitor.h"

#include <gtest/gtest.h>

namespace sibyl::oracle {
namespace {

using std::chrono::milliseconds;

// Leases are either over at once or last for a day, so that no test waits.
constexpr milliseconds kOver{0};
constexpr milliseconds kDay = std::chrono::hours(24);

TEST(LeaseMonitor, TimeStartsAtTheFirstObservation) {
  LeaseMonitor monitor;
  const runner::LeaseSign sign{.place = 1, .token = 7, .heartbeat = 3};
  EXPECT_FALSE(monitor.IsStale("journal", 1, sign, kDay));
  EXPECT_FALSE(monitor.IsStale("journal", 1, sign, kDay));
  EXPECT_TRUE(monitor.IsStale("journal", 1, sign, kOver));
}

TEST(LeaseMonitor, KeepsRunsAndJournalsApart) {
  LeaseMonitor monitor;
  const runner::LeaseSign sign{.place = 1, .token = 7, .heartbeat = 3};
  const runner::LeaseSign later{.place = 1, .token = 7, .heartbeat = 4};
  EXPECT_FALSE(monitor.IsStale("a", 1, sign, kDay));
  EXPECT_FALSE(monitor.IsStale("a", 2, later, kDay));
  EXPECT_FALSE(monitor.IsStale("b", 1, later, kDay));
  EXPECT_FALSE(monitor.IsStale("a", 1, later, kDay)) << "a heartbeat starts the time anew";
}

}  // namespace
}  // namespace sibyl::oracle
