// SPDX-License-Identifier: Apache-2.0
#include "draft/model/placeholder.h"

#include <gtest/gtest.h>

#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

class PlaceholderTest : public PassageTest {
 protected:
  // Of a statement that cites this line.
  std::string In(const std::string& text, const std::string& line,
                 WrittenKind kind = WrittenKind::kSentence) {
    const Excerpt excerpt = Passage("a.py", "python", line + "\n", 1);
    return PlaceholderIn({.kind = kind, .text = text, .info = {}, .marks = {}},
                         {{.excerpt = &excerpt, .first_line = 1, .last_line = 1}});
  }
};

// Issue 26: a page said that a size is `({m}, 1)`.
TEST_F(PlaceholderTest, OfAFormatStringSaysNothing) {
  EXPECT_EQ(In("It is of size `({m}, 1)`.", "lambda: f\"it should be ({m}, 1)\""), "{m}");
  EXPECT_EQ(In("`x` has `{a.b}`.", "raise E('the value has {a.b}'.format(a=a))"), "{a.b}");
}

TEST_F(PlaceholderTest, BracesOfOtherLinesStay) {
  EXPECT_EQ(In("It is `({m}, 1)`.", "lambda: \"it should be ({m}, 1)\""), "");
  EXPECT_EQ(In("It is `${m}`.", "f\"${m}\""), "");
  EXPECT_EQ(In("It is renamed to `{name}_v{version}`.", "name = f'{name}_v{version}'"), "");
  EXPECT_EQ(In("It is {m}.", "f\"{m}\""), "") << "not in code font";
  EXPECT_EQ(In("It is `{1}`.", "f\"{1}\""), "");
  EXPECT_EQ(In("f\"`{m}`\"", "f\"`{m}`\"", WrittenKind::kCode), "") << "word for word";
}

}  // namespace
}  // namespace sibyl::draft
