// SPDX-License-Identifier: Apache-2.0
#include "draft/agent/section_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/strings.h"

namespace sibyl::draft {
namespace {

// "[^a]" at the beginning: its bytes; zero if there is none.
std::size_t MarkBytes(std::string_view text) {
  if (!text.starts_with("[^")) return 0;
  const std::size_t end = text.find_first_of("]\n [", 2);
  return end == std::string_view::npos || text[end] != ']' || end == 2 ? 0 : end + 1;
}

std::vector<std::string> MarksOf(std::string_view text) {
  std::vector<std::string> marks;
  for (std::size_t at = text.find("[^"); at != std::string_view::npos;
       at = text.find("[^", at + 1)) {
    if (const std::size_t bytes = MarkBytes(text.substr(at))) {
      marks.emplace_back(text.substr(at, bytes));
    }
  }
  return marks;
}

// "[^a]: TARGET" of a line.
std::optional<std::string_view> DefinedMark(std::string_view line) {
  const std::size_t bytes = MarkBytes(line);
  if (bytes == 0 || line.substr(bytes, 1) != ":") return std::nullopt;
  return line.substr(0, bytes);
}

// Text as it is read, and where each of its bytes is.
struct VisibleText {
  std::string text;
  std::vector<std::size_t> places;
};

VisibleText AsVisible(std::string_view text) {
  VisibleText read;
  const auto add = [&](char c, std::size_t place) {
    read.text += c;
    read.places.push_back(place);
  };
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    if (!DefinedMark(text.substr(line, end - line))) {
      for (std::size_t at = line; at < end;) {
        if (const std::size_t mark = MarkBytes(text.substr(at))) {
          at += mark;
          continue;
        }
        const bool is_blank = text[at] == ' ' || text[at] == '\t';
        if (!is_blank) {
          add(text[at], at);
        } else if (!read.text.empty() && read.text.back() != ' ') {
          add(' ', at);
        }
        ++at;
      }
    }
    if (!read.text.empty() && read.text.back() != ' ') add(' ', end);
    line = end + 1;
  }
  return read;
}

struct Place {
  std::size_t section = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Place> ExactPlaces(const std::vector<AgentSection>& sections, std::string_view old) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::string_view text = sections[i].text;
    for (std::size_t at = text.find(old); at != std::string_view::npos;
         at = text.find(old, at + old.size())) {
      places.push_back({.section = i, .begin = at, .end = at + old.size()});
    }
  }
  return places;
}

std::vector<Place> ReadPlaces(const std::vector<AgentSection>& sections, std::string_view old) {
  const VisibleText wanted = AsVisible(old);
  const std::string_view needle = Trim(wanted.text);
  std::vector<Place> places;
  if (needle.empty()) return places;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const VisibleText read = AsVisible(sections[i].text);
    for (std::size_t at = read.text.find(needle); at != std::string::npos;
         at = read.text.find(needle, at + needle.size())) {
      places.push_back(
          {.section = i, .begin = read.places[at], .end = read.places[at + needle.size() - 1] + 1});
    }
  }
  return places;
}

Result<Place> OnlyPlace(const std::vector<AgentSection>& sections, const std::string& old) {
  std::vector<Place> places;
  if (!Trim(old).empty()) places = ExactPlaces(sections, old);
  if (places.empty()) places = ReadPlaces(sections, old);
  if (places.size() == 1) return places.front();
  if (places.empty()) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("the page does not have the text '{}'", old),
                 .hint = "copy it from the page; its footnote marks may be left out"};
  }
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("the page has the text '{}' in {} places", old, places.size()),
      .hint = "give more of the words around it"};
}

std::optional<std::string> DefinitionIn(std::string_view text, std::string_view mark) {
  for (const std::string_view line : SplitLines(text)) {
    if (DefinedMark(line) == mark) return std::string(line);
  }
  return std::nullopt;
}

bool DefinedIn(const std::vector<AgentSection>& sections, std::string_view mark) {
  return std::any_of(sections.begin(), sections.end(), [mark](const AgentSection& section) {
    return DefinitionIn(section.text, mark).has_value();
  });
}

Result<std::string> DefinitionOf(const std::string& mark, const std::vector<AgentSection>& sections,
                                 const NewReceipts& receipts) {
  const std::string label = mark.substr(2, mark.size() - 3);
  if (const auto given = receipts.find(label); given != receipts.end()) {
    return fmt::format("{}: {}", mark, given->second);
  }
  for (const AgentSection& section : sections) {
    if (auto line = DefinitionIn(section.text, mark)) return *std::move(line);
  }
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("the mark {} is defined nowhere", mark),
               .hint = fmt::format("give its lines: --cite {}=SOURCE:PATH:10-12", label)};
}

// Definitions whose mark is used nowhere else go.
std::string WithoutUnused(std::string_view text) {
  const std::vector<std::string_view> lines = SplitLines(text);
  std::string body;
  for (const std::string_view line : lines) {
    if (!DefinedMark(line)) body += std::string(line) + '\n';
  }
  const std::vector<std::string> used = MarksOf(body);
  std::string kept;
  for (const std::string_view line : lines) {
    const auto mark = DefinedMark(line);
    if (mark && std::find(used.begin(), used.end(), *mark) == used.end()) continue;
    kept += std::string(line) + '\n';
  }
  return kept;
}

}  // namespace

Result<std::size_t> ChangeSection(std::vector<AgentSection>& sections, const SectionChange& change,
                                  const NewReceipts& receipts) {
  Place place = SIBYL_TRY(OnlyPlace(sections, change.old_text));
  std::string& text = sections[place.section].text;
  std::string written = change.new_text;
  const std::vector<std::string> own = MarksOf(written);
  if (!own.empty() || Trim(written).empty()) {
    while (const std::size_t bytes = MarkBytes(std::string_view(text).substr(place.end))) {
      place.end += bytes;
    }
  } else {
    for (const std::string& mark : MarksOf(text.substr(place.begin, place.end - place.begin))) {
      written += mark;
    }
  }
  for (const auto& [label, target] : receipts) {
    const std::string mark = fmt::format("[^{}]", label);
    if (std::find(own.begin(), own.end(), mark) == own.end() || !DefinedIn(sections, mark))
      continue;
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("the page has a mark {} already", mark),
                 .hint = fmt::format("call yours something else, for {}", target)};
  }
  std::string changed = text.substr(0, place.begin) + written + text.substr(place.end);
  for (const std::string& mark : own) {
    if (DefinitionIn(changed, mark)) continue;
    const std::string line = SIBYL_TRY(DefinitionOf(mark, sections, receipts));
    while (changed.ends_with('\n')) changed.pop_back();
    const bool is_first = !DefinedMark(SplitLines(changed).back());
    changed += (is_first ? "\n\n" : "\n") + line + '\n';
  }
  text = WithoutUnused(changed);
  return place.section;
}

}  // namespace sibyl::draft
