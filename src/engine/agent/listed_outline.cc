// SPDX-License-Identifier: Apache-2.0
#include "engine/agent/listed_outline.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "cards/file_cards.h"
#include "cards/spot.h"
#include "engine/agent/symbol_target.h"
#include "passages/language.h"

namespace sibyl::engine {
namespace {

std::string_view NameIn(std::string_view label) {
  const std::size_t at = label.find_last_of(":.");
  return at == std::string_view::npos ? label : label.substr(at + 1);
}

// "struct X;" and "enum X x," name a type and do not define it; "} a;" within another type names
// a member.
bool DefinesType(std::string_view line, std::string_view before, std::string_view after) {
  if (before.starts_with("typedef") || before.starts_with("using")) {
    return after.starts_with(';') || after.starts_with('=') || after.starts_with('{');
  }
  return line.starts_with('}') || after.starts_with('{') || after.starts_with(':');
}

bool IsListed(const cards::CardSpot& spot, std::string_view text) {
  const std::size_t start = text.rfind('\n', spot.name) + 1;
  const std::string_view line = text.substr(start);
  const std::string_view before = Trim(text.substr(start, spot.name - start));
  std::size_t end = std::size_t{spot.name} + spot.name_bytes;
  while (end < text.size() && IsBlank(text[end])) ++end;
  const std::string_view after = text.substr(end);
  if (spot.kind == cards::CardKind::kType) return DefinesType(line, before, after);
  const bool is_function =
      spot.kind == cards::CardKind::kFunction || spot.kind == cards::CardKind::kMethod;
  return is_function && !before.starts_with('#');
}

}  // namespace

std::vector<ListedEntry> OutlineToList(const evidence::CitedText& cited) {
  std::vector<ListedEntry> listed;
  std::set<std::string, std::less<>> names;
  for (passages::OutlineEntry& entry : OutlineOf(cited)) {
    const std::uint32_t line = entry.first_line;
    names.emplace(NameIn(entry.label));
    listed.push_back({.entry = std::move(entry), .name_line = line});
  }
  const std::string_view text = cited.text;
  const std::string_view language = passages::Classify(cited.citation.path, text).language;
  if (language != "c" && language != "c++" && language != "cuda") return listed;
  std::uint32_t line = 1;
  std::size_t counted = 0;  // bytes whose lines are counted
  for (const cards::CardSpot& spot :
       cards::SpotsOf({.path = cited.citation.path, .language = language, .text = text})) {
    const std::string_view between = text.substr(counted, spot.name - counted);
    line += static_cast<std::uint32_t>(std::count(between.begin(), between.end(), '\n'));
    counted = spot.name;
    const std::string_view name = text.substr(spot.name, spot.name_bytes);
    if (listed.size() >= passages::kMaxOutlineEntries) break;
    if (!IsListed(spot, text) || !names.emplace(NameIn(name)).second) continue;
    listed.push_back({.entry = {.first_line = spot.first_line,
                                .last_line = spot.last_line,
                                .label = std::string(name)},
                      .name_line = line});
  }
  std::stable_sort(listed.begin(), listed.end(), [](const ListedEntry& a, const ListedEntry& b) {
    return a.name_line < b.name_line;
  });
  return listed;
}

}  // namespace sibyl::engine
