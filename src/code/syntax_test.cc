// SPDX-License-Identifier: Apache-2.0
#include "code/syntax.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>

namespace sibyl::code {
namespace {

using Finder = std::optional<SyntaxMistake> (*)(std::string_view);

// With the extent that each takes by default.
std::optional<SyntaxMistake> CMakeMistake(std::string_view code) { return FindCMakeMistake(code); }
std::optional<SyntaxMistake> DockerfileMistake(std::string_view code) {
  return FindDockerfileMistake(code);
}
std::optional<SyntaxMistake> CMistake(std::string_view code) { return FindCMistake(code); }
std::optional<SyntaxMistake> JsonMistake(std::string_view code) { return FindJsonMistake(code); }

// "3: message", or "" for none.
std::string Said(Finder find, std::string_view code) {
  const std::optional<SyntaxMistake> mistake = find(code);
  return mistake ? std::to_string(mistake->line) + ": " + mistake->message : "";
}

TEST(CMakeMistake, IsToldInWords) {
  for (const auto& [code, said] :
       {std::pair{"cmake -DX=1 ..\n", "1: not a CMake command: 'cmake -DX=1 ..'"},
        std::pair{"set(A 1) set(B 2)\n", "1: unexpected text after set(...)"},
        std::pair{"project(x)\n\nset(A\n", "3: set( is not closed"},
        std::pair{"if(A)\n\nforeach(b)\nendif()\n", "4: endif() closes the foreach() of line 3"},
        std::pair{"project(x)\nendmacro()\n", "2: endmacro() without macro()"},
        std::pair{"project(x)\nwhile(A)\n", "2: while() is not closed"}}) {
    EXPECT_EQ(Said(CMakeMistake, code), said);
  }
}

TEST(CMakeMistake, OfALongLineShowsItsBeginning) {
  const std::string said = Said(CMakeMistake, std::string(200, '-') + "\n");
  EXPECT_EQ(said, "1: not a CMake command: '" + std::string(40, '-') + "'");
}

TEST(CMakeMistake, NamesOfCommandsAreInAnyCase) {
  EXPECT_EQ(Said(CMakeMistake, "PROJECT(x)\nIF (A)\nEndIf ()\n"), "");
  EXPECT_EQ(Said(CMakeMistake, "Project(x)\nIF(A)\n"), "2: if() is not closed");
}

TEST(CMakeMistake, TheLineIsRightAfterStringsBracketsAndComments) {
  EXPECT_EQ(Said(CMakeMistake, "set(A \"1\n2\")\n#[[\n\n]]\nset(B [=[\n\n]=])\nnonsense\n"),
            "9: not a CMake command: 'nonsense'");
}

TEST(CMakeMistake, WindowsLineEndsAreLineEnds) {
  EXPECT_EQ(Said(CMakeMistake, "project(x)\r\nset(A 1)\r\nnonsense\r\n"),
            "3: not a CMake command: 'nonsense'");
}

TEST(CMakeMistake, AFragmentMayBeginOrEndAnywhereBetweenCommands) {
  for (const char* code :
       {"else()\n  set(A 1)\nendif()\n", "function(f a)\n", "set(A \"not ended\n",
        "message([==[ not ended\n", "#[[ not ended\n", "set(A b\\", "\n\n"}) {
    EXPECT_EQ(Said(CMakeMistake, code), "") << code;
  }
}

TEST(DockerfileMistake, IsToldWithTheNearestInstruction) {
  EXPECT_EQ(Said(DockerfileMistake, "FROM a\n\n# why\nRUNN x\n"),
            "4: 'RUNN' is not an instruction; did you mean RUN?");
  EXPECT_EQ(Said(DockerfileMistake, "FROM a\nzzzzzzzz x\n"), "2: 'zzzzzzzz' is not an instruction");
}

TEST(DockerfileMistake, OfSeveralIsTheFirst) {
  EXPECT_EQ(Said(DockerfileMistake, "FRM a\nRUN x\nCOPPY a b\n").substr(0, 8), "1: 'FRM'");
}

TEST(DockerfileMistake, ContinuedLinesAreOneInstruction) {
  for (const char* code :
       {"RUN a && \\\n  b && \\\n# why\n\n  c\nCMD [\"x\"]\n",
        "# escape=`\nFROM x\nRUN a `\n  b\nCMD x\n", "RUN a \\\n", "\\\n", "RUN a\n\\\n\\"}) {
    EXPECT_EQ(Said(DockerfileMistake, code), "") << code;
  }
}

TEST(DockerfileMistake, TheTextOfAHereDocumentIsNotRead) {
  for (const char* code :
       {"RUN <<EOF\nanything goes\nEOF\nCMD x\n", "COPY <<-\"EOT\" /x\nanything goes\nEOT\nCMD x\n",
        "RUN set -e && \\\n  cat > x <<EOF\nanything goes\nEOF\nCMD x\n"}) {
    EXPECT_EQ(Said(DockerfileMistake, code), "") << code;
  }
  EXPECT_NE(Said(DockerfileMistake, "RUN <<EOF\nx\nEOF\nCOPPY a b\n"), "");
}

TEST(CMistake, IsToldWithBothLines) {
  EXPECT_EQ(Said(CMistake, "f(\n  a\n];\n"), "3: the '(' of line 1 is closed by ']'");
  EXPECT_EQ(Said(CMistake, "int x;\nputs(\"a);\n"), "2: unterminated string");
}

TEST(CMistake, TheLineIsRightAfterCommentsLiteralsAndDirectives) {
  EXPECT_EQ(Said(CMistake, "/*\n*/\n// a \\\nb\n#include <a>\nR\"(\n)\";\n\"a\\\nb\";\n(]"),
            "10: the '(' of line 10 is closed by ']'");
}

TEST(CMistake, IsNotSeekedWhereLinesAreOmitted) { EXPECT_EQ(Said(CMistake, "f(\n...\n];\n"), ""); }

TEST(CMistake, IsNotSeekedBehindConditionsAndMacros) {
  for (const char* code : {"#if A\n(]\n", "#  ifdef A\n(]\n", "#else\n(]\n", "#define A (\n(]\n"}) {
    EXPECT_EQ(Said(CMistake, code), "") << code;
  }
  EXPECT_NE(Said(CMistake, "#pragma once\n(]\n"), "");
}

TEST(CMistake, ALiteralThatTheFragmentCutsIsNone) {
  for (const char* code : {"puts(\"a", "'a", "R\"(a", "R\"x", "/* a", "\"\\", "'"}) {
    EXPECT_EQ(Said(CMistake, code), "") << code;
  }
}

TEST(JsonMistake, IsAtItsLine) {
  EXPECT_EQ(Said(JsonMistake, "[\n  1,\n  2\n  3\n]\n").substr(0, 3), "4: ");
  EXPECT_NE(Said(JsonMistake, "{\"a\": tru}").find("invalid JSON"), std::string::npos);
}

TEST(JsonMistake, IsOnlyOfATextThatMeansToBeJson) {
  for (const char* code : {"{}", " [1] ", "{\"a\": \"http://x # y\"}", "{\"a\": \"\\\" // b\"}"}) {
    EXPECT_TRUE(IsJsonText(code)) << code;
    EXPECT_EQ(Said(JsonMistake, code), "") << code;
  }
  for (const char* code : {"", "1", "\"a\"", "null", "{ // a\n}", "{ # a\n}", "[1, …]", "[<id>]"}) {
    EXPECT_FALSE(IsJsonText(code)) << code;
    EXPECT_EQ(Said(JsonMistake, code), "") << code;
  }
}

TEST(JsonMistake, DepthIsNotAMistake) {
  EXPECT_EQ(Said(JsonMistake, std::string(100'000, '[') + std::string(100'000, ']')), "");
}

TEST(Placeholder, IsAnEllipsisOrWordsInAngleBrackets) {
  for (const char* code : {"a, ...", "a…", "<version>", "x <path/to/x>", "<your-name>", "<a b>"}) {
    EXPECT_TRUE(HasPlaceholder(code)) << code;
  }
  for (const char* code : {"", "a < b", "<1>", "<>", "a <b", "x << y", "<-a>", ".."}) {
    EXPECT_FALSE(HasPlaceholder(code)) << code;
  }
}

RC_GTEST_PROP(SyntaxMistakes, AreInALineOfTheCode, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "(", ")", "[", "]", "{", "}", "\"", "'", "\\", "\n", "#", "#[[", "]]", "/*", "*/", "//",
      "R\"(", "if(A)\n", "endif()\n", "project(x)\n", "FROM a\n", "<<EOF", "RUN", " ", "a", "...",
      ",", "1"));
  std::string code;
  for (const std::string& piece : pieces) code += piece;
  const auto lines = static_cast<std::size_t>(std::count(code.begin(), code.end(), '\n')) + 1;
  for (const Finder find : {CMakeMistake, DockerfileMistake, CMistake, JsonMistake}) {
    const auto mistake = find(code);
    if (!mistake) continue;
    RC_ASSERT(mistake->line >= 1 && mistake->line <= lines);
    RC_ASSERT(!mistake->message.empty());
  }
}

}  // namespace
}  // namespace sibyl::code
