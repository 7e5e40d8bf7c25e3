// SPDX-License-Identifier: Apache-2.0
// Stages of a Dockerfile: from one FROM to the next.
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "passages/outline.h"

namespace sibyl::passages {
namespace {

// "FROM --platform=x image:tag AS name": the name, else the image.
std::string StageName(std::string_view line) {
  std::string image;
  bool name_follows = false;
  std::string_view rest = Trim(line.substr(4));
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest = Trim(rest.substr(end));
    if (name_follows) return std::string(word);
    if (word.starts_with("--")) continue;
    if (!image.empty() && EqualsIgnoringCase(word, "as")) name_follows = true;
    if (image.empty()) image = word;
  }
  return image;
}

bool IsFrom(std::string_view line) {
  const std::string_view trimmed = Trim(line);
  return StartsWithIgnoringCase(trimmed, "from ") || StartsWithIgnoringCase(trimmed, "from\t");
}

}  // namespace

std::vector<OutlineSpan> OutlineDockerfile(const LineTable& lines) {
  std::vector<OutlineSpan> spans;
  bool continued = false;
  for (std::size_t i = 0; i < lines.count(); ++i) {
    const std::string_view line = Trim(lines.text(i));
    if (!continued && IsFrom(line)) {
      std::size_t first = i;
      const std::size_t floor = spans.empty() ? 0 : spans.back().first + 1;
      while (first > floor && Trim(lines.text(first - 1)).starts_with('#')) --first;
      if (!spans.empty()) spans.back().end = first;
      spans.push_back({first, lines.count(), StageName(line)});
    }
    continued = line.ends_with('\\') || (continued && line.starts_with('#'));
  }
  return spans;
}

}  // namespace sibyl::passages
