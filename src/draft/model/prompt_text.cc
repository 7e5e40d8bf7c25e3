// SPDX-License-Identifier: Apache-2.0
#include "draft/model/prompt_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/line_span.h"
#include "base/one_line.h"
#include "draft/page_frame.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostHeading = 160;
constexpr std::size_t kMostLineBytes = 2'000;

}  // namespace

std::string SafeLine(std::string_view text, std::size_t most) {
  std::string line = OneLine(text, most);
  for (std::size_t at = line.find("</"); at != std::string::npos; at = line.find("</", at)) {
    line.replace(at, 2, "< /");
  }
  return line;
}

std::string PlaceInPrompt(const Excerpt& excerpt) {
  std::string place = SafeLine(fmt::format("{} {}:{}", excerpt.pin->name, excerpt.path,
                                           ShownLineRange(excerpt.first_line, excerpt.last_line)),
                               kMostPromptLineBytes);
  if (!excerpt.heading.empty()) place += ", " + SafeLine(excerpt.heading, kMostHeading);
  return place;
}

void AppendNumberedLines(std::string_view text, std::size_t first_line, std::string& out) {
  std::size_t number = first_line;
  for (const std::string_view line : LinesWithoutEnds(text)) {
    std::string shown =
        line.size() > kMostLineBytes ? OneLine(line, kMostLineBytes) : std::string(line);
    // To a reader a lone carriage return could end the line, and with it its number.
    std::replace(shown.begin(), shown.end(), '\r', ' ');
    out += fmt::format("{:>5} | {}\n", number++, shown);
  }
}

}  // namespace sibyl::draft
