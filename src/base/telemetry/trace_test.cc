// SPDX-License-Identifier: Apache-2.0
#include "base/telemetry/trace.h"

#include <gtest/gtest.h>

#include <set>

#include "base/hex.h"

namespace sibyl {
namespace {

constexpr const char* kSample = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(Traceparent, IsReadAndWrittenAsW3CHasIt) {
  const std::optional<Trace> trace = ParseTraceparent(kSample);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->id, "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(trace->parent, "00f067aa0ba902b7");
  EXPECT_TRUE(trace->is_sampled);
  EXPECT_TRUE(trace->is_handed_on);
  EXPECT_EQ(FormatTraceparent(*trace, trace->parent), kSample);
}

// Of the flags only "sampled" has a meaning here, and the others are not handed on.
TEST(Traceparent, OnlyOneFlagIsKept) {
  const std::string head = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-";
  for (const char* flags : {"01", "03", "ff", "0d"}) {
    EXPECT_TRUE(ParseTraceparent(head + flags)->is_sampled) << flags;
  }
  for (const char* flags : {"00", "02", "fe"}) {
    const std::optional<Trace> trace = ParseTraceparent(head + flags);
    EXPECT_FALSE(trace->is_sampled) << flags;
    EXPECT_EQ(FormatTraceparent(*trace, trace->parent), head + "00");
  }
}

TEST(Traceparent, ALaterVersionIsReadAsFarAsThisOneGoes) {
  const std::string ids = "-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  EXPECT_TRUE(ParseTraceparent("01" + ids));
  EXPECT_TRUE(ParseTraceparent("cc" + ids + "-what the future brings"));
  EXPECT_FALSE(ParseTraceparent("cc" + ids + "x"));
  EXPECT_FALSE(ParseTraceparent("00" + ids + "-more"));
  EXPECT_FALSE(ParseTraceparent("ff" + ids));
}

TEST(Traceparent, AnythingElseIsRefused) {
  for (const char* text : {
           "",
           "00",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
           "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
           "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
           "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
           "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
           "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
           " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
           "0x-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
       }) {
    EXPECT_FALSE(ParseTraceparent(text)) << text;
  }
}

TEST(Traceparent, SpansDiffer) {
  std::set<std::string> spans;
  for (int i = 0; i < 1'000; ++i) {
    const std::string span = NewSpan();
    EXPECT_TRUE(span.size() == 16 && IsLowerHex(span)) << span;
    spans.insert(span);
  }
  EXPECT_EQ(spans.size(), 1'000U);
}

}  // namespace
}  // namespace sibyl
