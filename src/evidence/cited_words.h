// SPDX-License-Identifier: Apache-2.0
// The few words of the cited lines that carry a statement: a writer gives them
// as text, a citation stores only their place.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/line_span.h"
#include "base/result.h"
#include "evidence/citation.h"

namespace sibyl::evidence {

/// More would be a passage, and lines cite that.
inline constexpr std::size_t kMostCitedWords = 30;

/// Where the words are in the lines of a file. Blanks and line ends are the
/// same, and so are the marks of a comment at the start of a line. kUsage: they
/// are too many, none, or in the lines more than once; kNotFound: they are not
/// in the lines.
Result<ByteRange> FindWords(std::string_view file, const LineRange& lines, std::string_view words);

/// Quotation marks in the words may be written as \": FindWords looks for the
/// words as given, and if they are not there, for these.
std::string WithoutEscapes(std::string_view words);

/// The same for a citation of lines, with the file from wherever it is kept.
using WordsFinder =
    std::function<Result<ByteRange>(const SourceCitation& citation, std::string_view words)>;

/// The citation of a place as people write it: `NAME:PATH:10-20`, words after it
/// included (MakeCitation of evidence/evidence.h).
using PlaceFinder = std::function<Result<Citation>(std::string_view place)>;

/// A target and the words after it: `PATH:10-14 "threads per warp"`.
struct TargetWithWords {
  std::string_view target;
  std::string_view words;  ///< Without the quotation marks; empty: none are given.
};

TargetWithWords SplitWords(std::string_view text);

/// The words of a file, on one line: blanks and comment marks between them
/// become one blank.
std::string WordsOnOneLine(std::string_view words);

}  // namespace sibyl::evidence
