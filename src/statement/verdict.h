// SPDX-License-Identifier: Apache-2.0
// What the gate says of a piece of text: a verdict with its reason and, where
// there is one, the nearest truth.
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
  kSupported,     ///< A source says it.
  kContradicted,  ///< A source says something else of the same thing.
  kAbsent,        ///< The sources cover what it belongs to, and do not have it.
  kStale,         ///< It was so; the source has moved on.
  kUndecidable,   ///< Not decidable here. Never counted as supported.
};

/// "supported", "contradicted", "absent", "stale", "undecidable"
std::string_view VerdictName(Verdict verdict);

/// One thing that was judged: an atom, a quotation, a citation, a code block, a
/// link, a section.
struct Judgement {
  Verdict verdict = Verdict::kUndecidable;
  std::string code;     ///< "ident/unknown": what kind of check it was.
  std::string kind;     ///< "flag", "number", "quotation"…: what was judged.
  std::string text;     ///< The thing itself, as it is written.
  std::string message;  ///< One sentence: what is so, lower case, no full stop.
  std::string nearest;  ///< The truth that was probably meant; may be empty.
  std::string where;    ///< Where the source says it, or has the nearest: "cmake@03676b0 path:12".
  std::string reason;   ///< How it was decided, for --explain.
  Place place;          ///< The line's text is filled in by whoever shows it.
  std::string source = {};  ///< The pin whose lines should have had it; empty when none was asked.
  /// What LineKey says of the line, where `place.text` is only a piece of it. Shared
  /// by all judgements about the line.
  std::shared_ptr<const std::string> long_line = {};
  /// `place.column` in characters, filled in with the text; zero when it is the same.
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

/// A judgement that nothing could be decided, with how far it got.
Judgement Undecidable(std::string reason);

VerdictCounts CountVerdicts(const std::vector<Judgement>& judgements);

/// The beginning of the first line, for Judgement::text.
std::string Excerpt(std::string_view text);

}  // namespace sibyl::statement
