// SPDX-License-Identifier: Apache-2.0
#include "references/find/quick_look.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::references {
namespace {

// What starts the word for "line" in other languages; none is a part of "line".
bool HasOtherLineWord(std::string_view document) {
  constexpr auto kStarts = std::to_array<std::string_view>(
      {"zeile", "Zeile", "ligne", "Ligne", "línea", "Línea", "linha", "Linha", "lini", "Lini",
       "riga ", "Riga ", "righe", "Righe", "строк", "Строк"});
  return std::any_of(kStarts.begin(), kStarts.end(), [&](std::string_view start) {
    return document.find(start) != std::string_view::npos;
  });
}

}  // namespace

bool MayHaveReferences(std::string_view document) {
  if (document.starts_with("Line") || document.starts_with("LINE")) return true;
  for (std::size_t at = 0; at + 1 < document.size(); ++at) {
    const char next = document[at + 1];
    switch (document[at]) {
      case ':':
      case 'L':
        if (IsDigit(next) || next == 'L' || next == '~') return true;
        break;
      case '(':
        if (IsDigit(next) && at > 0 && IsLetter(document[at - 1])) return true;
        if (IsDigit(next) && at > 1 && document[at - 2] == '`') return true;
        break;
      case 'l':
        if (next == 'i' && document.substr(at).starts_with("line")) return true;
        if (next == '.' && at + 2 < document.size() && IsDigit(document[at + 2])) return true;
        break;
      default:
        break;
    }
    if (next == 'L' && document.substr(at + 1).starts_with("Line")) return true;
    if (next == 'L' && document.substr(at + 1).starts_with("LINE")) return true;
    if (document[at] == '\xe8' && document.substr(at).starts_with("行")) return true;
  }
  return HasOtherLineWord(document);
}

std::string PinnedCommit(std::string_view document) {
  if (!document.starts_with("---\n") && !document.starts_with("---\r\n")) return {};
  constexpr std::size_t kLongestFrontMatter = 16'384;
  const std::string_view head = document.substr(0, kLongestFrontMatter);
  const std::size_t end = head.find("\n---", 3);
  if (end == std::string_view::npos) return {};
  for (const std::string_view line : SplitLines(head.substr(4, end - 3))) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string key = LowerCase(Trim(line.substr(0, colon)));
    if (!key.ends_with("commit") && key != "revision" && !key.ends_with("sha")) continue;
    std::string_view value = Trim(line.substr(colon + 1));
    while (!value.empty() && (value.front() == '"' || value.front() == '\'')) {
      value.remove_prefix(1);
    }
    std::size_t digits = 0;
    while (digits < value.size() && HexValue(value[digits]) >= 0) ++digits;
    if (digits >= 7 && digits <= 40 && (digits == value.size() || !IsNameByte(value[digits]))) {
      return std::string(value.substr(0, digits));
    }
  }
  return {};
}

}  // namespace sibyl::references
