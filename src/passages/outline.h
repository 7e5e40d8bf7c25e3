// SPDX-License-Identifier: Apache-2.0
// What the scanners of one language find: named spans of lines. passage.cc
// turns them into passages and handles sizes.
#pragma once

#include <cstddef>
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
};

/// Functions, classes and long macros of C, C++ and CUDA. Tolerates
/// preprocessor conditionals; if braces do not balance, it finds less.
std::vector<OutlineSpan> OutlineC(const LineTable& lines);

/// Functions and classes by their indentation.
std::vector<OutlineSpan> OutlinePython(const LineTable& lines);

/// Functions, macros, and runs of commands with the comments before them.
std::vector<OutlineSpan> OutlineCMake(const LineTable& lines);

/// One span for each FROM.
std::vector<OutlineSpan> OutlineDockerfile(const LineTable& lines);

/// A heading of a document: from its line to the next heading is its section.
struct Heading {
  std::size_t line = 0;
  std::size_t level = 1;
  std::string title;
};

std::vector<Heading> HeadingsOfMarkdown(const LineTable& lines);

/// Of the lines [first, end): documentation inside other files is reST too.
std::vector<Heading> HeadingsOfRst(const LineTable& lines, std::size_t first, std::size_t end);

}  // namespace sibyl::passages
