// SPDX-License-Identifier: Apache-2.0
// What the scanners of one language find: named spans of lines. passage.cc
// turns them into passages and handles sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "passages/line_table.h"

namespace sibyl::passages {

/// Lines [first, end), counted from zero. Spans nest or are apart; they never
/// overlap otherwise.
struct OutlineSpan {
  std::size_t first = 0;
  std::size_t end = 0;
  std::string label;
  bool holds_others = false;  ///< A class: its members get their own passages.
  std::size_t head = 0;       ///< In C and Python, the offset of its first word.
  std::size_t body = 0;       ///< In C, the offset of its brace; 0 for a macro.
};

/// What the scanners see besides the spans, for readers of cards
/// (cards/spot.h): scanning the text a second time would cost as much again.
struct OutlineMark {
  enum class Kind : std::uint8_t {
    kDeclaration,  ///< C: a statement outside of functions, without its semicolon.
    kEnumeration,  ///< C: between the braces of an enum.
    kDirective,    ///< C: #define and #error, without the "#".
    kAssignment,   ///< Python: a line of a module or class that starts with a name.
  };
  Kind kind = Kind::kDeclaration;
  bool is_in_class = false;
  std::uint32_t begin = 0;  ///< Offsets in the text.
  std::uint32_t end = 0;
  std::uint32_t first = 0;  ///< Its first line, with the comment right above it; from zero.
};

/// A heading of a document: from its line to the next heading is its section.
struct Heading {
  std::size_t line = 0;
  std::size_t level = 1;
  std::string title;
};

struct OutlineNotes {
  std::vector<OutlineSpan> spans;  ///< Of C and Python.
  std::vector<OutlineMark> marks;  ///< Of C and Python, in the order of their ends.
  std::vector<Heading> headings;   ///< Of Markdown and reST.
};

/// Functions, classes and long macros of C, C++ and CUDA. Tolerates
/// preprocessor conditionals; if braces do not balance, it finds less.
std::vector<OutlineSpan> OutlineC(const LineTable& lines,
                                  std::vector<OutlineMark>* marks = nullptr);

/// Functions and classes by their indentation.
std::vector<OutlineSpan> OutlinePython(const LineTable& lines,
                                       std::vector<OutlineMark>* marks = nullptr);

/// Functions, macros, and runs of commands with the comments before them.
std::vector<OutlineSpan> OutlineCMake(const LineTable& lines);

/// One span for each FROM.
std::vector<OutlineSpan> OutlineDockerfile(const LineTable& lines);

std::vector<Heading> HeadingsOfMarkdown(const LineTable& lines);

/// Of the lines [first, end): documentation inside other files is reST too.
std::vector<Heading> HeadingsOfRst(const LineTable& lines, std::size_t first, std::size_t end);

}  // namespace sibyl::passages
