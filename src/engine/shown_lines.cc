// SPDX-License-Identifier: Apache-2.0
#include "engine/shown_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace sibyl::engine {
namespace {

struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The bytes of a long line that are shown, whole characters around `at`.
Window WindowOf(std::string_view line, std::size_t at) {
  constexpr std::size_t kBefore = kShownOfLongLine / 3;
  std::size_t begin = at > kBefore ? at - kBefore : 0;
  begin = std::min(begin, line.size() - kShownOfLongLine);
  std::size_t end = begin + kShownOfLongLine;
  const auto is_inside_character = [&line](std::size_t place) {
    return place > 0 && place < line.size() &&
           (static_cast<unsigned char>(line[place]) & 0xC0U) == 0x80U;
  };
  // At most three bytes: more are no character.
  for (int i = 0; i < 3 && is_inside_character(begin); ++i) ++begin;
  for (int i = 0; i < 3 && is_inside_character(end); ++i) --end;
  return {.begin = begin, .end = end};
}

std::string Printable(std::string_view piece) {
  std::string text;
  for (const char c : ReplaceInvalidUtf8(piece)) {
    if (c == '\r') {
      text += "␍";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string ShownLine(std::string_view line, std::size_t at) {
  if (line.size() <= kLongestShownLine) return std::string(line);
  const auto [begin, end] = WindowOf(line, at);
  return fmt::format("{}{}{} ({} bytes)", begin > 0 ? "…" : "",
                     ReplaceInvalidUtf8(line.substr(begin, end - begin)),
                     end < line.size() ? "…" : "", line.size());
}

MarkedLine ShownLineWithMark(std::string_view line, std::size_t begin, std::size_t end) {
  const bool is_long = line.size() > kLongestShownLine;
  const Window shown = is_long ? WindowOf(line, begin) : Window{.begin = 0, .end = line.size()};
  begin = std::clamp(begin, shown.begin, shown.end);
  end = std::clamp(end, begin, shown.end);
  MarkedLine marked{.text = shown.begin > 0 ? "…" : ""};
  marked.text += Printable(line.substr(shown.begin, begin - shown.begin));
  marked.begin = marked.text.size();
  marked.text += Printable(line.substr(begin, end - begin));
  marked.end = marked.text.size();
  marked.text += Printable(line.substr(end, shown.end - end));
  if (shown.end < line.size()) marked.text += "…";
  if (is_long) marked.text += fmt::format(" ({} bytes)", line.size());
  return marked;
}

std::string ShownLines(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    shown += ShownLine(text.substr(at, end - at));
    if (end < text.size()) shown += '\n';
    at = end + 1;
  }
  return shown;
}

}  // namespace sibyl::engine
