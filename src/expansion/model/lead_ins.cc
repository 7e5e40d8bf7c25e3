// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/lead_ins.h"

#include <algorithm>
#include <utility>

#include "draft/model/model_page.h"
#include "draft/model/page_budget.h"

namespace sibyl::expansion {

using draft::ModelPoint;
using draft::ModelUnit;
using draft::UnitPlace;
using draft::WrittenKind;

bool LeadIns::LeadsIn(const UnitPlace& place, const std::vector<std::size_t>& kept,
                      std::size_t at) const {
  return draft::LeadsIn(manuscript_.PointOf(place), kept, at);
}

// The units of the next group: a whole list, a table, a block of code.
std::vector<std::size_t> LeadIns::LedIn(const UnitPlace& place,
                                        const std::vector<std::size_t>& kept,
                                        std::size_t at) const {
  const ModelPoint& point = manuscript_.PointOf(place);
  std::vector<std::size_t> led;
  for (std::size_t next = at + 1; next < kept.size(); ++next) {
    const ModelUnit& unit = point.units[kept[next]];
    if (next > at + 1 && draft::IsSeparated(point.units[kept[next - 1]], unit)) break;
    led.push_back(kept[next]);
  }
  return led;
}

std::string LeadIns::WhyNot(const UnitPlace& place, const std::vector<std::size_t>& kept,
                            std::size_t at, draft::TermReader& reader,
                            const std::string& context) const {
  const ModelPoint& point = manuscript_.PointOf(place);
  const ModelUnit& unit = point.units[place.unit];
  // A line of the program claims nothing.
  if (unit.text == kNeutralLeadIn) return {};
  std::vector<draft::CitedLines> cited;
  for (const std::size_t u : LedIn(place, kept, at)) {
    for (const draft::CitedLines& lines : draft::CitedBy(point.units[u], keys_)) {
      cited.push_back(draft::WholePassage(lines));
    }
  }
  if (cited.empty()) return "it has no passage key, and what it leads in has none";
  const bool is_about = draft::WordSupport(reader, unit, cited, context) >= draft::kLeadInSupport;
  return is_about ? "" : "it has no passage key, and is not about what follows it";
}

bool LeadIns::Bind(const UnitPlace& place, const std::vector<std::size_t>& kept,
                   std::size_t at) const {
  constexpr std::size_t kMostMarks = 4;
  const ModelPoint& point = manuscript_.PointOf(place);
  if (!point.units[place.unit].marks.empty() || point.units[place.unit].text == kNeutralLeadIn) {
    return false;
  }
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

void LeadIns::Settle() const {
  manuscript_.ForEachKept([&](const UnitPlace& place, const std::vector<std::size_t>& kept,
                              std::size_t at) {
    ModelUnit& unit = manuscript_.PointOf(place).units[place.unit];
    const bool has_colon = unit.text.ends_with(':') && unit.kind != WrittenKind::kCode;
    if ((!has_colon && !unit.is_bound) || LeadsIn(place, kept, at)) return;
    if (!unit.marks.empty() && !unit.is_bound) {
      unit.text.back() = '.';
      return;
    }
    manuscript_.Refuse(
        place, {.kind = draft::LossKind::kForm, .reason = "nothing is left of what it leads in"});
  });
}

bool LeadIns::NeedsLine(const UnitPlace& place) const {
  const ModelPoint& point = manuscript_.PointOf(place);
  if (point.units[place.unit].text == kNeutralLeadIn) return false;
  const std::vector<std::size_t> kept = draft::KeptUnits(point, manuscript_.refused());
  const auto found = std::find(kept.begin(), kept.end(), place.unit);
  const auto at = static_cast<std::size_t>(found - kept.begin());
  return found != kept.end() && at > 0 && LeadsIn(place, kept, at);
}

void LeadIns::Refuse(const UnitPlace& place, draft::Refusal why) const {
  // What did not fit goes as a whole.
  const bool needs_line = why.kind != draft::LossKind::kLines && NeedsLine(place);
  manuscript_.Refuse(place, std::move(why));
  if (needs_line) manuscript_.AddOwn(place, std::string(kNeutralLeadIn));
}

}  // namespace sibyl::expansion
