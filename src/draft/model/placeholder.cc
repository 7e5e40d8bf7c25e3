// SPDX-License-Identifier: Apache-2.0
#include "draft/model/placeholder.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/ascii.h"
#include "base/strings.h"
#include "draft/model/model_page.h"

namespace sibyl::draft {
namespace {

// The first "{name}"; not "${NAME}", which a shell or CMake fills in.
std::string_view FirstPlaceholder(std::string_view code) {
  for (std::size_t at = code.find('{'); at != std::string_view::npos; at = code.find('{', at + 1)) {
    std::size_t end = at + 1;
    while (end < code.size() && (IsAlphanumeric(code[end]) || code[end] == '_' || code[end] == '.'))
      ++end;
    const bool is_name = end > at + 1 && !IsDigit(code[at + 1]);
    const bool is_variable = at > 0 && code[at - 1] == '$';
    if (is_name && !is_variable && end < code.size() && code[end] == '}') {
      return code.substr(at, end + 1 - at);
    }
  }
  return {};
}

// Whether a line has it in a message: a format string of Python with words before it. Of
// f"{name}_v{version}" the placeholders say how a name is made.
bool IsFilledIn(std::string_view line, std::string_view placeholder) {
  constexpr std::ptrdiff_t kFewestBlanks = 2;
  const std::size_t at = line.find(placeholder);
  if (at == std::string_view::npos) return false;
  const std::string_view before = line.substr(0, at);
  const std::size_t opening = before.find_last_of("\"'");
  if (opening == std::string_view::npos) return false;
  const std::string_view words = before.substr(opening);
  if (std::count(words.begin(), words.end(), ' ') < kFewestBlanks) return false;
  const bool is_marked = opening > 0 && (line[opening - 1] == 'f' || line[opening - 1] == 'F') &&
                         (opening == 1 || !IsAlphanumeric(line[opening - 2]));
  return is_marked || line.find(".format(", at) != std::string_view::npos;
}

}  // namespace

std::string PlaceholderIn(const ModelUnit& unit, const std::vector<CitedLines>& cited) {
  if (unit.kind == WrittenKind::kCode || unit.kind == WrittenKind::kQuote) return {};
  const std::string_view text = unit.text;
  for (std::size_t tick = text.find('`'); tick != std::string_view::npos;) {
    const std::size_t end = text.find('`', tick + 1);
    if (end == std::string_view::npos) return {};
    const std::string_view code = text.substr(tick + 1, end - tick - 1);
    const std::string_view placeholder = FirstPlaceholder(code);
    for (const CitedLines& lines : cited) {
      if (placeholder.empty()) break;
      const std::string source = TextOf(lines);
      for (const std::string_view line : SplitLines(source)) {
        if (IsFilledIn(line, placeholder)) return std::string(placeholder);
      }
    }
    tick = text.find('`', end + 1);
  }
  return {};
}

}  // namespace sibyl::draft
