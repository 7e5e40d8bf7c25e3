// SPDX-License-Identifier: Apache-2.0
#include "statement/statement.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"

namespace sibyl::statement {
namespace {

Statements Read(std::string_view source) {
  Result<Statements> statements = ReadStatements(source);
  EXPECT_TRUE(statements.ok());
  return statements.ok() ? *std::move(statements) : Statements{};
}

std::vector<std::string> Texts(const Statements& statements) {
  std::vector<std::string> texts;
  for (const Statement& statement : statements.all) texts.push_back(statement.text);
  return texts;
}

TEST(Statements, AreSentencesItemsCellsCodeAndQuotations) {
  const Statements read = Read(
      "# Title\n\nOne. Two `a.b` three.\n\n- item\n\n> said\n\n"
      "| h | k |\n| --- | --- |\n| x | y |\n\n```sh\nls\n```\n");
  EXPECT_EQ(Texts(read), (std::vector<std::string>{"Title", "One.", " Two a.b three.", "item",
                                                   "said", "h", "k", "x", "y", "ls\n"}));
  EXPECT_EQ(read.all[4].kind, StatementKind::kQuote);
  EXPECT_EQ(read.all[8].context, (std::vector<std::string>{"k", "x"}));
  EXPECT_EQ(read.all[9].info, "sh");
}

TEST(Statements, DoNotEndAtAbbreviationsVersionsOrInsideCode) {
  const Statements read =
      Read("Use e.g. CUDA 12.4 or `a. B` here, i.e. Debian. Then 3 of 4 v. Many. 1.5 GB stay.\n");
  EXPECT_EQ(Texts(read), (std::vector<std::string>{"Use e.g. CUDA 12.4 or a. B here, i.e. Debian.",
                                                   " Then 3 of 4 v. Many.", " 1.5 GB stay."}));
}

TEST(Statements, KeepTheirCitationsAlsoBehindTheFullStop) {
  const Statements read = Read("First.[^1] Second[^2].\n\n[^1]: a\n[^2]: b\n[^3]: c\n");
  ASSERT_EQ(read.all.size(), 2U);
  EXPECT_EQ(read.all[0].citations, (std::vector<std::string>{"1"}));
  EXPECT_EQ(read.all[1].citations, (std::vector<std::string>{"2"}));
  EXPECT_EQ(read.footnotes.at("1").uses, 1U);
  EXPECT_EQ(read.footnotes.at("3").uses, 0U);
  EXPECT_EQ(read.footnotes.at("3").line_number, 5U);
}

TEST(Statements, GiveAMarkBelowACodeBlockToTheBlock) {
  const Statements read = Read("```c\nint x;\n```\n[^1] More[^2].\n\n[^1]: a\n[^2]: b\n");
  ASSERT_EQ(read.all.size(), 2U);
  EXPECT_EQ(read.all[0].citations, (std::vector<std::string>{"1"}));
  EXPECT_EQ(read.all[1].citations, (std::vector<std::string>{"2"}));
}

TEST(Statements, KnowWhereTheirBytesStand) {
  const std::string source =
      "Say `cudaMalloc` twice. And *also* `nvcc`.\n\n- x\n  ```\n  y z\n  ```\n";
  const Statements read = Read(source);
  const Statement& second = read.all[1];
  const std::size_t at = second.text.find("nvcc");
  EXPECT_EQ(source.substr(SourceOffset(second, at), 4), "nvcc");
  EXPECT_TRUE(IsCodeAt(second, at));
  EXPECT_FALSE(IsCodeAt(second, second.text.find("also")));
  EXPECT_EQ(second.span.first_column, source.find("And") + 1);
  const Statement& code = read.all.back();
  EXPECT_EQ(source.substr(SourceOffset(code, code.text.find('z')), 1), "z");
}

TEST(Statements, KnowTheirHeadings) {
  const Statements read = Read("# A\n## B\nx\n## C\ny\n");
  EXPECT_EQ(read.headings[read.all[2].heading].text, "B");
  EXPECT_EQ(read.headings[read.headings[read.all.back().heading].parent].text, "A");
}

TEST(Statements, OfNothingAreNone) {
  for (const std::string_view text : {"", "\n", "\r\n\r\n", " \t ", "<!-- only a comment -->\n",
                                      "---\n", "[link]: https://example.org\n"}) {
    const Statements read = Read(text);
    EXPECT_TRUE(read.all.empty()) << text;
    ASSERT_EQ(read.headings.size(), 1U) << "the first stands for none";
  }
}

TEST(Statements, AreTheSameWithOtherLineEnds) {
  const std::string text =
      "# Title\n\nOne `a`. Two.[^1]\n\n- item\n\n> said\n\n| h |\n| - |\n| x |\n\n"
      "[^1]: where\n";
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(Texts(Read(crlf)), Texts(Read(text)));
  EXPECT_EQ(Read(crlf).footnotes.at("1").line, "[^1]: where");
}

TEST(Statements, ShowLinksByTheirTextAndKeepTheirAddress) {
  const Statements read =
      Read("See [the page](a/b.md#x) and ![a picture](p.png). Then ![](q.png).\n");
  ASSERT_EQ(read.all.size(), 2U);
  EXPECT_EQ(read.all[0].text, "See the page and a picture.");
  ASSERT_EQ(read.all[0].links.size(), 2U);
  EXPECT_EQ(read.all[0].links[0].url, "a/b.md#x");
  EXPECT_EQ(read.all[0].links[0].text, "the page");
  EXPECT_FALSE(read.all[0].links[0].is_image);
  EXPECT_TRUE(read.all[0].links[1].is_image);
  ASSERT_EQ(read.all[1].links.size(), 1U);
  EXPECT_EQ(read.all[1].links[0].text, "");
}

TEST(Statements, HaveNoHtmlAndNoMarks) {
  EXPECT_EQ(Texts(Read("A <b>bold</b> word<br/>and *another*.[^1]\n\n[^1]: x\n")),
            std::vector<std::string>{"A bold wordand another."});
}

TEST(Statements, ReadEntitiesAndEscapesAsAReaderDoes) {
  const std::string source = "AT&amp;T \\*not bold\\* here.\n";
  const Statements read = Read(source);
  ASSERT_EQ(read.all.size(), 1U);
  EXPECT_EQ(read.all[0].text, "AT&T *not bold* here.");
  const TextRun* run = RunAt(read.all[0], read.all[0].text.find("here"));
  ASSERT_NE(run, nullptr);
  EXPECT_FALSE(run->is_exact);
  EXPECT_EQ(SourceOffset(read.all[0], read.all[0].text.find("here")), run->source_begin)
      << "nothing better than the beginning of its run";
}

TEST(Statements, CodeTicksOverTwoLinesAreExactOnlyWhereTheBytesAre) {
  const Statements same = Read("`a\nb` x\n");
  EXPECT_TRUE(same.all[0].runs[0].is_exact);
  EXPECT_EQ(SourceOffset(same.all[0], 2), 3U);
  for (const char* text : {"- `a\n  b` x\n", "`a\r\nb` x\r\n"}) {
    EXPECT_FALSE(Read(text).all[0].runs[0].is_exact) << text;
  }
}

TEST(Statements, OfOneParagraphItemOrRowShareAGroup) {
  const Statements read =
      Read("One. Two.\n\nThree.\n\n- a\n- b\n\n| h | k |\n| - | - |\n| x | y |\n");
  const auto group = [&](std::string_view text) {
    for (const Statement& statement : read.all) {
      if (statement.text.find(text) != std::string::npos) return statement.group;
    }
    return std::uint32_t{0};
  };
  EXPECT_EQ(group("One"), group("Two"));
  EXPECT_NE(group("Two"), group("Three"));
  EXPECT_NE(group("a"), group("b"));
  EXPECT_EQ(group("x"), group("y"));
}

TEST(Statements, OfNestedListsAreItems) {
  const Statements read = Read("- a\n  - b\n    1. c\n\n      d\n");
  EXPECT_EQ(Texts(read), (std::vector<std::string>{"a", "b", "c", "d"}));
  for (const Statement& statement : read.all) EXPECT_EQ(statement.kind, StatementKind::kItem);
}

TEST(Statements, OfAQuoteAreOneForEachParagraph) {
  const Statements read = Read("> One. Two.\n> Three.[^1]\n>\n> Four.\n\n[^1]: x\n");
  ASSERT_EQ(read.all.size(), 2U);
  EXPECT_EQ(read.all[0].text, "One. Two. Three.");
  EXPECT_EQ(read.all[0].citations, std::vector<std::string>{"1"});
  EXPECT_EQ(read.all[1].kind, StatementKind::kQuote);
}

TEST(Statements, OfATableKnowColumnAndRow) {
  const Statements read =
      Read("| chip | memory |\n| --- | --- |\n| A | 80 GB[^1] |\n| B | |\n\n[^1]: x\n");
  ASSERT_EQ(read.all.size(), 5U) << "an empty cell says nothing";
  EXPECT_EQ(read.all[0].kind, StatementKind::kColumn);
  const Statement& cell = read.all[3];
  EXPECT_EQ(cell.text, "80 GB");
  EXPECT_EQ(cell.context, (std::vector<std::string>{"memory", "A"}));
  EXPECT_EQ(cell.citations, std::vector<std::string>{"1"});
}

TEST(Statements, KeepTheBeginningOfALongHeaderAlone) {
  const std::string wide(2'000, 'h');
  const Statements read = Read("| " + wide + " | b |\n| - | - |\n| " + wide + " | y |\n");
  const Statement& last = read.all.back();
  EXPECT_EQ(last.context[1].size(), 512U);
  EXPECT_EQ(read.all[2].text.size(), 2'000U) << "the cell itself is whole";
}

TEST(Statements, OfCodeHaveItsLinesAndAllOfItsInfo) {
  const Statements read =
      Read("```cpp title=\"a.cc\" {1,2}\nint a;\n\nint b;\n```\n\n    indented\n");
  ASSERT_EQ(read.all.size(), 2U);
  EXPECT_EQ(read.all[0].text, "int a;\n\nint b;\n");
  EXPECT_EQ(read.all[0].info, "cpp title=\"a.cc\" {1,2}");
  EXPECT_EQ(read.all[1].text, "indented\n");
  EXPECT_EQ(read.all[1].info, "");
  EXPECT_FALSE(read.all[0].IsProse());
}

TEST(Statements, AFenceThatNeverEndsIsCodeToTheEnd) {
  const Statements read = Read("```sh\nls\nText.\n");
  ASSERT_EQ(read.all.size(), 1U);
  EXPECT_EQ(read.all[0].text, "ls\nText.\n");
}

TEST(Statements, EndSentencesAtQuestionsAndExclamationsToo) {
  EXPECT_EQ(Texts(Read("Really? Yes! Good. see below.\n")),
            (std::vector<std::string>{"Really?", " Yes!", " Good. see below."}))
      << "what goes on in lower case is not over";
}

TEST(Statements, SplitTextOfOtherScripts) {
  EXPECT_EQ(Texts(Read("Größe ist 3. Über alles. 队列 有 64 项.\n")),
            (std::vector<std::string>{"Größe ist 3.", " Über alles.", " 队列 有 64 项."}));
}

TEST(Statements, KnowUnusedAndMissingFootnotes) {
  const Statements read = Read("Used[^a], twice[^a], missing[^b].\n\n[^a]: one\n[^c]: two\n");
  EXPECT_EQ(read.footnotes.at("a").uses, 2U);
  EXPECT_EQ(read.footnotes.at("c").uses, 0U);
  EXPECT_FALSE(read.footnotes.contains("b"));
}

TEST(Statements, AreReadWhateverTheNesting) {
  std::string deep;
  for (int i = 0; i < 500; ++i) deep += "> ";
  deep += "text\n";
  for (int i = 0; i < 200; ++i) deep += std::string(static_cast<std::size_t>(i) * 2, ' ') + "- x\n";
  const Result<Statements> read = ReadStatements(deep);
  EXPECT_TRUE(read.ok() || !read.error().message.empty());
}

TEST(StatementsProperty, ATextThatIsExtendedNeverLosesStatements) {
  static const std::vector<std::string> kBlocks = {
      "# Heading\n\n",   "One. Two `a.b`.\n\n",      "- item\n- other\n\n",
      "> said\n\n",      "```sh\nls\n```\n\n",       "| h | k |\n| - | - |\n| x | y |\n\n",
      "Größe 队列.\n\n", "A [link](b.md) here.\n\n", "1. first\n2. second\n\n"};
  EXPECT_TRUE(rc::check([] {
    const auto blocks = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kBlocks));
    std::string text;
    std::size_t before = 0;
    for (const std::string& block : blocks) {
      text += block;
      const auto read = ReadStatements(text);
      RC_ASSERT(read.ok());
      RC_ASSERT(read->all.size() > before);
      before = read->all.size();
    }
  }));
}

TEST(StatementsProperty, EveryExactByteIsInTheSourceWhereItSays) {
  EXPECT_TRUE(rc::check([] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "word ", "`code` ", "**bold** ", "[link](x) ", "&amp; ", "\\* ", ". Next ", "\n", "\n\n",
        "- ", "> ", "# ", "| a | b |\n| - | - |\n", "```\n", "ü", "\r\n", "[^1] ", "    ", "\xFF"));
    std::string source;
    for (const std::string& piece : pieces) source += piece;
    const auto read = ReadStatements(source);
    RC_PRE(read.ok());
    for (const Statement& statement : read->all) {
      std::size_t end = 0;
      for (const TextRun& run : statement.runs) {
        RC_ASSERT(run.begin >= end);
        RC_ASSERT(run.begin <= run.end);
        RC_ASSERT(run.end <= statement.text.size());
        end = run.end;
        if (!run.is_exact) continue;
        std::string bytes = source.substr(run.source_begin, run.end - run.begin);
        // Inside of code ticks a line break is shown as a blank.
        if (statement.IsProse()) std::replace(bytes.begin(), bytes.end(), '\n', ' ');
        RC_ASSERT(bytes == statement.text.substr(run.begin, run.end - run.begin));
      }
      RC_ASSERT(statement.heading < read->headings.size());
      RC_ASSERT(SourceOffset(statement, 0) <= source.size());
    }
    RC_ASSERT(std::is_sorted(read->line_starts.begin(), read->line_starts.end()));
  }));
}

TEST(Statement, ANoteIsProseAndAQuotationIsNot) {
  const auto note = ReadStatements("> [!NOTE]\n> It is fast. It is small.\n");
  ASSERT_EQ(note->all.size(), 2U);
  EXPECT_EQ(note->all[0].kind, StatementKind::kSentence);
  EXPECT_EQ(Trim(note->all[0].text), "It is fast.");
  EXPECT_EQ(Trim(note->all[1].text), "It is small.");
  const auto quote = ReadStatements("> [!NOTED] It is fast.\n");
  ASSERT_EQ(quote->all.size(), 1U);
  EXPECT_EQ(quote->all[0].kind, StatementKind::kQuote);
}

TEST(Statements, ANoteWithALabelIsNoQuotation) {
  const auto note = ReadStatements("> **Note:** It is fast.\n");
  ASSERT_TRUE(note.ok());
  EXPECT_NE(note->all.front().kind, StatementKind::kQuote);
  const auto quote = ReadStatements("> **Fast:** it is.\n");
  EXPECT_EQ(quote->all.front().kind, StatementKind::kQuote);
}

}  // namespace
}  // namespace sibyl::statement
