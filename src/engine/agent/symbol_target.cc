// SPDX-License-Identifier: Apache-2.0
#include "engine/agent/symbol_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/line_span.h"
#include "base/nearest_name.h"
#include "base/strings.h"
#include "cards/definition.h"
#include "cards/file_cards.h"
#include "passages/language.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kMostNamed = 8;

std::string LinesText(const passages::OutlineEntry& entry) {
  return fmt::format("{}-{}", entry.first_line, entry.last_line);
}

// Declarations, macros and options have cards and are no entries of the outline.
std::vector<passages::OutlineEntry> CardsNamed(std::string_view symbol,
                                               const evidence::CitedText& cited) {
  const std::string_view language = passages::Classify(cited.citation.path, cited.text).language;
  std::vector<passages::OutlineEntry> found;
  for (const cards::Card& card : cards::ReadFileCards(
           {.path = cited.citation.path, .language = language, .text = cited.text})) {
    if (card.name != symbol || card.first_line == 0) continue;
    const bool is_new = std::none_of(found.begin(), found.end(), [&card](const auto& entry) {
      return entry.first_line == card.first_line;
    });
    if (!is_new) continue;
    found.push_back(
        {.first_line = card.first_line, .last_line = card.last_line, .label = card.name});
  }
  return found;
}

std::size_t LineAt(std::string_view text, std::size_t at) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size()));
  return static_cast<std::size_t>(std::count(text.begin(), end, '\n')) + 1;
}

// Of "typedef struct { … } Name;" only the last line has the name: from there
// back to its "typedef".
void WidenToBody(std::string_view symbol, const evidence::CitedText& cited,
                 passages::OutlineEntry& entry) {
  const auto last = TextOfLines(cited.text, {.first = entry.first_line, .last = entry.first_line});
  if (!last || !Trim(*last).starts_with("}")) return;
  const std::string_view text = cited.text;
  const std::string_view language = passages::Classify(cited.citation.path, text).language;
  for (const cards::Definition& found : cards::ReadDefinitionsOf(symbol, language, text)) {
    const bool is_it = found.kind != cards::DefinitionKind::kAlias && found.end > found.begin &&
                       LineAt(text, found.end - 1) == entry.first_line;
    const std::size_t word = is_it ? text.rfind("typedef", found.begin) : std::string_view::npos;
    if (word == std::string_view::npos) continue;
    entry.first_line = static_cast<std::uint32_t>(LineAt(text, word));
    return;
  }
}

Error NoSuchSymbol(std::string_view symbol, std::string_view path,
                   const std::vector<passages::OutlineEntry>& outline) {
  std::vector<std::string> names;
  names.reserve(outline.size());
  for (const passages::OutlineEntry& entry : outline) names.push_back(entry.label);
  const std::optional<std::string> nearest = NearestName(symbol, names);
  return {.kind = ErrorKind::kNotFound,
          .message = fmt::format("reading {}: it has no definition or section '{}'", path, symbol),
          .hint = nearest ? fmt::format("did you mean '{}'?", *nearest)
                          : "'sibyl source outline' lists what it has"};
}

Error SeveralSymbols(std::string_view symbol, std::string_view path,
                     const std::vector<passages::OutlineEntry>& found) {
  std::vector<std::string> places;
  places.reserve(kMostNamed);
  for (const passages::OutlineEntry& entry : found) {
    if (places.size() == kMostNamed) break;
    places.push_back(fmt::format("{} (lines {})", entry.label, LinesText(entry)));
  }
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("reading {}: it has {} named '{}'", path, found.size(), symbol),
          .hint = "read one by its lines: " + Join(places, ", ")};
}

}  // namespace

SymbolTarget SplitSymbol(std::string_view target) {
  const std::size_t at = target.rfind('#');
  if (target.starts_with("swh:") || at == std::string_view::npos || at == 0) return {target, {}};
  const std::string_view symbol = target.substr(at + 1);
  if (symbol.empty() || evidence::ParseLineRange(symbol)) return {target, {}};
  std::string_view file = target.substr(0, at);
  if (file.ends_with(':')) file.remove_suffix(1);
  return {file, symbol};
}

std::vector<passages::OutlineEntry> OutlineOf(const evidence::CitedText& cited) {
  return passages::FileOutline(passages::Classify(cited.citation.path, cited.text).language,
                               cited.text);
}

Status NarrowToSymbol(std::string_view symbol, evidence::CitedText& cited) {
  const std::vector<passages::OutlineEntry> outline = OutlineOf(cited);
  std::vector<passages::OutlineEntry> found = passages::FindInOutline(outline, symbol);
  if (found.empty()) found = CardsNamed(symbol, cited);
  if (found.empty()) return NoSuchSymbol(symbol, cited.citation.path, outline);
  if (found.size() > 1) return SeveralSymbols(symbol, cited.citation.path, found);
  WidenToBody(symbol, cited, found[0]);
  const LineRange lines{.first = found[0].first_line, .last = found[0].last_line};
  const std::optional<std::string_view> text = TextOfLines(cited.text, lines);
  if (!text) return NoSuchSymbol(symbol, cited.citation.path, outline);
  cited.text = std::string(*text);
  cited.citation.lines = lines;
  return {};
}

}  // namespace sibyl::engine
