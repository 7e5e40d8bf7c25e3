// SPDX-License-Identifier: Apache-2.0
// Syntax colours by classes of tokens: comments, strings, numbers, keywords.
// For readers, not for compilers: what a language does differently stays plain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "interface/room/text/html.h"

namespace sibyl::interface {

/// kScript: strings in single and back quotes, as in JavaScript; in kC, a single quote is for one
/// character, and may be a lifetime.
enum class Syntax : std::uint8_t { kPlain, kC, kScript, kHash, kDash };

/// By the name of a file ("a/b.cu") or of a language ("cpp", "python").
Syntax SyntaxOf(std::string_view name);

/// Bytes of a line that are marked: cited words, or words that ground a statement.
struct MarkedBytes {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool is_ground = false;
};

/// Colours the lines of one file, one after the other: a block comment or a long
/// string continues on the next line.
class Highlighter {
 public:
  explicit Highlighter(Syntax syntax) : syntax_(syntax) {}

  /// For lines from the middle of a file: guesses by the lines whether they begin within a
  /// comment or a long string.
  void BeginWithin(std::span<const std::string_view> lines);

  /// Appends the line, without its end.
  void Line(std::string_view line, std::span<const MarkedBytes> marks, Html& html);

 private:
  void Classify(std::string_view line);
  void BeginWithinString(std::span<const std::string_view> lines, char quote);
  void ClassifyString(std::string_view line, std::size_t& at);

  Syntax syntax_;
  bool in_comment_ = false;
  char long_quote_ = '\0';             // inside of a string in three quotes
  std::vector<std::uint8_t> classes_;  // of the bytes of the line
};

}  // namespace sibyl::interface
