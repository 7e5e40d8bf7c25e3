// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/stretch.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_span.h"
#include "base/strings.h"
#include "draft/answer/telling_shape.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostLines = 20;
constexpr std::size_t kWidestGap = 3;  // lines
constexpr double kNewShare = 0.08;
constexpr double kBetterShape = 0.4;
constexpr std::size_t kMostAfter = 2;
constexpr std::size_t kWidestGapOfAnswers = 3;  // lines between them
constexpr std::size_t kMostJoinedLines = 24;

bool IsProse(const Unit& unit) {
  return unit.kind == UnitKind::kText || unit.kind == UnitKind::kSample;
}

// "This is because …": says nothing without what is before it.
bool GoesOn(std::string_view text) {
  constexpr std::array<std::string_view, 22> kOpenings = {
      "because ", "since ",   "this ",    "these ",    "so ",       "it ",
      "they ",    "however",  "thus",     "therefore", "otherwise", "hence",
      "as a ",    "for this", "in this ", "in that ",  "such ",     "instead",
      "then ",    "that is",  "to do so", "if you "};
  return std::any_of(kOpenings.begin(), kOpenings.end(), [&](std::string_view opening) {
    return StartsWithIgnoringCase(text, opening);
  });
}

void JoinUnits(const Unit& before, const Unit& after, Unit& joined) {
  const std::string_view gap = after.first_line > before.last_line + 1 ? "\n\n" : "\n";
  std::string text = before.text;
  text += gap;
  text += after.text;
  const bool has_code = before.kind == UnitKind::kSample || after.kind == UnitKind::kSample;
  joined = {.kind = has_code ? UnitKind::kSample : UnitKind::kText,
            .first_line = before.first_line,
            .last_line = after.last_line,
            .lead = before.lead,
            .text = std::move(text),
            .is_first = before.is_first,
            .has_comment = before.has_comment};
}

bool Fits(const Unit& before, const Unit& after) {
  return IsProse(before) && IsProse(after) && before.last_line < after.first_line &&
         after.first_line - before.last_line <= kWidestGap &&
         after.last_line - before.first_line < kMostLines;
}

// Lines without the indent that all of them have.
std::string WithoutIndent(std::string_view text) {
  const std::vector<std::string_view> lines = SplitLines(text);
  std::size_t indent = std::string_view::npos;
  for (const std::string_view line : lines) {
    if (!Trim(line).empty()) indent = std::min(indent, line.find_first_not_of(" \t"));
  }
  std::string plain;
  for (const std::string_view line : lines) {
    if (!plain.empty()) plain += '\n';
    if (!Trim(line).empty()) plain += line.substr(indent);
  }
  return plain;
}

}  // namespace

bool AreNeighbours(const Unit& one, const Unit& other) {
  const Unit& before = one.first_line < other.first_line ? one : other;
  const Unit& after = one.first_line < other.first_line ? other : one;
  return after.first_line > before.last_line &&
         after.first_line - before.last_line <= kWidestGapOfAnswers + 1 &&
         after.last_line - before.first_line < kMostJoinedLines;
}

Unit JoinNeighbours(const Unit& one, const Unit& other, std::string_view document) {
  const Unit& before = one.first_line < other.first_line ? one : other;
  const Unit& after = one.first_line < other.first_line ? other : one;
  const auto is_either = [&](UnitKind kind) { return one.kind == kind || other.kind == kind; };
  Unit joined = before;
  joined.last_line = after.last_line;
  joined.kind = is_either(UnitKind::kCode) ? UnitKind::kCode
                : one.kind == other.kind   ? one.kind
                                           : UnitKind::kSample;
  const std::optional<std::string_view> lines =
      TextOfLines(document, {joined.first_line, joined.last_line});
  if (lines) {
    joined.text = WithoutIndent(*lines);
  } else {
    joined.text = before.text + "\n\n" + after.text;
  }
  while (joined.text.ends_with('\n')) joined.text.pop_back();
  return joined;
}

bool UnitStretcher::Adds(const Unit& unit, const Unit& other) {
  const TextMatch own = matcher_->Match(unit.text);
  const TermMask met = own.terms | own.similar | matcher_->MaskOf(unit.lead) | place_;
  const TextMatch there = matcher_->Match(other.text);
  return matcher_->Share((there.terms | there.similar) & ~met) >= kNewShare ||
         TellingShape(*question_, other) >= TellingShape(*question_, unit) + kBetterShape;
}

std::vector<Unit> UnitStretcher::UnitsOf(const CandidatePassage& candidate) const {
  const index::Hit& hit = candidate.hit;
  const bool is_prose = hit.kind == index::PassageKind::kProse;
  const Asker asker = question_->asker;
  return candidate.is_card ? ReadCardUnits(hit.language_view, is_prose, candidate.text, asker)
                           : ReadUnits(hit.language_view, is_prose, candidate.text, asker);
}

Unit UnitStretcher::WithNext(const CandidatePassage& candidate, const Unit& unit) {
  Unit whole = unit;
  if (!IsProse(unit)) return whole;
  const std::vector<Unit> units = UnitsOf(candidate);
  const auto next = std::find_if(units.begin(), units.end(), [&](const Unit& other) {
    return other.first_line > unit.last_line;
  });
  if (next == units.end() || next->is_first || !Fits(unit, *next)) return whole;
  JoinUnits(unit, *next, whole);
  return whole;
}

Unit UnitStretcher::Stretch(const CandidatePassage& candidate, const Unit& unit) {
  Unit stretched = unit;
  if (!IsProse(unit)) return stretched;
  const std::vector<Unit> units = UnitsOf(candidate);
  const auto own = std::find_if(units.begin(), units.end(), [&](const Unit& other) {
    return other.first_line == unit.first_line && other.last_line == unit.last_line;
  });
  if (own == units.end()) return stretched;
  place_ = matcher_->MaskOf(candidate.hit.heading_view);
  std::size_t added = 0;
  for (auto next = own + 1; next != units.end() && added < kMostAfter; ++next, ++added) {
    if (next->is_first || !Fits(stretched, *next)) break;
    if (!GoesOn(next->text) && !Adds(stretched, *next)) break;
    JoinUnits(stretched, *next, stretched);
  }
  if (own != units.begin() && !own->is_first) {
    const Unit& before = *(own - 1);
    if (Fits(before, stretched) && (GoesOn(unit.text) || Adds(stretched, before))) {
      JoinUnits(before, Unit(stretched), stretched);
    }
  }
  return stretched;
}

}  // namespace sibyl::draft
