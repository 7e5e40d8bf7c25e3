// SPDX-License-Identifier: Apache-2.0
#include "draft/model/whole_lines.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "base/line_span.h"
#include "base/strings.h"
#include "evidence/pages/page_citation.h"
#include "injection/instruction.h"
#include "passages/file_outline.h"

namespace sibyl::draft {
namespace {

// Lines of a window without structure that are shown before and after it.
constexpr std::uint32_t kAroundWindow = 15;

struct LineSpan {
  std::uint32_t first = 1;
  std::uint32_t last = 1;

  std::size_t size() const { return last - first + 1; }
  bool Contains(const LineSpan& other) const { return first <= other.first && other.last <= last; }
};

bool SoundsLikeLicence(std::string_view text) {
  const std::string lower = LowerCase(text);
  constexpr std::array<std::string_view, 7> kWords = {"copyright",
                                                      "licensed under",
                                                      "spdx-license",
                                                      "redistribution and use",
                                                      "permission is hereby granted",
                                                      "all rights reserved",
                                                      "without warranties"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

bool BeginsComment(std::string_view line) {
  line = Trim(line);
  constexpr std::array<std::string_view, 9> kSigns = {"#",  "//",   "/*", "*",     "--",
                                                      "..", "<!--", ";",  "\"\"\""};
  return std::any_of(kSigns.begin(), kSigns.end(),
                     [&](std::string_view sign) { return line.starts_with(sign); });
}

// How many lines at the beginning are a licence: comments without an empty line
// between their lines, or one comment from its opening to its closing.
std::size_t LicenceLines(const std::vector<std::string_view>& lines) {
  std::size_t dropped = 0;
  std::size_t at = 0;
  while (at < lines.size()) {
    while (at < lines.size() && Trim(lines[at]).empty()) ++at;
    if (at == lines.size() || !BeginsComment(lines[at])) break;
    std::string block;
    const bool is_c_comment = Trim(lines[at]).starts_with("/*");
    const bool is_markup = Trim(lines[at]).starts_with("<!--");
    while (at < lines.size()) {
      const std::string_view line = lines[at];
      if (!is_c_comment && !is_markup && (Trim(line).empty() || !BeginsComment(line))) break;
      block += std::string(line) + '\n';
      ++at;
      if (is_c_comment && line.find("*/") != std::string_view::npos) break;
      if (is_markup && line.find("-->") != std::string_view::npos) break;
    }
    if (!SoundsLikeLicence(block)) break;
    dropped = at;
  }
  while (dropped > 0 && dropped < lines.size() && Trim(lines[dropped]).empty()) ++dropped;
  return dropped;
}

// The smallest thing of the outline that has all these lines and more.
std::optional<LineSpan> Around(const std::vector<passages::OutlineEntry>& outline,
                               const LineSpan& inner) {
  std::optional<LineSpan> best;
  for (const passages::OutlineEntry& entry : outline) {
    const LineSpan span{.first = entry.first_line, .last = entry.last_line};
    if (!span.Contains(inner) || span.size() == inner.size()) continue;
    if (!best || span.size() < best->size()) best = span;
  }
  return best;
}

std::size_t BytesOf(const std::vector<std::string_view>& lines, const LineSpan& span) {
  std::size_t bytes = 0;
  for (std::size_t i = span.first - 1; i < std::min<std::size_t>(span.last, lines.size()); ++i) {
    bytes += lines[i].size() + 1;
  }
  return bytes;
}

// Rows of a Markdown table that begin or go on beyond the span belong to it.
LineSpan WithWholeTables(const std::vector<std::string_view>& lines, LineSpan span) {
  const auto is_row = [&](std::uint32_t line) {
    return line >= 1 && line <= lines.size() && Trim(lines[line - 1]).starts_with('|');
  };
  if (is_row(span.first)) {
    while (is_row(span.first - 1)) --span.first;
  }
  if (is_row(span.last)) {
    while (is_row(span.last + 1)) ++span.last;
  }
  return span;
}

// The passage with these lines of the file instead of its own.
std::optional<Excerpt> Moved(const Excerpt& excerpt, std::string_view file, const LineSpan& span) {
  const std::optional<std::string_view> found = TextOfLines(file, {span.first, span.last});
  if (!found) return std::nullopt;
  const std::string_view kept = injection::WithoutInstructions(*found);
  if (kept.empty()) return std::nullopt;
  Excerpt moved = excerpt;
  const auto left_out = static_cast<std::size_t>(kept.data() - found->data());
  moved.first_line =
      span.first + static_cast<std::uint32_t>(CountLines(found->substr(0, left_out)));
  moved.text = std::string(kept);
  const auto lines = static_cast<std::uint32_t>(CountLines(kept));
  moved.last_line = moved.first_line + lines - 1;
  if (!excerpt.pin->pages.empty()) {
    const auto before = static_cast<std::size_t>(kept.data() - file.data());
    moved.characters_before = evidence::CountCharacters(file.substr(0, before));
  }
  return moved;
}

}  // namespace

Glimpse BestLines(std::string_view text, const TermSet& wanted, TermReader& reader,
                  const WholeLimits& limits) {
  constexpr double kAnyWord = 0.1;
  const std::vector<std::string_view> lines = LinesWithoutEnds(text);
  std::vector<double> scores;
  scores.reserve(lines.size());
  for (const std::string_view line : lines) {
    TermSet words;
    reader.Read(line, words);
    double score = 0;
    for (const std::string& word : words) {
      if (wanted.contains(word)) score += kAnyWord + reader.Rarity(word);
    }
    scores.push_back(score);
  }
  std::size_t best_first = 0;
  std::size_t best_end = 0;
  double best = -1;
  std::size_t bytes = 0;
  double score = 0;
  for (std::size_t first = 0, end = 0; first < lines.size(); ++first) {
    end = std::max(end, first);
    while (end < lines.size() && end - first < limits.lines &&
           (end == first || bytes + lines[end].size() + 1 <= limits.bytes)) {
      bytes += lines[end].size() + 1;
      score += scores[end++];
    }
    constexpr double kClearly = 1e-9;
    if (score > best + kClearly) {
      best = score;
      best_first = first;
      best_end = end;
    }
    bytes -= lines[first].size() + 1;
    score -= scores[first];
  }
  Glimpse glimpse{.first = best_first, .text = {}};
  for (std::size_t i = best_first; i < best_end; ++i) glimpse.text += std::string(lines[i]) + '\n';
  return glimpse;
}

Excerpt WithoutLicence(Excerpt excerpt) {
  const std::vector<std::string_view> lines = LinesWithoutEnds(excerpt.text);
  const std::size_t dropped = LicenceLines(lines);
  if (dropped == 0 || dropped >= lines.size()) return excerpt;
  const auto bytes = static_cast<std::size_t>(lines[dropped].data() - excerpt.text.data());
  if (!excerpt.pin->pages.empty()) {
    excerpt.characters_before +=
        evidence::CountCharacters(std::string_view(excerpt.text).substr(0, bytes));
  }
  excerpt.text.erase(0, bytes);
  excerpt.first_line += static_cast<std::uint32_t>(dropped);
  return excerpt;
}

const std::string& WholeLines::FileOf(const Excerpt& excerpt) {
  const std::string blob = excerpt.blob.Hex() + excerpt.path;
  if (blob == blob_) return text_;
  blob_ = blob;
  text_.clear();
  const auto& parts = searcher_.parts();
  if (excerpt.passage.part >= parts.size()) return text_;
  const index::Segment& segment = parts[excerpt.passage.part].part->segment;
  if (excerpt.passage.passage >= segment.passage_count()) return text_;
  const index::DocumentRecord* document = segment.document_of(excerpt.passage.passage);
  if (document == nullptr || segment.document_count() == 0) return text_;
  text_ = searcher_.DocumentText(excerpt.passage.part,
                                 static_cast<std::size_t>(document - &segment.document(0)));
  return text_;
}

Excerpt WholeLines::Unit(const Excerpt& excerpt, const TermSet& wanted, TermReader& reader,
                         const WholeLimits& limits) {
  const std::string& file = FileOf(excerpt);
  const std::vector<std::string_view> lines = LinesWithoutEnds(file);
  const LineSpan own{.first = excerpt.first_line, .last = excerpt.last_line};
  if (own.last <= lines.size()) {
    LineSpan wide = own;
    if (const auto around = Around(passages::FileOutline(excerpt.language, file), own)) {
      wide = *around;
    } else if (excerpt.kind == index::PassageKind::kWindow) {
      wide.first = own.first > kAroundWindow ? own.first - kAroundWindow : 1;
      wide.last = std::min(own.last + kAroundWindow, static_cast<std::uint32_t>(lines.size()));
    }
    for (const LineSpan& span : {WithWholeTables(lines, wide), WithWholeTables(lines, own)}) {
      if (span.size() > limits.lines || BytesOf(lines, span) > limits.bytes) continue;
      if (auto moved = Moved(excerpt, file, span)) return WithoutLicence(*std::move(moved));
    }
  }
  Excerpt shown = WithoutLicence(excerpt);
  const Glimpse best = BestLines(shown.text, wanted, reader, limits);
  if (best.text.empty()) return shown;
  if (!shown.pin->pages.empty()) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < best.first; ++i) begin = shown.text.find('\n', begin) + 1;
    shown.characters_before +=
        evidence::CountCharacters(std::string_view(shown.text).substr(0, begin));
  }
  shown.first_line += static_cast<std::uint32_t>(best.first);
  shown.last_line = shown.first_line + static_cast<std::uint32_t>(CountLines(best.text)) - 1;
  shown.text = best.text;
  return shown;
}

std::optional<Excerpt> WholeLines::Lines(const Excerpt& excerpt, std::uint32_t first,
                                         std::uint32_t last) {
  const std::string& file = FileOf(excerpt);
  const auto count = static_cast<std::uint32_t>(CountLines(file));
  first = std::max(first, 1U);
  last = std::min(last, count);
  if (first > last) return std::nullopt;
  return Moved(excerpt, file, {.first = first, .last = last});
}

}  // namespace sibyl::draft
