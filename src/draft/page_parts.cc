// SPDX-License-Identifier: Apache-2.0
#include "draft/page_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "draft/page_text.h"

namespace sibyl::draft {
namespace {

// "sections 1–3 extracted", or one such piece for each stretch.
std::string Makings(const std::vector<DraftSection>& sections, std::string_view note) {
  std::vector<std::string> pieces;
  for (std::size_t first = 0, next = 0; first < sections.size(); first = next) {
    const Making making = sections[first].making;
    while (next < sections.size() && sections[next].making == making) ++next;
    const std::string numbers = next == first + 1 ? fmt::format("section {}", next)
                                                  : fmt::format("sections {}–{}", first + 1, next);
    const bool has_note = making != Making::kExtracted && !note.empty();
    pieces.push_back(fmt::format("{} {}", numbers, MakingName(making)));
    if (has_note) pieces.back() += fmt::format(" {}", note);
  }
  return Join(pieces, ", ");
}

}  // namespace

std::string StampOf(const Draft& draft, const StampFacts& facts) {
  std::string stamp = fmt::format("> {} · {}", facts.program, FormatDate(facts.time));
  if (!facts.pins.empty()) stamp += " · " + Join(facts.pins, ", ");
  return stamp + fmt::format(" · {0} of {0} citations hold · {1} of {2} points covered · {3}",
                             facts.citations, CoveredCount(draft), PointCount(draft),
                             Makings(draft.sections, facts.making_note));
}

std::vector<std::string> PlannedTable(const std::vector<PlannedRow>& rows) {
  std::vector<std::string> lines = {"| planned | covered by |", "| --- | --- |"};
  for (const PlannedRow& row : rows) {
    lines.push_back(fmt::format("| {} | {} |", EscapedCell(row.point), row.where));
  }
  return lines;
}

std::string ContradictedLine(std::string_view point) {
  // More than one sentence cannot be named in one.
  const bool is_one = point.find(". ") == std::string_view::npos &&
                      point.find("? ") == std::string_view::npos &&
                      point.find("! ") == std::string_view::npos;
  if (!is_one) return "The sources contradict this point of the plan.";
  const bool has_end = point.ends_with('.') || point.ends_with('?') || point.ends_with('!');
  return fmt::format("The sources contradict this point of the plan: {}{}", point,
                     has_end ? "" : ".");
}

std::string MissLine(std::string_view point, std::string_view why) {
  return fmt::format("- *{}*: {}.", Escaped(point), Escaped(why));
}

std::vector<UsedSource> CountSources(const std::vector<const evidence::Pin*>& pins) {
  std::map<std::string_view, UsedSource> sources;
  for (const evidence::Pin* pin : pins) {
    UsedSource& source = sources[pin->name];
    source.name = pin->name;
    source.pin = evidence::ShortPin(*pin);
    source.origin = pin->origin;
    ++source.citations;
  }
  std::vector<UsedSource> ordered;
  ordered.reserve(sources.size());
  for (auto& [name, source] : sources) ordered.push_back(std::move(source));
  return ordered;
}

std::vector<std::string> BestNames(const std::map<std::string, std::size_t>& counted) {
  constexpr std::size_t kMost = 12;
  std::vector<std::pair<std::size_t, std::string_view>> ranked;
  ranked.reserve(counted.size());
  for (const auto& [name, count] : counted) ranked.emplace_back(count, name);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  ranked.resize(std::min(ranked.size(), kMost));
  std::vector<std::string> names;
  names.reserve(ranked.size());
  for (const auto& [count, name] : ranked) names.emplace_back(name);
  return names;
}

}  // namespace sibyl::draft
