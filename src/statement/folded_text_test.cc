// SPDX-License-Identifier: Apache-2.0
#include "statement/folded_text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace sibyl::statement {
namespace {

std::string Fold(std::string_view text, Folding folding = Folding::kSpace) {
  return FoldedText(text, folding).text();
}

TEST(FoldedText, ProseHasOneBlankForAnyWhiteSpace) {
  EXPECT_EQ(Fold("  a \t b\r\n\r\nc  "), "a b c");
  EXPECT_EQ(Fold("a\u00A0b\u2009c"), "a b c") << "blanks that do not break";
  EXPECT_EQ(Fold(""), "");
  EXPECT_EQ(Fold(" \n\t\n"), "");
}

TEST(FoldedText, ProseHasAsciiForTypographicMarks) {
  EXPECT_EQ(Fold("“a” ‘b’ «c» – d — e…"), "\"a\" 'b' \"c\" - d - e...");
  EXPECT_EQ(Fold("a--b---c"), "a-b-c");
  EXPECT_EQ(Fold("a - - b"), "a - - b") << "two dashes with a blank between";
  EXPECT_EQ(Fold("soft\u00ADhyphen zero\u200Bwidth"), "softhyphen zerowidth");
}

TEST(FoldedText, KeepsWordsOfEveryScriptAndBytesThatAreNone) {
  EXPECT_EQ(Fold("Größe 队列"), "Größe 队列");
  EXPECT_EQ(Fold("a \xFF b"), "a \xFF b");
}

TEST(FoldedText, MarksLeaveOutCommentsAndMarkup) {
  EXPECT_EQ(Fold("// one\n// two", Folding::kMarks), "one two");
  EXPECT_EQ(Fold("/** one\n * two */", Folding::kMarks), "one two");
  EXPECT_EQ(Fold("# one\n> two\n- three", Folding::kMarks), "one two three");
  EXPECT_EQ(Fold("a **b** `c` [d](http://x/y) e", Folding::kMarks), "a b c d e");
  EXPECT_EQ(Fold("set :variable:`X` to ``y``", Folding::kMarks), "set X to y");
  EXPECT_EQ(Fold("a \\* b", Folding::kMarks), "a b");
}

TEST(FoldedText, MarksKeepWhatOnlyLooksLikeMarkup) {
  EXPECT_EQ(Fold("at 12:30: go", Folding::kMarks), "at 12:30: go");
  EXPECT_EQ(Fold("a ](never ends", Folding::kMarks), "a (never ends");
}

TEST(FoldedText, CodeHasBlanksOnlyBetweenWords) {
  EXPECT_EQ(Fold("int  f( int a ) ;\n  return a;", Folding::kCode), "int f(int a);return a;");
  EXPECT_EQ(Fold("a + b", Folding::kCode), "a+b");
  EXPECT_EQ(Fold("“a”", Folding::kCode), "“a”") << "code is not typeset";
}

TEST(FoldedText, PlainCodeLeavesOutLinesThatAreOnlyAComment) {
  EXPECT_EQ(Fold("# c\nset(A 1)\n// d\n#include <x>", Folding::kPlainCode), "set(A 1)#include<x>");
  EXPECT_EQ(Fold("a; // c", Folding::kPlainCode), "a;//c") << "a comment behind code stays";
}

TEST(FoldedText, FindsAPieceByWholeWords) {
  const FoldedText text("a looking glass, a look", Folding::kSpace);
  EXPECT_EQ(text.Find("look"), 19U);
  EXPECT_EQ(text.Find("glass, a"), 10U);
  EXPECT_EQ(text.Find("ooking"), std::nullopt);
  EXPECT_EQ(text.Find("a", 1), 17U) << "at or after";
  EXPECT_EQ(text.Find("a", 18), std::nullopt);
  EXPECT_EQ(text.Find(", a"), 15U) << "a piece that begins with no word";
}

TEST(FoldedText, FindsNothingInNothing) {
  EXPECT_EQ(FoldedText("", Folding::kSpace).Find("a"), std::nullopt);
  EXPECT_EQ(FoldedText("a", Folding::kSpace).Find(""), std::nullopt);
  EXPECT_EQ(FoldedText("a", Folding::kSpace).Find("a longer piece"), std::nullopt);
  EXPECT_EQ(FoldedText("a", Folding::kSpace).Find("a", 100), std::nullopt);
}

TEST(FoldedText, KnowsTheLineOfAByte) {
  const FoldedText text("one\n\n  two\nthree\n", Folding::kSpace);
  EXPECT_EQ(text.LineAt(*text.Find("one")), 1U);
  EXPECT_EQ(text.LineAt(*text.Find("two")), 3U);
  EXPECT_EQ(text.LineAt(*text.Find("three")), 4U);
}

TEST(FoldedText, EveryWordIsFoundOnItsOwnLine) {
  EXPECT_TRUE(rc::check([] {
    const auto blanks = *rc::gen::container<std::vector<std::string>>(
        8, rc::gen::element<std::string>("\n", "\n\n", "\r\n", "\n \t\n", "\n  "));
    std::string source;
    std::vector<std::size_t> lines;
    std::size_t line = 1;
    for (std::size_t i = 0; i < blanks.size(); ++i) {
      source += "word" + std::to_string(i);
      lines.push_back(line);
      source += blanks[i];
      for (const char c : blanks[i]) line += c == '\n' ? 1 : 0;
    }
    for (const Folding folding : {Folding::kSpace, Folding::kCode}) {
      const FoldedText text(source, folding);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto at = text.Find("word" + std::to_string(i));
        RC_ASSERT(at.has_value());
        RC_ASSERT(text.LineAt(*at) == lines[i]);
      }
    }
  }));
}

TEST(FoldedText, FoldingTwiceIsFoldingOnce) {
  EXPECT_TRUE(rc::check([] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "a", "B", " ", "\n", "\t", "-", "—", "…", "“", "\u00A0", "é", "\xFF", ".", "(", "\r\n"));
    std::string text;
    for (const std::string& piece : pieces) text += piece;
    for (const Folding folding : {Folding::kSpace, Folding::kCode}) {
      const std::string once = Fold(text, folding);
      RC_ASSERT(Fold(once, folding) == once);
    }
  }));
}

TEST(FoldedText, WhiteSpaceNeverMatters) {
  EXPECT_TRUE(rc::check([] {
    const auto words = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("one", "two", "f(x)", "=", "1.5"));
    std::string plain;
    std::string spread;
    for (const std::string& word : words) {
      plain += word + " ";
      spread += word + *rc::gen::element<std::string>(" ", "\n", "\t  ", "\r\n\r\n");
    }
    for (const Folding folding : {Folding::kSpace, Folding::kMarks, Folding::kCode}) {
      RC_ASSERT(Fold(spread, folding) == Fold(plain, folding));
    }
  }));
}

TEST(IsCommentLine, KnowsTheLanguagesWeMeet) {
  for (const char* line : {"// a", "/* a", " * a", "*", "*/", "# a", "#a", "<!-- a", "-- a", "; a",
                           "% a", "\"\"\"doc"}) {
    EXPECT_TRUE(IsCommentLine(line)) << line;
  }
  for (const char* line : {"", "a // b", "*p = 1;", "#include <a>", "#if A", "#pragma once",
                           "#endif", "a # b", "-x"}) {
    EXPECT_FALSE(IsCommentLine(line)) << line;
  }
}

TEST(IsEllipsisLine, StandsForLinesThatAreLeftOut) {
  for (const char* line : {"...", "…", "# ...", "// [...]", "/* … */", "  ....", "<!-- ... -->"}) {
    EXPECT_TRUE(IsEllipsisLine(line)) << line;
  }
  for (const char* line : {"", "..", "a ...", "f(...)x", "# two words ..."}) {
    EXPECT_FALSE(IsEllipsisLine(line)) << line;
  }
}

TEST(IsWordByte, IsALetterADigitAnUnderscoreOrBeyondAscii) {
  for (const char c : {'a', 'Z', '0', '_', '\xC3'}) EXPECT_TRUE(IsWordByte(c)) << c;
  for (const char c : {' ', '-', '.', '\n', '\0', '('}) EXPECT_FALSE(IsWordByte(c)) << c;
}

}  // namespace
}  // namespace sibyl::statement
