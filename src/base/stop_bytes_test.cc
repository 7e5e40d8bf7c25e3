// SPDX-License-Identifier: Apache-2.0
#include "base/stop_bytes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace sibyl {
namespace {

TEST(StopBytes, AreFoundInOrderAndFromAnywhere) {
  const std::string text = "a(b)" + std::string(130, 'x') + "\"";
  StopBytes<'(', ')', '"'> stops(text);
  EXPECT_EQ(stops.Next(0), 1U);
  EXPECT_EQ(stops.Next(1), 1U);
  EXPECT_EQ(stops.Next(2), 3U);
  EXPECT_EQ(stops.Next(4), 134U);
  EXPECT_EQ(stops.Next(135), 135U);
  EXPECT_EQ(stops.Next(0), 1U) << "going back is allowed";
  EXPECT_EQ((StopBytes<'('>("").Next(0)), 0U);
}

RC_GTEST_PROP(StopBytes, AreWhereALoopFindsThem, (const std::string& letters)) {
  std::string text;
  for (const char letter : letters)
    text += std::string(static_cast<unsigned char>(letter) % 9, 'a') + letter;
  StopBytes<'#', '{', '\xFF'> stops(text);
  for (std::size_t at = 0; at <= text.size(); ++at) {
    std::size_t expected = at;
    while (expected < text.size() && text[expected] != '#' && text[expected] != '{' &&
           text[expected] != '\xFF') {
      ++expected;
    }
    RC_ASSERT(stops.Next(at) == expected);
  }
}

}  // namespace
}  // namespace sibyl
