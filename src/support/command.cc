// SPDX-License-Identifier: Apache-2.0
#include "support/command.h"

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

bool IsPart(char c) { return IsNameByte(c) || c == '-'; }

bool HasWhole(std::string_view lines, std::string_view word) {
  for (std::size_t at = lines.find(word); at != std::string_view::npos;
       at = lines.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !IsPart(lines[at - 1])) && (end == lines.size() || !IsPart(lines[end]))) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool IsCommand(std::string_view code) {
  constexpr std::size_t kLongest = 80;
  code = Trim(code);
  const std::size_t blank = code.find(' ');
  if (blank == std::string_view::npos || code.size() > kLongest || !IsLower(code[0])) return false;
  const std::string_view program = code.substr(0, blank);
  const bool is_plain = std::all_of(program.begin(), program.end(),
                                    [](char c) { return IsLower(c) || c == '_' || c == '-'; });
  return is_plain &&
         std::all_of(code.begin(), code.end(), [](char c) { return c == ' ' || IsPart(c); });
}

bool IsCommandOf(std::string_view code, std::string_view lines) {
  code = Trim(code);
  if (!IsCommand(code)) return false;
  for (std::string_view rest = Trim(code.substr(code.find(' '))); !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (!HasWhole(lines, rest.substr(0, end))) return false;
    rest = Trim(rest.substr(end));
  }
  return true;
}

}  // namespace sibyl::support
