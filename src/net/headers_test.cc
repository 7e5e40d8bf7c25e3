// SPDX-License-Identifier: Apache-2.0
#include "net/headers.h"

#include <gtest/gtest.h>

#include "net/address.h"

namespace sibyl::net {
namespace {

using std::chrono::seconds;

TEST(HeaderLine, ReadsFieldsAndNothingElse) {
  EXPECT_EQ(ParseHeaderLine("Content-Type:  text/html \t"), (Header{"Content-Type", "text/html"}));
  EXPECT_EQ(ParseHeaderLine("X:"), (Header{"X", ""}));
  EXPECT_EQ(ParseHeaderLine("X: a\x01"
                            "b"),
            (Header{"X", "a b"}));
  EXPECT_FALSE(ParseHeaderLine("no field"));
  EXPECT_FALSE(ParseHeaderLine(": empty"));
  EXPECT_FALSE(ParseHeaderLine("two words: x"));
}

TEST(ContentType, ReadsTypeAndCharset) {
  EXPECT_EQ(ParseContentType("Text/HTML; charset=UTF-8").type, "text/html");
  EXPECT_EQ(ParseContentType("Text/HTML; charset=UTF-8").charset, "utf-8");
  EXPECT_EQ(ParseContentType("text/html;level=1;CHARSET=\"ISO-8859-1\"").charset, "iso-8859-1");
  EXPECT_EQ(ParseContentType("text/html;;;charset='x'").charset, "x");
  EXPECT_EQ(ParseContentType("text/html; charset=").charset, "");
  EXPECT_EQ(ParseContentType("text/html; charset=a b").charset, "");
  EXPECT_EQ(ParseContentType("nonsense").type, "");
  EXPECT_EQ(ParseContentType("").type, "");
}

TEST(HttpDate, KnowsItsThreeForms) {
  const Time when =
      *ParseDate("1994-11-06") + std::chrono::hours(8) + std::chrono::minutes(49) + seconds(37);
  EXPECT_EQ(ParseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT"), when);
  EXPECT_EQ(ParseHttpDate("Sunday, 06-Nov-94 08:49:37 GMT"), when);
  EXPECT_EQ(ParseHttpDate("Sun Nov  6 08:49:37 1994"), when);
  EXPECT_FALSE(ParseHttpDate("Sun, 31 Feb 1994 08:49:37 GMT"));
  EXPECT_FALSE(ParseHttpDate("Sun, 06 Nov 1994 25:49:37 GMT"));
  EXPECT_FALSE(ParseHttpDate("06 Nov"));
  EXPECT_FALSE(ParseHttpDate(""));
}

TEST(RetryAfter, ReadsSecondsAndDates) {
  const Time now = *ParseHttpDate("Sun, 15 Nov 2026 12:00:00 GMT");
  EXPECT_EQ(ParseRetryAfter("120", now), seconds(120));
  EXPECT_EQ(ParseRetryAfter("Sun, 15 Nov 2026 12:01:00 GMT", now), seconds(60));
  EXPECT_EQ(ParseRetryAfter("Sun, 15 Nov 2020 12:01:00 GMT", now), seconds(0));
  EXPECT_EQ(ParseRetryAfter("99999999999999999999999", now), seconds(366 * 24 * 3600));
  EXPECT_FALSE(ParseRetryAfter("-5", now));
  EXPECT_FALSE(ParseRetryAfter("soon", now));
}

TEST(Address, TellsPublicFromTheRest) {
  const auto v4 = [](std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
    const std::uint8_t bytes[] = {a, b, c, d};
    return WhyNotPublic(bytes);
  };
  EXPECT_EQ(v4(8, 8, 8, 8), "");
  EXPECT_EQ(v4(172, 32, 0, 1), "");
  EXPECT_EQ(v4(100, 128, 0, 1), "");
  EXPECT_EQ(v4(127, 9, 9, 9), "loopback");
  EXPECT_EQ(v4(10, 1, 2, 3), "private");
  EXPECT_EQ(v4(172, 31, 0, 1), "private");
  EXPECT_EQ(v4(192, 168, 1, 1), "private");
  EXPECT_EQ(v4(169, 254, 169, 254), "a cloud's metadata service");
  EXPECT_EQ(v4(169, 254, 1, 1), "link-local");
  EXPECT_EQ(v4(100, 64, 0, 1), "shared by a carrier (CGNAT)");
  EXPECT_EQ(v4(0, 0, 0, 0), "unspecified");
  EXPECT_EQ(v4(239, 1, 1, 1), "multicast");
  EXPECT_EQ(v4(255, 255, 255, 255), "reserved or broadcast");
}

TEST(Address, SeesThroughTheFormsOfIpv6) {
  using Bytes = std::array<std::uint8_t, 16>;
  const auto why = [](const Bytes& bytes) { return WhyNotPublic(bytes); };
  EXPECT_EQ(why({0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}), "");
  EXPECT_EQ(why({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}), "loopback");
  EXPECT_EQ(why({}), "unspecified");
  EXPECT_EQ(why({0xfd, 0, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0x54}),
            "a cloud's metadata service");
  EXPECT_EQ(why({0xfd, 1}), "private");
  EXPECT_EQ(why({0xfe, 0x80}), "link-local");
  EXPECT_EQ(why({0xff, 2}), "multicast");
  EXPECT_EQ(why({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}), "loopback");
  EXPECT_EQ(why({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 8, 8, 8, 8}), "");
  EXPECT_EQ(why({0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1}), "private");
  EXPECT_EQ(why({0x20, 0x02, 192, 168, 0, 1}), "private");
  EXPECT_EQ(why({0x20, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0xff, 0xfe}), "loopback");
  EXPECT_NE(why({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1}), "");
}

}  // namespace
}  // namespace sibyl::net
