// SPDX-License-Identifier: Apache-2.0
// The result of checking a piece of text: a verdict with its reason and, where
// possible, the nearest correct text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl::statement {

enum class Verdict : std::uint8_t {
  kSupported,     ///< A source has it.
  kContradicted,  ///< A source says something different about the same thing.
  kAbsent,        ///< The sources cover what it belongs to, and do not have it.
  kStale,         ///< It was so; the source has moved on.
  kUndecidable,   ///< Not decidable here. Never counted as supported.
};

/// "supported", "contradicted", "absent", "stale", "undecidable"
std::string_view VerdictName(Verdict verdict);

/// The message of a judgement whose name occurs in a source, while nothing that
/// the text says about it was checked.
inline constexpr std::string_view kSeen = "seen in the sources";

/// A word of a statement and how the cited lines have it (support::Ground).
struct JudgedWord {
  std::string text;
  std::string ground;  ///< "word", "form", "synonym", "shortened", "context", "none".
  std::string by;      ///< The word of the lines.
};

/// One thing that was judged: an atom, a quotation, a citation, a code block, a
/// link, a section.
struct Judgement {
  Verdict verdict = Verdict::kUndecidable;
  std::string code;     ///< "ident/unknown": what kind of check it was.
  std::string kind;     ///< "flag", "number", "quotation"…: what was judged.
  std::string text;     ///< The thing itself, as it is written.
  std::string message;  ///< One sentence, lower case, no full stop.
  std::string nearest;  ///< The correct text that was probably meant; may be empty.
  std::string where;    ///< Where the source says it, or has the nearest: "cmake@03676b0 path:12".
  std::string reason;   ///< How it was decided, for --explain.
  Place place;          ///< The line's text is filled in when it is shown.
  std::string source = {};  ///< The pin whose lines should have had it; may be empty.
  /// Of a statement that was compared with its cited lines; null for all others.
  std::shared_ptr<const std::vector<JudgedWord>> words = {};
  /// LineKey of the line, if `place.text` is only an excerpt. Shared by all
  /// judgements about the line.
  std::shared_ptr<const std::string> long_line = {};
  /// `place.column` in characters, filled in with the text; zero if it is the
  /// same.
  std::size_t character_column = 0;

  /// Whether it is a reason to refuse a file.
  bool Fails() const {
    return verdict == Verdict::kContradicted || verdict == Verdict::kAbsent ||
           verdict == Verdict::kStale;
  }
};

struct VerdictCounts {
  std::size_t supported = 0;
  std::size_t contradicted = 0;
  std::size_t absent = 0;
  std::size_t stale = 0;
  std::size_t undecidable = 0;

  VerdictCounts& operator+=(const VerdictCounts& other) {
    supported += other.supported;
    contradicted += other.contradicted;
    absent += other.absent;
    stale += other.stale;
    undecidable += other.undecidable;
    return *this;
  }
};

/// An undecidable judgement, with its reason.
Judgement Undecidable(std::string reason);

VerdictCounts CountVerdicts(const std::vector<Judgement>& judgements);

/// The beginning of the first line, for Judgement::text.
std::string Excerpt(std::string_view text);

}  // namespace sibyl::statement
