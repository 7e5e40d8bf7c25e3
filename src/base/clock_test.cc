// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <chrono>

namespace sibyl {
namespace {

Time At(std::int64_t seconds) { return Time(std::chrono::seconds(seconds)); }

TEST(Clock, FormatsInUtc) {
  EXPECT_EQ(FormatDate(At(0)), "1970-01-01");
  EXPECT_EQ(FormatDateTime(At(1'794'733'559)), "2026-11-15 09:05");
  EXPECT_EQ(FormatDateTime(At(-1)), "1969-12-31 23:59");
  EXPECT_EQ(FormatDate(At(253'402'300'799)), "9999-12-31");
}

TEST(Clock, ReadsTheDatesItWrites) {
  EXPECT_TRUE(rc::check([] {
    const Time time = At(*rc::gen::inRange<std::int64_t>(0, 253'402'300'799));
    const auto day = ParseDate(FormatDate(time));
    RC_ASSERT(day.has_value());
    RC_ASSERT(*day <= time && time - *day < std::chrono::days(1));
  }));
}

TEST(Clock, RefusesDaysThatDoNotExist) {
  for (const char* bad : {"2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "15.11.2026", "",
                          "2026-11-+5", "2026/11/15"}) {
    EXPECT_EQ(ParseDate(bad), std::nullopt) << bad;
  }
  EXPECT_TRUE(ParseDate("2024-02-29").has_value());
}

TEST(SystemClock, WritesTheSourceDateEpoch) {
  const Result<SystemClock> clock = SystemClock::WithEpoch("1700000000");
  ASSERT_TRUE(clock.ok());
  EXPECT_EQ(clock->WrittenNow(), At(1'700'000'000));
  EXPECT_GT(clock->Now(), At(1'700'000'000));
}

TEST(SystemClock, WritesNowWhenNothingIsSaid) {
  const Result<SystemClock> clock = SystemClock::WithEpoch({});
  ASSERT_TRUE(clock.ok());
  EXPECT_LE(clock->WrittenNow() - clock->Now(), std::chrono::seconds(1));
}

TEST(SystemClock, RefusesAnEpochThatIsNoTime) {
  for (const char* bad : {"", "yesterday", "-5", "17x", "99999999999999999999"}) {
    const Result<SystemClock> clock = SystemClock::WithEpoch(bad);
    ASSERT_FALSE(clock.ok()) << bad;
    EXPECT_EQ(clock.error().kind, ErrorKind::kUsage);
  }
}

TEST(FixedClock, StandsStill) {
  const FixedClock clock(At(42));
  EXPECT_EQ(clock.Now(), clock.WrittenNow());
}

}  // namespace
}  // namespace sibyl
