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

ExtractedPage Saying(std::string title, std::string text) {
  ExtractedPage document;
  document.title = std::move(title);
  document.text = std::move(text);
  document.words = CountWords(document.text);
  return document;
}

std::string Words(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "word ";
  return text;
}

TEST(PageJudge, SaysWhatGaveItAway) {
  const PageVerdict verdict =
      Judge(Saying("Page not found", "The page you requested may have been moved."));
  EXPECT_EQ(verdict.refusal, Refusal::kErrorPage);
  EXPECT_NE(verdict.reason.find("page you requested"), std::string::npos) << verdict.reason;
  EXPECT_EQ(RefusalName(verdict.refusal), "error-page");
  EXPECT_EQ(RefusalName(Refusal::kNone), "");
}

TEST(PageJudge, ALongPageIsNoWallWhateverItSays) {
  for (const char* said :
       {"Verify you are human.", "The page you requested was not found.", "Please sign in."}) {
    EXPECT_TRUE(Judge(Saying("Manual", said + Words(400))).ok()) << said;
  }
}

TEST(PageJudge, ATitleMustBeginWithTheError) {
  const std::string text = Words(30);
  EXPECT_EQ(Judge(Saying("404 Not Found", text)).refusal, Refusal::kErrorPage);
  EXPECT_EQ(Judge(Saying("Example - Page not found", text)).refusal, Refusal::kErrorPage);
  EXPECT_TRUE(Judge(Saying("How to handle a page not found in nginx", text)).ok());
}

TEST(PageJudge, AShortPageWithAPasswordFieldIsALogin) {
  ExtractedPage document = Saying("Gadget", Words(30));
  EXPECT_TRUE(Judge(document).ok());
  document.signals.has_password_field = true;
  EXPECT_EQ(Judge(document).refusal, Refusal::kLogin);
  document.code_blocks = 1;
  EXPECT_TRUE(Judge(document).ok()) << "documentation of a login form";
}

TEST(PageJudge, AFewWordsAreNoPage) {
  EXPECT_EQ(Judge(Saying("Gadget", "Loading.")).refusal, Refusal::kEmpty);
  ExtractedPage scripted = Saying("Gadget", "Loading.");
  scripted.signals.scripts = 3;
  EXPECT_EQ(Judge(scripted).refusal, Refusal::kShell);
  ExtractedPage moved = Saying("Gadget", "");
  moved.signals.has_refresh = true;
  EXPECT_EQ(Judge(moved).refusal, Refusal::kEmpty);
}

TEST(PageJudge, AClosedPageEndsWithItsTags) {
  EXPECT_TRUE(IsClosed("<html><body><p>x</p></body></html>"));
  EXPECT_TRUE(IsClosed("<HTML><P>x</HTML>\n<!-- served by a -->"));
  EXPECT_FALSE(IsClosed("<html><body><p>x</p><p>half a sen"));
  EXPECT_FALSE(IsClosed(""));
  EXPECT_FALSE(IsClosed("</body></html>" + std::string(100'000, 'x')));
}

TEST(PageJudge, ACaptchaWithLittleElseIsAChallenge) {
  ExtractedPage document = Saying("Gadget", Words(30));
  document.signals.has_challenge = true;
  EXPECT_EQ(Judge(document).refusal, Refusal::kChallenge);
  document.text += Words(200);
  document.words = CountWords(document.text);
  EXPECT_TRUE(Judge(document).ok()) << "a form at the end of a page";
}

TEST(PageJudge, TheTitleOfAChallengeIsEnough) {
  EXPECT_EQ(Judge(Saying("Just a moment...", Words(20))).refusal, Refusal::kChallenge);
  EXPECT_TRUE(Judge(Saying("A moment of inertia", Words(20))).ok());
}

TEST(PageJudge, AConsentWallSaysSeveralPhrases) {
  const std::string wall = "We value your privacy. Accept all cookies or manage your privacy. ";
  EXPECT_EQ(Judge(Saying("News", wall + Words(60))).refusal, Refusal::kConsent);
  EXPECT_TRUE(Judge(Saying("News", "We value your privacy. " + Words(60))).ok()) << "one is a bar";
  EXPECT_TRUE(Judge(Saying("News", wall + Words(400))).ok()) << "and a long page is a page";
}

TEST(PageJudge, AnAppWithoutItsScriptIsAShell) {
  ExtractedPage document = Saying("App", Words(20));
  document.signals.has_app_root = true;
  EXPECT_TRUE(Judge(document).ok());
  document.signals.scripts = 2;
  EXPECT_EQ(Judge(document).refusal, Refusal::kShell);
  document.signals.scripts = 0;
  document.signals.noscript = "You need to enable JavaScript to run this app.";
  EXPECT_EQ(Judge(document).refusal, Refusal::kShell);
}

TEST(PageJudge, AHeadingCanBeTheErrorToo) {
  ExtractedPage document = Saying("Example", Words(30));
  document.headings = {{.line = 1, .level = 1, .title = "404 - Page not found", .anchor = ""}};
  EXPECT_EQ(Judge(document).refusal, Refusal::kErrorPage);
  document.headings[0].level = 3;
  EXPECT_TRUE(Judge(document).ok()) << "a small one is a section";
}

TEST(PageJudge, EachRefusalHasItsName) {
  EXPECT_EQ(RefusalName(Refusal::kEmpty), "empty");
  EXPECT_EQ(RefusalName(Refusal::kShell), "shell");
  EXPECT_EQ(RefusalName(Refusal::kLogin), "login");
  EXPECT_EQ(RefusalName(Refusal::kConsent), "consent");
  EXPECT_EQ(RefusalName(Refusal::kChallenge), "challenge");
}

}  // namespace
}  // namespace sibyl::page
