// SPDX-License-Identifier: Apache-2.0
// The labelled pages of src/page/fixtures: the name says what each is.
#include "page/judge.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/files/files.h"

namespace sibyl::page {
namespace {

namespace fs = std::filesystem;

// "login-plain.html" is a login; "page-about-login.html" is a page.
std::string ExpectedOf(const fs::path& file) {
  const std::string name = file.stem().string();
  for (const std::string_view refusal :
       {"empty", "shell", "error-page", "login", "consent", "challenge"}) {
    if (name.starts_with(refusal)) return std::string(refusal);
  }
  return "";
}

TEST(PageJudge, KnowsEveryPageOfTheLabelledSet) {
  std::size_t pages = 0;
  std::size_t walls = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(SIBYL_SOURCE_DIR) / "src/page/fixtures")) {
    const Result<std::string> html = ReadFile(entry.path());
    ASSERT_TRUE(html.ok());
    const Result<ExtractedPage> document = Extract(*html, "text/html", "https://example.org/a");
    ASSERT_TRUE(document.ok()) << entry.path();
    const PageVerdict verdict = Judge(*document);
    const std::string expected = ExpectedOf(entry.path());
    EXPECT_EQ(RefusalName(verdict.refusal), expected)
        << entry.path().filename() << ": " << verdict.reason << "\n"
        << document->words << " words\n"
        << document->text;
    EXPECT_EQ(verdict.ok(), verdict.reason.empty());
    ++(expected.empty() ? pages : walls);
  }
  EXPECT_GE(pages, 10u);
  EXPECT_GE(walls, 14u);
}

TEST(PageJudge, TakesShortTextsOfOtherForms) {
  EXPECT_TRUE(Judge({.form = Form::kPlain, .text = "404 not found\n", .words = 3}).ok());
  EXPECT_FALSE(Judge({.form = Form::kPlain, .text = "\n", .words = 0}).ok());
}

}  // namespace
}  // namespace sibyl::page
