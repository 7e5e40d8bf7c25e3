// SPDX-License-Identifier: Apache-2.0
#include "passages/enclosing.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::passages {
namespace {

std::string Enclosing(std::string_view path, std::string_view text, std::string_view cited) {
  const std::size_t begin = text.find(cited);
  EXPECT_NE(begin, std::string_view::npos);
  return EnclosingText(path, text, begin, begin + cited.size());
}

TEST(Enclosing, HeadingsOfDocumentationInCMake) {
  constexpr std::string_view kText =
      "#[====[.rst:\nget_with_retry\n--------------\n\n``RETRIES``\n  Defaults to 10.\n#]====]\n"
      "function(get_with_retry)\n  set(x 1)\nendfunction()\n";
  EXPECT_NE(Enclosing("a.cmake", kText, "  Defaults to 10.\n").find("get_with_retry"),
            std::string::npos);
  EXPECT_EQ(Enclosing("a.cmake", "#[=[.rst:\nabove\n-----\n#]=]\n\nset(x 1)\n", "set(x 1)\n"), "");
}

TEST(Enclosing, ASectionIsNotInsideTheOneBeforeIt) {
  constexpr std::string_view kRst =
      "Settings\n========\n\nFIRST\n-----\n\nDeep\n~~~~\n\nText.\n\nSECOND\n------\n\nMore.\n";
  EXPECT_EQ(Enclosing("a.rst", kRst, "SECOND\n------\n\nMore.\n"), "Settings\n");
  EXPECT_EQ(Enclosing("a.rst", kRst, "More.\n"), "SECOND\nSettings\n");
  EXPECT_EQ(Enclosing("a.rst", kRst, "Text.\n"), "Deep\nFIRST\nSettings\n");
  constexpr std::string_view kMarkdown = "# Settings\n\n## FIRST\n\nText.\n\n## SECOND\n\nMore.\n";
  EXPECT_EQ(Enclosing("a.md", kMarkdown, "## SECOND\n\nMore.\n"), "# Settings\n");
  EXPECT_EQ(Enclosing("a.md", kMarkdown, "More.\n"), "## SECOND\n# Settings\n");
}

}  // namespace
}  // namespace sibyl::passages
