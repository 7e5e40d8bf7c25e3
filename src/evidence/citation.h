// SPDX-License-Identifier: Apache-2.0
// The machine's part of a receipt: a line of text that names exact bytes.
// docs/formats/citation.md has the grammar and examples.
//
// Five kinds, one variant: lines of a pinned source (a SWHID, ISO/IEC 18670),
// characters of a stored web page, a fact read out of an artifact, a value a
// lab measured, a word that a pinned source does not have. Parsing is tolerant of the order of
// qualifiers; formatting always writes the canonical order.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/line_span.h"
#include "base/result.h"
#include "git/object_id.h"

namespace sibyl::evidence {

/// Bytes of a file, from zero; both ends belong to it.
struct ByteRange {
  std::size_t first = 0;
  std::size_t last = 0;

  std::size_t size() const { return last - first + 1; }
  bool operator==(const ByteRange&) const = default;
};

/// Lines of a file: "swh:1:cnt:<blob>;origin=…;anchor=swh:1:rev:<commit>;path=/…;lines=10-20".
struct SourceCitation {
  /// Where the blob hangs: a commit (git), a tree (folder snapshot) or nothing.
  enum class Anchor { kNone, kCommit, kTree };

  git::ObjectId blob;
  std::string origin;  ///< URL, or a local path; may be empty.
  Anchor anchor = Anchor::kNone;
  git::ObjectId anchor_id;
  std::string path;  ///< Raw bytes, without the leading slash; may be empty.
  LineRange lines;
  /// The few words of these lines that carry the statement; in the lines.
  std::optional<ByteRange> words = {};

  bool operator==(const SourceCitation&) const = default;
};

/// Characters of a page: "web:sha256:<hex>;url=…;accessed=2026-11-15T10:02:11Z;chars=120-480".
struct WebCitation {
  std::string sha256;  ///< Of the stored text of the page; 64 digits.
  std::string url;
  std::string accessed;        ///< UTC, seconds; may be empty.
  std::size_t first_char = 0;  ///< Code points, from zero; the end is exclusive.
  std::size_t end_char = 0;    ///< Zero: the whole page.

  bool operator==(const WebCitation&) const = default;
};

/// A key of an artifact: "fact:sha256:<hex>;inspector=elf;key=version".
struct FactCitation {
  std::string sha256;
  std::string inspector;
  std::string key;

  bool operator==(const FactCitation&) const = default;
};

/// A measured value: "lab:<run id>;metric=<name>".
struct LabCitation {
  std::string run;
  std::string metric;

  bool operator==(const LabCitation&) const = default;
};

/// A word that a pinned source does not have:
/// "absent:swh:1:rev:<commit>;origin=…;word=USE_CUPTI".
struct AbsentCitation {
  SourceCitation::Anchor anchor = SourceCitation::Anchor::kCommit;  ///< Never kNone.
  git::ObjectId anchor_id;
  std::string origin;
  std::string word;  ///< Whole, and in this spelling; see IsAbsentWord.

  bool operator==(const AbsentCitation&) const = default;
};

using Citation =
    std::variant<SourceCitation, WebCitation, FactCitation, LabCitation, AbsentCitation>;

/// Printable ASCII without blanks, at most 200 bytes, with a letter or a digit.
bool IsAbsentWord(std::string_view word);

/// Longer texts are refused unread: no path or URL in them could be used.
inline constexpr std::size_t kMaxCitationBytes = 16384;

/// Reads one citation and nothing else; spaces around it are an error.
Result<Citation> ParseCitation(std::string_view text);

/// The canonical text: printable ASCII without spaces, safe in an HTML
/// comment. ParseCitation(FormatCitation(c)) is c.
std::string FormatCitation(const Citation& citation);

/// "10-20", "10", or with GitHub's letters: "L10-L20". Nothing when the range
/// is empty, reversed, starts at zero or does not end the text.
std::optional<LineRange> ParseLineRange(std::string_view text);

/// "10-20", or "10" for one line.
std::string FormatLineRange(const LineRange& lines);

}  // namespace sibyl::evidence
