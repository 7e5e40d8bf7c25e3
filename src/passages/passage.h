// SPDX-License-Identifier: Apache-2.0
// Splits a text into passages that follow its structure: sections of Markdown
// and reST, functions and classes, CMake commands with their comments, stages
// of a Dockerfile; windows of about 40 lines where there is none.
//
// Definitions are found by our own scanners. universal-ctags takes more than
// ten times as long on a large tree and needs a process; docs/decisions/0022
// has the measurements.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "passages/language.h"
#include "passages/outline.h"

namespace sibyl::passages {

enum class PassageShape : std::uint8_t {
  kWindow,      ///< A fixed number of lines, without structure.
  kSection,     ///< Of a document; the label is the path of its headings.
  kDefinition,  ///< A function, class or macro; the label is its qualified name.
  kCommand,     ///< CMake commands with their comment.
  kStage,       ///< Of a Dockerfile.
};

/// Lines are numbered from one, inclusive; [begin, end) are the bytes of
/// exactly those lines, including their ends.
struct Passage {
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  PassageShape shape = PassageShape::kWindow;
  std::string
      label;  ///< "Build > Options", "at::native::add", "find_library(CUPTI)"; may be empty.

  bool operator==(const Passage&) const = default;
};

inline constexpr std::uint32_t kWindowLines = 40;

/// In order, without gaps: every line is in exactly one passage. The same text
/// and language always give the same passages. Texts of 4 GiB and more are
/// not split.
std::vector<Passage> SplitPassages(std::string_view language, std::string_view text);

/// The same, for a caller that has the lines and also wants what the scanners
/// found. Texts of 4 GiB and more have no line table.
std::vector<Passage> SplitPassages(std::string_view language, const LineTable& lines,
                                   OutlineNotes& notes);

}  // namespace sibyl::passages
