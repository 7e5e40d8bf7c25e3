// SPDX-License-Identifier: Apache-2.0
// Selects the relevant lines of a passage: whole statements, as few as answer
// the point. A definition keeps its first lines, with an ellipsis for omitted
// lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draft/extract/terms.h"

namespace sibyl::draft {

struct CodeSource {
  std::string_view language;
  std::string_view text;
  bool is_definition = false;  ///< Its first lines are a signature.
};

struct CodeExcerpt {
  std::size_t first_line = 0;  ///< In the text, counted from one.
  std::size_t last_line = 0;
  std::vector<std::string> lines;  ///< Without the indentation that all share.
  double share = 0;                ///< Of the point's words.
};

/// nullopt if no range of at most `max_lines` lines is relevant to the point.
std::optional<CodeExcerpt> TrimCode(const CodeSource& source, const PointTerms& terms,
                                    TermReader& reader, std::size_t max_lines);

/// Lines [first, last] of a text without their common indentation.
std::vector<std::string> Dedent(const std::vector<std::string_view>& lines, std::size_t first,
                                std::size_t last);

/// The info string of a fence for a language: "cpp", "cuda", "" for text.
std::string_view FenceName(std::string_view language);

/// "# ", "// ", or empty for a language without comments.
std::string_view CommentMark(std::string_view language);

}  // namespace sibyl::draft
