// SPDX-License-Identifier: Apache-2.0
#include "statement/sentences.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/strings.h"

namespace sibyl::statement {
namespace {

using Strings = std::vector<std::string>;

// "text [1]" with the labels of its citations; a clause begins with "+".
Strings Split(const std::string& source) {
  Strings found;
  const Statements read = *ReadStatements(source + "\n\n[^1]: a\n[^2]: b\n");
  for (const Statement& statement : read.all) {
    std::string text = (statement.is_clause ? "+" : "") + std::string(Trim(statement.text));
    for (const std::string& label : statement.citations) text += " [" + label + "]";
    found.push_back(text);
  }
  return found;
}

TEST(Sentences, AClauseAfterAMarkIsItsOwnStatement) {
  EXPECT_EQ(Split("`x` is 4[^1]; it is the fastest."),
            (Strings{"x is 4; [1]", "+it is the fastest."}));
  EXPECT_EQ(Split("x is 4[^1] — and it is the fastest."),
            (Strings{"x is 4 [1]", "+— and it is the fastest."}));
  EXPECT_EQ(Split("x is 4[^1]; y is 5[^2]."), (Strings{"x is 4; [1]", "+y is 5. [2]"}));
}

TEST(Sentences, AClauseBeforeTheMarkBelongsToIt) {
  EXPECT_EQ(Split("x is 4; it is small — so far.[^1]"),
            Strings{"x is 4; it is small — so far. [1]"});
  EXPECT_EQ(Split("x is well-known[^1] and 3-4 long."),
            Strings{"x is well-known and 3-4 long. [1]"});
}

TEST(Sentences, DoNotEndInsideAQuotation) {
  EXPECT_EQ(Split("It throws \"Is it set? See the log.\" at once.[^1] Then it ends.[^2]"),
            (Strings{"It throws \"Is it set? See the log.\" at once. [1]", "Then it ends. [2]"}));
  EXPECT_EQ(Split("It says \"Is it set?\" Then it ends.[^1]"),
            (Strings{"It says \"Is it set?\"", "Then it ends. [1]"}));
  EXPECT_EQ(Split("A 4\" disk is full. A 5\" one is not.[^1]"),
            (Strings{"A 4\" disk is full.", "A 5\" one is not. [1]"}));
  EXPECT_EQ(Split("The \"first.[^1] It is the \"second.[^2]"),
            (Strings{"The \"first. [1]", "It is the \"second. [2]"}));
}

TEST(Sentences, AListOfPlacesIsOneStatement) {
  EXPECT_EQ(Split("See also: a `b` 1-2[^1]; c `d` 3-4[^2]"),
            Strings{"See also: a b 1-2; c d 3-4 [1] [2]"});
}

TEST(Sentences, EndAfterAnAbbreviationWhereANewOneBegins) {
  EXPECT_EQ(Split("It has a, b, etc. The rest is fast."),
            (Strings{"It has a, b, etc.", "The rest is fast."}));
  EXPECT_EQ(Split("It has a, b, etc. and more."), Strings{"It has a, b, etc. and more."});
  EXPECT_EQ(Split("The answer is no. Next, see fig. 3 of it."),
            (Strings{"The answer is no.", "Next, see fig. 3 of it."}));
  EXPECT_EQ(Split("This is plan B. The cache is fast."),
            (Strings{"This is plan B.", "The cache is fast."}));
}

TEST(Sentences, EndBeforeANameInCodeFontAndAfterAClosingMark) {
  EXPECT_EQ(Split("It is small. `foo` is fast."), (Strings{"It is small.", "foo is fast."}));
  EXPECT_EQ(Split("It is small (so far.) It is fast."),
            (Strings{"It is small (so far.)", "It is fast."}));
}

TEST(Sentences, EndAtAMarkWhateverFollows) {
  EXPECT_EQ(Split("x is 4.[^1] it is the fastest."),
            (Strings{"x is 4. [1]", "it is the fastest."}));
  EXPECT_EQ(Split("x is 4[^1] The queue is fast."), (Strings{"x is 4 [1]", "The queue is fast."}));
  EXPECT_EQ(Split("x is 4[^1]  \nnever slow."), (Strings{"x is 4 [1]", "never slow."}));
}

TEST(Sentences, AreCitedByAllMarksAtTheirEnd) {
  EXPECT_EQ(Split("x is 4.[^1] [^2] The queue is fast."),
            (Strings{"x is 4. [1] [2]", "The queue is fast."}));
  EXPECT_EQ(Split("x is 4.[^1]\n[^2] Then y is 5."), (Strings{"x is 4. [1] [2]", "Then y is 5."}));
}

TEST(Sentences, OfChineseNeedNoBlank) {
  EXPECT_EQ(Split("队列很快。队列很小。"), (Strings{"队列很快。", "队列很小。"}));
}

TEST(Sentences, ASecondDefinitionOfATermIsItsOwnStatement) {
  EXPECT_EQ(Split("Term\n: one[^1]\n: two words more"),
            (Strings{"Term : one [1]", ": two words more"}));
  EXPECT_EQ(Split("Term\n: one[^1]"), Strings{"Term : one [1]"});
}

}  // namespace
}  // namespace sibyl::statement
