// SPDX-License-Identifier: Apache-2.0
#include "engine/text/audit_markdown.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "base/terminal.h"

namespace sibyl::engine {
namespace {

Finding In(std::string file, std::size_t line, std::string message) {
  return {.severity = Severity::kError,
          .code = "citation/drifted",
          .message = std::move(message),
          .hint = "nearest: a.cc:9",
          .place = {.file = std::move(file), .line = line}};
}

Outcome RepositoryOutcome(std::vector<Finding> findings) {
  Outcome outcome;
  outcome.findings = std::move(findings);
  outcome.data = {{"repository", "."},
                  {"files", Json::array({{{"file", "a.md"}}, {{"file", "b.md"}}})},
                  {"code_counts",
                   {{"holds", 5},
                    {"drifted", 3},
                    {"wrong", 0},
                    {"missing", 0},
                    {"out-of-range", 0},
                    {"undecided", 1}}},
                  {"counts", Json::object()},
                  {"correctable", 2},
                  {"corrected", 0}};
  return outcome;
}

TEST(AuditMarkdown, HasATableAndTheWorstDocumentFirst) {
  const std::string text = SummariseAuditInMarkdown(RepositoryOutcome(
      {In("a.md", 3, "moved `f`"), In("b.md", 1, "moved"), In("b.md", 2, "moved")}));
  EXPECT_EQ(text, R"(## sibyl audit: 3 failures in 2 of 2 documents

| code citations | hold | drifted | wrong | missing | out of range | undecided |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 9 | 5 | 3 | 0 | 0 | 0 | 1 |

### `b.md`: 2 failures

- line 1: citation/drifted: `moved`; `nearest: a.cc:9`
- line 2: citation/drifted: `moved`; `nearest: a.cc:9`

### `a.md`: 1 failure

- line 3: citation/drifted: `` moved `f` ``; `nearest: a.cc:9`

`sibyl audit --fix` corrects 2 code citations.
)");
}

TEST(AuditMarkdown, SaysSoIfNothingFails) {
  EXPECT_TRUE(SummariseAuditInMarkdown(RepositoryOutcome({}))
                  .starts_with("## sibyl audit: no failures in 2 documents\n"));
}

TEST(AuditMarkdown, FitsIntoACommentAndCountsTheRest) {
  std::vector<Finding> many;
  for (std::size_t i = 1; i <= 5000; ++i) many.push_back(In(fmt::format("{}.md", i / 9), i, "x"));
  const std::string text = SummariseAuditInMarkdown(RepositoryOutcome(many));
  EXPECT_LT(text.size(), 61'000U);
  EXPECT_TRUE(Contains(text, " more findings not shown.\n"));
}

TEST(AuditMarkdown, QuotesForeignTextInCodeSpansThatItCannotEnd) {
  EXPECT_EQ(CodeSpan("plain"), "`plain`");
  EXPECT_EQ(CodeSpan("a `b` c"), "``a `b` c``");
  EXPECT_EQ(CodeSpan("`b`"), "`` `b` ``");
  EXPECT_EQ(CodeSpan("`` ``` `"), "```` `` ``` ` ````");
  EXPECT_EQ(CodeSpan(""), "(empty)");
  const std::string evil = "x\n\n# @someone <img src=http://evil.example/i.png>\r\n\x1b[2J\x01";
  const std::string span = CodeSpan(evil);
  EXPECT_EQ(Harmless(span), span);
  EXPECT_EQ(span.find('\n'), std::string::npos);
  const std::string text = SummariseAuditInMarkdown(RepositoryOutcome({In(evil, 1, evil)}));
  for (const std::string_view line : SplitLines(text)) {
    const std::size_t at = line.find("@someone");
    if (at != std::string_view::npos) {
      EXPECT_LT(line.find('`'), at) << line;
    }
  }
}

}  // namespace
}  // namespace sibyl::engine
