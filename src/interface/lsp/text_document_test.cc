// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/text_document.h"

#include <gtest/gtest.h>

namespace sibyl::interface::lsp {
namespace {

Json Change(std::size_t line, std::size_t from, std::size_t to, std::string_view text) {
  return {{"range",
           {{"start", {{"line", line}, {"character", from}}},
            {"end", {{"line", line}, {"character", to}}}}},
          {"text", text}};
}

TEST(LspTextDocument, CountsInUtf16UnitsOrBytes) {
  const std::string text = "a😀é`b`\nnext";
  const TextDocument wide(text, PositionEncoding::kUtf16);
  const TextDocument bytes(text, PositionEncoding::kUtf8);
  EXPECT_EQ(wide.OffsetOf({.line = 0, .character = 3}), 5U);
  EXPECT_EQ(wide.OffsetOf({.line = 0, .character = 4}), 7U);
  EXPECT_EQ(bytes.OffsetOf({.line = 0, .character = 7}), 7U);
  EXPECT_EQ(wide.PositionOf(7), (Position{.line = 0, .character = 4}));
  EXPECT_EQ(bytes.PositionOf(7), (Position{.line = 0, .character = 7}));
  EXPECT_EQ(wide.OffsetOf({.line = 0, .character = 2}), 1U) << "inside a pair";
  EXPECT_EQ(wide.OffsetOf({.line = 0, .character = 99}), 10U) << "the end of the line";
  EXPECT_EQ(wide.OffsetOf({.line = 9, .character = 0}), text.size());
  EXPECT_EQ(wide.PositionOf(11), (Position{.line = 1, .character = 0}));
}

TEST(LspTextDocument, KnowsAllLineEnds) {
  const TextDocument text("a\r\nb\rc\n");
  EXPECT_EQ(text.Line(0), "a");
  EXPECT_EQ(text.Line(1), "b");
  EXPECT_EQ(text.Line(2), "c");
  EXPECT_EQ(text.Line(3), "");
  EXPECT_EQ(text.OffsetOf({.line = 0, .character = 5}), 1U);
  EXPECT_EQ(text.PositionOf(6), (Position{.line = 2, .character = 1}));
}

TEST(LspTextDocument, AppliesChangesInTheirOrder) {
  TextDocument text("one\ntwo\n");
  ASSERT_TRUE(text.Apply(Json::array({Change(0, 0, 3, "1\n1"), Change(2, 3, 3, "!")})).ok());
  EXPECT_EQ(text.text(), "1\n1\ntwo!\n");
  ASSERT_TRUE(text.Apply(Json::array({Json{{"text", "all"}}, Change(0, 1, 99, "")})).ok());
  EXPECT_EQ(text.text(), "a");
}

TEST(LspTextDocument, RefusesChangesThatAreNone) {
  for (const char* changes : {R"(3)", R"([3])", R"([{"text":1}])", R"([{"range":3,"text":""}])",
                              R"([{"range":{"start":{"line":-1,"character":0},
                                           "end":{"line":0,"character":0}},"text":""}])",
                              R"([{"range":{"start":{"line":0,"character":2},
                                           "end":{"line":0,"character":1}},"text":""}])"}) {
    TextDocument text("words");
    EXPECT_FALSE(text.Apply(*ParseJson(changes)).ok()) << changes;
  }
  TextDocument text("words");
  EXPECT_FALSE(text.Apply(Json::array({{{"text", std::string(kMaxDocumentBytes + 1, 'x')}}})).ok());
}

}  // namespace
}  // namespace sibyl::interface::lsp
