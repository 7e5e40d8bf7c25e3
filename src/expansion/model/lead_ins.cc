// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/lead_ins.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "draft/model/model_page.h"
#include "draft/model/page_budget.h"
#include "draft/page_text.h"
#include "gate/claims/claims.h"

namespace sibyl::expansion {

using draft::ModelPoint;
using draft::ModelUnit;
using draft::UnitPlace;
using draft::WrittenKind;

bool LeadIns::LeadsIn(const UnitPlace& place, const std::vector<std::size_t>& kept,
                      std::size_t at) const {
  return draft::LeadsIn(manuscript_.PointOf(place), kept, at);
}

// A whole list, a table, a block of code.
std::vector<std::size_t> LeadIns::LedIn(const UnitPlace& place,
                                        const std::vector<std::size_t>& kept,
                                        std::size_t at) const {
  return draft::BlockAfter(manuscript_.PointOf(place), kept, at);
}

std::string LeadIns::WhyNot(const UnitPlace& place, const std::vector<std::size_t>& kept,
                            std::size_t at, draft::TermReader& reader,
                            const std::string& context) const {
  const ModelPoint& point = manuscript_.PointOf(place);
  const ModelUnit& unit = point.units[place.unit];
  if (manuscript_.IsOwn(place)) return {};
  std::vector<draft::CitedLines> cited;
  for (const std::size_t u : LedIn(place, kept, at)) {
    for (const draft::CitedLines& lines : draft::CitedBy(point.units[u], keys_)) {
      cited.push_back(draft::WholePassage(lines));
    }
  }
  if (cited.empty()) return "it has no passage key, and what it leads in has none";
  if (gate::OnlyLeadsOn(unit.text)) return {};
  const bool is_about = draft::WordSupport(reader, unit, cited, context) >= draft::kLeadInSupport;
  return is_about ? "" : "it has no passage key, and is not about what follows it";
}

bool LeadIns::Bind(const UnitPlace& place, const std::vector<std::size_t>& kept,
                   std::size_t at) const {
  constexpr std::size_t kMostMarks = 4;
  const ModelPoint& point = manuscript_.PointOf(place);
  if (!point.units[place.unit].marks.empty() || manuscript_.IsOwn(place)) return false;
  std::vector<std::string> marks;
  for (const std::size_t u : LedIn(place, kept, at)) {
    for (const std::string& mark : point.units[u].marks) {
      // The words of a mark are those of the other statement.
      std::string lines = mark.substr(0, mark.find(' '));
      const bool is_known = std::find(marks.begin(), marks.end(), lines) != marks.end();
      if (!is_known && marks.size() < kMostMarks && keys_.Find(lines)) {
        marks.push_back(std::move(lines));
      }
    }
  }
  if (marks.empty()) return false;
  ModelUnit& unit = manuscript_.PointOf(place).units[place.unit];
  unit.marks = std::move(marks);
  unit.is_bound = true;
  return true;
}

void LeadIns::BindAll() const {
  manuscript_.ForEachKept(
      [&](const UnitPlace& place, const std::vector<std::size_t>& kept, std::size_t at) {
        if (at + 1 == kept.size() || LeadsIn(place, kept, at)) return;
        const ModelPoint& point = manuscript_.PointOf(place);
        const ModelUnit& unit = point.units[place.unit];
        const ModelUnit& next = point.units[kept[at + 1]];
        const bool is_before = next.group != unit.group && next.kind != WrittenKind::kSentence;
        if (unit.kind == WrittenKind::kSentence && is_before) Bind(place, kept, at);
      });
}

// Whether nothing is left of what it led in when it was written.
bool LeadIns::HasLost(const UnitPlace& place, const std::vector<std::size_t>& kept,
                      std::size_t at) const {
  if (!LeadsIn(place, kept, at)) return true;
  const ModelPoint& point = manuscript_.PointOf(place);
  std::vector<std::size_t> all = {place.unit};
  for (std::size_t u = place.unit + 1; u < point.units.size(); ++u) {
    const bool is_lost = manuscript_.refused().contains(point.units[u].id);
    if (!is_lost || point.units[u].kind != WrittenKind::kSentence) all.push_back(u);
  }
  const std::vector<std::size_t> written = draft::BlockAfter(point, all, 0);
  return std::find(written.begin(), written.end(), kept[at + 1]) == written.end();
}

void LeadIns::DropLeadIns() const {
  manuscript_.ForEachKept([&](const UnitPlace& place, const std::vector<std::size_t>& kept,
                              std::size_t at) {
    ModelUnit& unit = manuscript_.PointOf(place).units[place.unit];
    const bool has_colon = unit.text.ends_with(':') && unit.kind != WrittenKind::kCode;
    if ((!has_colon && !unit.is_bound) || !HasLost(place, kept, at)) return;
    if (!unit.marks.empty() && !unit.is_bound) {
      unit.text.back() = '.';
      return;
    }
    manuscript_.Refuse(
        place, {.kind = draft::LossKind::kForm, .reason = "nothing is left of what it leads in"});
  });
}

// The unit before a list, a table, a quotation or code that led it in and is lost, or of
// a list the end of the paragraph before it, if all of that is lost.
std::optional<std::size_t> LeadIns::LostBefore(const UnitPlace& place) const {
  const ModelPoint& point = manuscript_.PointOf(place);
  const std::vector<ModelUnit>& units = point.units;
  if (units[place.unit].kind == WrittenKind::kSentence) return std::nullopt;
  std::size_t first = place.unit;
  while (first > 0 && !draft::IsSeparated(units[first - 1], units[first])) --first;
  if (first == 0) return std::nullopt;
  const std::size_t before = first - 1;
  UnitPlace at = place;
  const auto is_kept = [&](std::size_t u) { return !manuscript_.refused().contains(units[u].id); };
  at.unit = before;
  if (is_kept(before) || manuscript_.IsOwn(at)) return std::nullopt;
  const bool is_prose =
      units[before].kind == WrittenKind::kSentence || units[before].kind == WrittenKind::kItem;
  if (is_prose && (units[before].text.ends_with(':') || units[before].is_bound)) return before;
  if (units[place.unit].kind != WrittenKind::kItem ||
      units[before].kind != WrittenKind::kSentence) {
    return std::nullopt;
  }
  for (at.unit = 0; at.unit <= before; ++at.unit) {
    const bool is_in_paragraph = units[at.unit].group == units[before].group;
    if (is_in_paragraph && (is_kept(at.unit) || manuscript_.IsOwn(at))) return std::nullopt;
  }
  return before;
}

void LeadIns::NamePlaces() const {
  struct Line {
    UnitPlace after;
    std::string text;
  };
  std::vector<Line> lines;
  manuscript_.ForEachKept([&](const UnitPlace& place, const std::vector<std::size_t>& kept,
                              std::size_t at) {
    const ModelPoint& point = manuscript_.PointOf(place);
    const bool is_first = at == 0 ||
                          draft::IsSeparated(point.units[kept[at - 1]], point.units[place.unit]) ||
                          // Two lists that are one without what was between them.
                          LostBefore(place) > kept[at - 1];
    const std::optional<std::size_t> lost = is_first ? LostBefore(place) : std::nullopt;
    if (!lost) return;
    std::vector<draft::CitedLines> cited;
    for (std::size_t next = at; next < kept.size() && cited.empty(); ++next) {
      cited = draft::CitedBy(point.units[kept[next]], keys_);
    }
    UnitPlace after = place;
    after.unit = *lost;
    lines.push_back({.after = after, .text = PlaceLine("In", cited)});
  });
  // From the last on, so that the places of those before stay.
  std::reverse(lines.begin(), lines.end());
  for (Line& line : lines) manuscript_.AddOwn(line.after, std::move(line.text));
}

void LeadIns::Settle() const {
  DropLeadIns();
  NamePlaces();
}

std::string PlaceLine(std::string_view words, const std::vector<draft::CitedLines>& cited) {
  const bool has_path = !cited.empty() && cited.front().excerpt->pin->pages.empty();
  if (!has_path) return "From the sources:";
  const draft::Excerpt& excerpt = *cited.front().excerpt;
  return fmt::format("{} {} {}:", words, draft::Escaped(excerpt.pin->name),
                     draft::InCode(excerpt.path));
}

}  // namespace sibyl::expansion
