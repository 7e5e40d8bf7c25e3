// SPDX-License-Identifier: Apache-2.0
#include "evidence/citation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/hex.h"
#include "base/numbers.h"
#include "base/percent.h"

namespace sibyl::evidence {
namespace {

constexpr std::string_view kContentPrefix = "swh:1:cnt:";
constexpr std::string_view kCommitPrefix = "swh:1:rev:";
constexpr std::string_view kTreePrefix = "swh:1:dir:";
constexpr std::string_view kWebPrefix = "web:sha256:";
constexpr std::string_view kFactPrefix = "fact:sha256:";
constexpr std::string_view kLabPrefix = "lab:";
constexpr std::string_view kAbsentPrefix = "absent:swh:";

struct Qualifier {
  std::string_view key;
  std::string_view value;  // still encoded
};

struct Split {
  std::string_view core;
  std::vector<Qualifier> qualifiers;
};

Error Bad(std::string what, std::string hint = {}) {
  return Error{.kind = ErrorKind::kUsage,
               .message = "reading a citation: " + std::move(what),
               .hint = std::move(hint),
               .place = std::nullopt};
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kShown = 60;
  return fmt::format("'{}{}'", EncodeQualifier(text.substr(0, kShown)),
                     text.size() > kShown ? "…" : "");
}

Result<Split> SplitQualifiers(std::string_view text) {
  Split split;
  std::size_t end = text.find(';');
  split.core = text.substr(0, end);
  while (end != std::string_view::npos) {
    const std::size_t begin = end + 1;
    end = text.find(';', begin);
    const std::string_view piece = text.substr(begin, end == text.npos ? text.npos : end - begin);
    const std::size_t equals = piece.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return Bad(Quoted(piece) + " is not a qualifier", "qualifiers look like ;path=/src/a.c");
    }
    const Qualifier qualifier{piece.substr(0, equals), piece.substr(equals + 1)};
    const bool twice = std::any_of(split.qualifiers.begin(), split.qualifiers.end(),
                                   [&](const Qualifier& q) { return q.key == qualifier.key; });
    if (twice) return Bad(Quoted(qualifier.key) + " is given twice");
    split.qualifiers.push_back(qualifier);
  }
  return split;
}

Result<std::string> Decoded(const Qualifier& qualifier) {
  std::optional<std::string> value = DecodePercent(qualifier.value);
  if (!value) return Bad("broken percent-encoding in " + Quoted(qualifier.value));
  return *std::move(value);
}

Result<std::string> DecodedNonEmpty(const Qualifier& qualifier) {
  std::string value = SIBYL_TRY(Decoded(qualifier));
  if (value.empty()) return Bad(Quoted(qualifier.key) + " has no value");
  return value;
}

// One spelling for each number, so that a citation has one form.
std::optional<std::size_t> LineNumber(std::string_view text) {
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  return ParseNumber<std::size_t>(text);
}

bool IsUtcTime(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00Z";
  if (text.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == '0' ? !digit : text[i] != kShape[i]) return false;
  }
  return true;
}

struct ReadAnchorOf {
  SourceCitation::Anchor kind = SourceCitation::Anchor::kNone;
  git::ObjectId id;
};

Result<ReadAnchorOf> ReadAnchor(std::string_view value) {
  using Anchor = SourceCitation::Anchor;
  const std::string_view prefix = value.substr(0, kCommitPrefix.size());
  const bool commit = prefix == kCommitPrefix;
  if (!commit && prefix != kTreePrefix) {
    return Bad("the anchor " + Quoted(value) + " is neither swh:1:rev: nor swh:1:dir:");
  }
  const std::optional<git::ObjectId> id = git::ObjectId::FromHex(value.substr(prefix.size()));
  if (!id)
    return Bad("the anchor " + Quoted(value) + " does not end in 40 lower-case hexadecimal digits");
  return ReadAnchorOf{.kind = commit ? Anchor::kCommit : Anchor::kTree, .id = *id};
}

std::optional<ByteRange> ReadByteRange(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::optional<std::size_t> first = LineNumber(text.substr(0, dash));
  const std::optional<std::size_t> last =
      dash == std::string_view::npos ? first : LineNumber(text.substr(dash + 1));
  if (!first || !last || *first > *last) return std::nullopt;
  return ByteRange{.first = *first, .last = *last};
}

Status ReadSourceQualifier(const Qualifier& qualifier, SourceCitation& citation) {
  if (qualifier.key == "origin") {
    citation.origin = SIBYL_TRY(DecodedNonEmpty(qualifier));
  } else if (qualifier.key == "anchor") {
    const ReadAnchorOf anchor = SIBYL_TRY(ReadAnchor(qualifier.value));
    citation.anchor = anchor.kind;
    citation.anchor_id = anchor.id;
  } else if (qualifier.key == "path") {
    const std::string path = SIBYL_TRY(Decoded(qualifier));
    if (path.size() < 2 || path.front() != '/') {
      return Bad("the path " + Quoted(path) + " does not start with /");
    }
    citation.path = path.substr(1);
  } else if (qualifier.key == "lines") {
    const std::optional<LineRange> lines = ParseLineRange(qualifier.value);
    if (!lines || qualifier.value.find('L') != std::string_view::npos) {
      return Bad("lines=" + std::string(qualifier.value.substr(0, 60)) + " is not a range",
                 "line numbers start at 1: lines=10-20");
    }
    citation.lines = *lines;
  } else if (qualifier.key == "bytes") {
    citation.words = ReadByteRange(qualifier.value);
    if (!citation.words) {
      return Bad("bytes=" + std::string(qualifier.value.substr(0, 60)) + " is not a range",
                 "byte numbers start at 0: bytes=120-151");
    }
  } else if (qualifier.key != "visit") {
    // A visit is only the time of archiving; it is not part of the proof.
    return Bad("unknown qualifier " + Quoted(qualifier.key));
  }
  return {};
}

Result<Citation> ParseSource(const Split& split) {
  SourceCitation citation;
  const std::optional<git::ObjectId> blob =
      git::ObjectId::FromHex(split.core.substr(kContentPrefix.size()));
  if (!blob) return Bad(Quoted(split.core) + " does not end in 40 lower-case hexadecimal digits");
  citation.blob = *blob;
  for (const Qualifier& qualifier : split.qualifiers) {
    SIBYL_TRY(ReadSourceQualifier(qualifier, citation));
  }
  if (citation.anchor != SourceCitation::Anchor::kNone && citation.path.empty()) {
    return Bad("an anchor needs a path");
  }
  if (citation.words && citation.lines.IsWhole()) {
    return Bad("bytes= needs lines=", "cite the lines that contain the words: lines=10-20");
  }
  return Citation(std::move(citation));
}

Status ReadWebQualifier(const Qualifier& qualifier, WebCitation& citation) {
  if (qualifier.key == "url") {
    citation.url = SIBYL_TRY(DecodedNonEmpty(qualifier));
  } else if (qualifier.key == "accessed") {
    if (!IsUtcTime(qualifier.value)) {
      return Bad(Quoted(qualifier.value) + " is not a time", "such as 2026-11-15T10:02:11Z");
    }
    citation.accessed = qualifier.value;
  } else if (qualifier.key == "chars") {
    const std::size_t dash = qualifier.value.find('-');
    if (dash == std::string_view::npos) return Bad("chars= needs two numbers: chars=120-480");
    const auto first = LineNumber(qualifier.value.substr(0, dash));
    const auto end = LineNumber(qualifier.value.substr(dash + 1));
    if (!first || !end || *first >= *end) return Bad("chars= is not a range: chars=120-480");
    citation.first_char = *first;
    citation.end_char = *end;
  } else {
    return Bad("unknown qualifier " + Quoted(qualifier.key));
  }
  return {};
}

Result<Citation> ParseWeb(const Split& split) {
  WebCitation citation;
  citation.sha256 = split.core.substr(kWebPrefix.size());
  if (!IsSha256(citation.sha256)) return Bad(Quoted(split.core) + " does not end in a sha256");
  for (const Qualifier& qualifier : split.qualifiers) {
    SIBYL_TRY(ReadWebQualifier(qualifier, citation));
  }
  if (citation.url.empty()) return Bad("a web citation needs url=");
  return Citation(std::move(citation));
}

Result<Citation> ParseFact(const Split& split) {
  FactCitation citation;
  citation.sha256 = split.core.substr(kFactPrefix.size());
  if (!IsSha256(citation.sha256)) return Bad(Quoted(split.core) + " does not end in a sha256");
  for (const Qualifier& qualifier : split.qualifiers) {
    if (qualifier.key == "inspector") {
      citation.inspector = SIBYL_TRY(DecodedNonEmpty(qualifier));
    } else if (qualifier.key == "key") {
      citation.key = SIBYL_TRY(DecodedNonEmpty(qualifier));
    } else {
      return Bad("unknown qualifier " + Quoted(qualifier.key));
    }
  }
  if (citation.inspector.empty() || citation.key.empty()) {
    return Bad("a fact needs inspector= and key=");
  }
  return Citation(std::move(citation));
}

Result<Citation> ParseLab(const Split& split) {
  LabCitation citation;
  const Qualifier run{"run", split.core.substr(kLabPrefix.size())};
  citation.run = SIBYL_TRY(DecodedNonEmpty(run));
  for (const Qualifier& qualifier : split.qualifiers) {
    if (qualifier.key != "metric") return Bad("unknown qualifier " + Quoted(qualifier.key));
    citation.metric = SIBYL_TRY(DecodedNonEmpty(qualifier));
  }
  if (citation.metric.empty()) return Bad("a lab citation needs metric=");
  return Citation(std::move(citation));
}

Result<Citation> ParseAbsent(const Split& split) {
  AbsentCitation citation;
  const ReadAnchorOf anchor =
      SIBYL_TRY(ReadAnchor(split.core.substr(std::string_view("absent:").size())));
  citation.anchor = anchor.kind;
  citation.anchor_id = anchor.id;
  for (const Qualifier& qualifier : split.qualifiers) {
    if (qualifier.key == "origin") {
      citation.origin = SIBYL_TRY(DecodedNonEmpty(qualifier));
    } else if (qualifier.key == "word") {
      citation.word = SIBYL_TRY(DecodedNonEmpty(qualifier));
    } else {
      return Bad("unknown qualifier " + Quoted(qualifier.key));
    }
  }
  if (citation.origin.empty()) return Bad("an absence needs origin=");
  if (!IsAbsentWord(citation.word)) {
    return Bad("an absence needs word=", "one word without blanks, at most 200 bytes");
  }
  return Citation(std::move(citation));
}

std::string FormatAnchor(SourceCitation::Anchor kind, const git::ObjectId& id) {
  const std::string_view prefix =
      kind == SourceCitation::Anchor::kCommit ? kCommitPrefix : kTreePrefix;
  return std::string(prefix) + id.Hex();
}

struct Formatter {
  std::string operator()(const SourceCitation& citation) const {
    using Anchor = SourceCitation::Anchor;
    std::string text = std::string(kContentPrefix) + citation.blob.Hex();
    if (!citation.origin.empty()) text += ";origin=" + EncodeQualifier(citation.origin);
    if (citation.anchor != Anchor::kNone) {
      text += ";anchor=" + FormatAnchor(citation.anchor, citation.anchor_id);
    }
    if (!citation.path.empty()) text += ";path=/" + EncodeQualifier(citation.path);
    if (!citation.lines.IsWhole()) text += ";lines=" + FormatLineRange(citation.lines);
    if (citation.words) {
      text += fmt::format(";bytes={}-{}", citation.words->first, citation.words->last);
    }
    return text;
  }

  std::string operator()(const WebCitation& citation) const {
    std::string text = std::string(kWebPrefix) + citation.sha256;
    text += ";url=" + EncodeQualifier(citation.url);
    if (!citation.accessed.empty()) text += ";accessed=" + citation.accessed;
    if (citation.end_char != 0) {
      text +=
          ";chars=" + std::to_string(citation.first_char) + "-" + std::to_string(citation.end_char);
    }
    return text;
  }

  std::string operator()(const FactCitation& citation) const {
    return std::string(kFactPrefix) + citation.sha256 +
           ";inspector=" + EncodeQualifier(citation.inspector) +
           ";key=" + EncodeQualifier(citation.key);
  }

  std::string operator()(const LabCitation& citation) const {
    return std::string(kLabPrefix) + EncodeQualifier(citation.run) +
           ";metric=" + EncodeQualifier(citation.metric);
  }

  std::string operator()(const AbsentCitation& citation) const {
    return "absent:" + FormatAnchor(citation.anchor, citation.anchor_id) +
           ";origin=" + EncodeQualifier(citation.origin) +
           ";word=" + EncodeQualifier(citation.word);
  }
};

}  // namespace

Result<Citation> ParseCitation(std::string_view text) {
  if (text.size() > kMaxCitationBytes) {
    return Bad("longer than " + std::to_string(kMaxCitationBytes) + " bytes");
  }
  const bool printable =
      std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (!printable) return Bad(Quoted(text) + " contains a space or a non-ASCII byte");
  const Split split = SIBYL_TRY(SplitQualifiers(text));
  if (split.core.starts_with(kContentPrefix)) return ParseSource(split);
  if (split.core.starts_with(kWebPrefix)) return ParseWeb(split);
  if (split.core.starts_with(kFactPrefix)) return ParseFact(split);
  if (split.core.starts_with(kLabPrefix)) return ParseLab(split);
  if (split.core.starts_with(kAbsentPrefix)) return ParseAbsent(split);
  return Bad(Quoted(text) + " is not a citation",
             "citations start with swh:1:cnt:, web:sha256:, fact:sha256:, lab: or absent:swh:");
}

bool IsAbsentWord(std::string_view word) {
  constexpr std::size_t kLongest = 200;
  const bool is_plain =
      std::all_of(word.begin(), word.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  return is_plain && word.size() <= kLongest &&
         std::any_of(word.begin(), word.end(), [](char c) { return IsNameByte(c) && c != '_'; });
}

std::string FormatCitation(const Citation& citation) { return std::visit(Formatter{}, citation); }

std::optional<LineRange> ParseLineRange(std::string_view text) {
  const auto skip_letter = [](std::string_view& piece) {
    if (piece.starts_with('L')) piece.remove_prefix(1);
  };
  const std::size_t dash = text.find('-');
  std::string_view first_text = text.substr(0, dash);
  skip_letter(first_text);
  const std::optional<std::size_t> first = LineNumber(first_text);
  if (!first || *first == 0) return std::nullopt;
  if (dash == std::string_view::npos) return LineRange{*first, *first};
  std::string_view last_text = text.substr(dash + 1);
  skip_letter(last_text);
  const std::optional<std::size_t> last = LineNumber(last_text);
  if (!last || *last < *first) return std::nullopt;
  return LineRange{*first, *last};
}

std::string FormatLineRange(const LineRange& lines) {
  if (lines.first == lines.last) return std::to_string(lines.first);
  return std::to_string(lines.first) + "-" + std::to_string(lines.last);
}

}  // namespace sibyl::evidence
