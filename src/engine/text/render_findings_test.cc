// SPDX-License-Identifier: Apache-2.0
#include "engine/text/render_findings.h"

#include <gtest/gtest.h>

#include "base/line_excerpt.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::engine {
namespace {

const Finding kFinding = {
    .severity = Severity::kWarning,
    .code = "part/no-target",
    .message = "part names no file to write",
    .hint = "a path, such as cuda/16-assembly.md",
    .place = {
        .file = "plans/cuda.md", .line = 14, .column = 7, .text = "- [ ] Create the chapter"}};

TEST(RenderFindings, ShowPlaceSentenceLineCaretAndHint) {
  EXPECT_EQ(RenderFinding(kFinding, {}),
            "plans/cuda.md:14:7: warning: part names no file to write [part/no-target]\n"
            "  - [ ] Create the chapter\n"
            "        ^ a path, such as cuda/16-assembly.md\n");
}

// The code is named after the failure; what holds is not labelled with it.
TEST(RenderFindings, ShowTheVerdictOfWhatDoesNotFail) {
  Finding finding{.severity = Severity::kNote,
                  .code = "code/broken",
                  .message = "it parses",
                  .place = {.file = "a.md", .line = 3},
                  .details = {{"verdict", "supported"}}};
  EXPECT_EQ(RenderFinding(finding, {}), "a.md:3: note: it parses [supported]\n");
  finding.severity = Severity::kError;
  finding.details = {{"verdict", "contradicted"}};
  EXPECT_EQ(RenderFinding(finding, {}), "a.md:3: error: it parses [code/broken]\n");
}

TEST(RenderFindings, PutTheCaretUnderTheFirstWordWhenNoColumnIsKnown) {
  Finding finding = kFinding;
  finding.place.column = 0;
  finding.place.text = "\t  indented";
  EXPECT_EQ(RenderFinding(finding, {}),
            "plans/cuda.md:14: warning: part names no file to write [part/no-target]\n"
            "     indented\n"
            "     ^ a path, such as cuda/16-assembly.md\n");
  finding.hint.clear();
  EXPECT_EQ(RenderFinding(finding, {}),
            "plans/cuda.md:14: warning: part names no file to write [part/no-target]\n"
            "     indented\n")
      << "a caret that points at nothing is left out";
}

TEST(RenderFindings, StandWithoutALineWhenThereIsNone) {
  Finding finding = kFinding;
  finding.place = {.file = "plan.md"};
  EXPECT_EQ(RenderFinding(finding, {}),
            "plan.md: warning: part names no file to write [part/no-target]\n"
            "  a path, such as cuda/16-assembly.md\n");
}

TEST(RenderFindings, KeepTheCaretOnTheScreenWhereverTheColumnIs) {
  const Terminal terminal{.is_terminal = true, .columns = 60};
  Finding finding = kFinding;
  const std::string line(9000, 'x');
  for (const std::size_t column : {1U, 40U, 59U, 60U, 2500U, 5000U, 9000U}) {
    finding.place.column = column;
    finding.place.text = LineExcerpt(line, column);
    const std::string text = RenderFinding(finding, terminal);
    for (const std::string_view line : SplitLines(text)) {
      if (line.starts_with("plans/")) continue;
      EXPECT_LE(DisplayWidth(line), 60U) << "column " << column << ": " << line;
    }
    EXPECT_NE(text.find('^'), std::string::npos);
  }
}

TEST(RenderFindings, LetNoEscapeSequenceThrough) {
  Finding finding = kFinding;
  finding.place.text = "\x1b]0;owned\x07 text";
  finding.place.file = "a\x1b[2J.md";
  finding.message = "bad \x1b[31m";
  finding.hint = "\x9b";
  EXPECT_EQ(RenderFinding(finding, {}).find('\x1b'), std::string::npos);
}

TEST(RenderFindings, PaintOnlyForTerminalsWithColour) {
  EXPECT_EQ(RenderFinding(kFinding, {.is_terminal = true}).find('\x1b'), std::string::npos);
  EXPECT_NE(RenderFinding(kFinding, {.is_terminal = true, .has_colour = true}).find('\x1b'),
            std::string::npos);
}

TEST(RenderFindings, WrapLongSentencesOnTerminalsOnly) {
  Finding finding = kFinding;
  finding.message = "the stage that is shipped has compilers and headers, which nothing in it uses";
  EXPECT_EQ(RenderFinding(finding, {.is_terminal = true, .columns = 60}),
            "plans/cuda.md:14:7: warning: the stage that is shipped has\n"
            "    compilers and headers, which nothing in it uses\n"
            "    [part/no-target]\n"
            "  - [ ] Create the chapter\n"
            "        ^ a path, such as cuda/16-assembly.md\n");
  const std::string coloured =
      RenderFinding(finding, {.is_terminal = true, .has_colour = true, .columns = 60});
  EXPECT_NE(coloured.find("uses\n    \x1b"), std::string::npos);
  EXPECT_EQ(SplitLines(RenderFinding(finding, {})).size(), 3U);
}

TEST(RenderErrors, StartWithTheNameOfTheProgram) {
  EXPECT_EQ(RenderError({.message = "reading x: no", .hint = "try y"}, {}),
            "sibyl: error: reading x: no\n  try y\n");
}

TEST(Summary, CountsBySeverityAndLeavesOutWhatIsNot) {
  EXPECT_EQ(SummariseFindings({}), "nothing to report");
  Finding error = kFinding;
  error.severity = Severity::kError;
  EXPECT_EQ(SummariseFindings({kFinding, error, kFinding}), "1 error, 2 warnings");
}

TEST(RenderFindings, PutTheCaretUnderTheWordOfALongLine) {
  std::string line;
  for (int i = 0; i < 400; ++i) line += "wörd" + std::to_string(i) + " ";
  for (const std::string_view word : {"wörd3 ", "wörd57 ", "wörd58 ", "wörd200 ", "wörd399 "}) {
    Finding finding = kFinding;
    finding.hint.clear();
    finding.place.column = line.find(word) + 1;
    finding.place.text = LineExcerpt(line, finding.place.column);
    for (const Terminal& terminal : {Terminal{}, Terminal{.is_terminal = true, .columns = 300}}) {
      const std::string text = RenderFinding(finding, terminal);
      const std::vector<std::string_view> lines = SplitLines(text);
      ASSERT_EQ(lines.size(), 3U);
      const std::size_t caret = lines[2].find('^');
      std::string_view rest = lines[1];
      for (std::size_t width = 0; width < caret;) {
        const Utf8Character next = DecodeUtf8(rest);
        width += DisplayWidth(next.code_point);
        rest.remove_prefix(next.bytes);
      }
      EXPECT_TRUE(rest.starts_with(word)) << word << ": " << text;
      EXPECT_EQ(lines[1].find("…") != std::string_view::npos, true);
    }
  }
}

}  // namespace
}  // namespace sibyl::engine
