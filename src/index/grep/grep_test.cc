// SPDX-License-Identifier: Apache-2.0
#include "index/grep/grep.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <random>
#include <set>
#include <tuple>

#include "index/test_index.h"

namespace sibyl::index {
namespace {

using Line = std::tuple<std::string, std::uint32_t, std::string>;

std::set<Line> Found(const Searcher& searcher, const Pattern& pattern) {
  const Result<Matches> matches = Grep(searcher, pattern);
  EXPECT_TRUE(matches.ok()) << matches.error().message;
  std::set<Line> lines;
  if (!matches.ok()) return lines;
  for (const MatchedDocument& document : matches->documents) {
    const Segment& segment = searcher.parts()[document.part].part->segment;
    for (const std::string_view path : segment.paths(segment.document(document.document))) {
      for (const MatchedLine& line : document.lines) {
        const PassageRecord& passage = segment.passage(line.passage);
        EXPECT_GE(line.line, passage.first_line);
        EXPECT_LE(line.line, passage.last_line);
        EXPECT_TRUE(lines.emplace(path, line.line, line.text).second);
      }
    }
  }
  return lines;
}

// The reference: every line, one by one.
std::set<Line> LineByLine(const std::vector<std::pair<std::string, std::string>>& files,
                          const std::string& pattern) {
  const RE2 regex(pattern);
  std::set<Line> lines;
  for (const auto& [path, text] : files) {
    std::uint32_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
      ++number;
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      if (RE2::PartialMatch(line, regex)) lines.emplace(path, number, line);
      at = end + 1;
    }
  }
  return lines;
}

class GrepTest : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937 random(7);
    const std::vector<std::string> words = {"cudaGraphLaunch",
                                            "cuda_graph",
                                            "TORCH_CHECK(x.is_cuda())",
                                            "sm_90",
                                            "sm_80a",
                                            "foo",
                                            "foobar",
                                            "int",
                                            "->",
                                            "x = 0;",
                                            "\xC3\xA9t\xC3\xA9",
                                            "Kelvin",
                                            "\xE2\x84\xAA"
                                            "elvin",
                                            "a\tb",
                                            "",
                                            "mma.sync.aligned"};
    for (int file = 0; file < 60; ++file) {
      std::string text;
      for (int line = static_cast<int>(random() % 120); line > 0; --line) {
        for (int word = static_cast<int>(random() % 4); word >= 0; --word) {
          text += words[random() % words.size()] + (random() % 3 == 0 ? "_" : " ");
        }
        text += "\n";
      }
      if (file % 7 == 0) text += "last line without end foo";
      if (file == 11) text += std::string(150, 'q') + "needleInAHaystack" + std::string(400, 'q');
      Add("dir/file" + std::to_string(file), text, BlobOf(static_cast<std::uint32_t>(file)));
    }
    Add("copy/of/file3", files_[3].second, BlobOf(3));
    test_.Build(source_);
  }

  void Add(const std::string& path, const std::string& text, const git::ObjectId& blob) {
    files_.emplace_back(path, text);
    source_.Add({.path = path, .text = text, .language = "text", .passages = {}, .blob = blob});
  }

  std::vector<std::pair<std::string, std::string>> files_;
  MemorySource source_;
  TestIndex test_;
};

TEST_F(GrepTest, FindsTheLinesThatReadingEveryLineFinds) {
  const Index index = test_.Open();
  const Searcher searcher({&index});
  for (const std::string pattern : {"cudaGraphLaunch",
                                    "GraphLaunch",
                                    "Graph",
                                    "foo",
                                    "\\bfoo\\b",
                                    "^foo",
                                    "foo$",
                                    "foo *$",
                                    "sm_[89]0a?",
                                    "TORCH_CHECK\\(.*is_cuda",
                                    "->",
                                    "x = 0;|int foo",
                                    "(?i)KELVIN",
                                    "kelvin",
                                    "\xC3\xA9",
                                    "(?i)\xC3\x89",
                                    "a\\tb",
                                    "a\\sb",
                                    "\\d{2}",
                                    ".",
                                    "^$",
                                    "^",
                                    "[^a-z\\n ]{3}",
                                    "mma\\.sync",
                                    "sync",
                                    "needleInAHaystack",
                                    "q{120}needle",
                                    "Launch_foo",
                                    "foo_?bar",
                                    "nothing like this",
                                    "cuda.*foo|foo.*cuda",
                                    "(cuda)+",
                                    "graph{1}",
                                    "foo\xC3\xA9?",
                                    "foo\xC3\xA9*bar",
                                    "\\x66oo"}) {
    EXPECT_EQ(Found(searcher, {.text = pattern}), LineByLine(files_, pattern)) << pattern;
  }
}

TEST_F(GrepTest, TakesPlainTextAsItIs) {
  const Index index = test_.Open();
  const Searcher searcher({&index});
  EXPECT_EQ(Found(searcher, {.text = "CHECK(x.is", .syntax = PatternSyntax::kLiteral}),
            LineByLine(files_, "CHECK\\(x\\.is"));
  EXPECT_EQ(Found(searcher, {.text = "check(X.IS",
                             .syntax = PatternSyntax::kLiteral,
                             .letter_case = LetterCase::kIgnored}),
            LineByLine(files_, "(?i)check\\(x\\.is"));
}

TEST_F(GrepTest, LooksAtLittleWhenAWordIsRare) {
  const Index index = test_.Open();
  const Searcher searcher({&index});
  const Result<Matches> matches = Grep(searcher, {.text = "needleInAHaystack"});
  ASSERT_TRUE(matches.ok());
  EXPECT_EQ(matches->searched_passages, 1U);
}

TEST_F(GrepTest, StopsAtTheLimitAndSaysSo) {
  const Index index = test_.Open();
  const Searcher searcher({&index});
  const Result<Matches> matches = Grep(searcher, {.text = ".", .max_lines = 5});
  ASSERT_TRUE(matches.ok());
  EXPECT_FALSE(matches->is_complete);
  EXPECT_EQ(matches->line_count, 5U);
}

TEST_F(GrepTest, RefusesWhatIsNoExpression) {
  const Index index = test_.Open();
  const Searcher searcher({&index});
  const Result<Matches> matches = Grep(searcher, {.text = "a(b"});
  ASSERT_FALSE(matches.ok());
  EXPECT_EQ(matches.error().kind, ErrorKind::kUsage);
}

TEST_F(GrepTest, KeepsToTheFilter) {
  const Index index = test_.Open();
  const Searcher searcher({&index});
  Pattern pattern{.text = "foo"};
  pattern.filter.path_globs = {"dir/file5"};
  for (const Line& line : Found(searcher, pattern)) EXPECT_EQ(std::get<0>(line), "dir/file5");
}

}  // namespace
}  // namespace sibyl::index
