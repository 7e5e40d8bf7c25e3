// SPDX-License-Identifier: Apache-2.0
#include "cards/fold.h"

#include <algorithm>

#include "base/ascii.h"

namespace sibyl::cards {

std::string FoldWhole(std::string_view name) {
  std::string folded;
  folded.reserve(name.size());
  for (const char c : name) {
    if (IsUpper(c)) {
      folded += static_cast<char>(c - 'A' + 'a');
    } else if (IsLower(c) || IsDigit(c) || static_cast<unsigned char>(c) >= 0x80) {
      folded += c;
    }
  }
  return folded;
}

std::string_view LastPart(std::string_view name) {
  const std::size_t at = name.find_last_of(":.>");
  if (at == std::string_view::npos || at + 1 >= name.size()) return name;
  return name.substr(at + 1);
}

std::string FoldName(std::string_view name, CardKind kind) {
  const bool is_whole = kind == CardKind::kInstruction || kind == CardKind::kMetric ||
                        kind == CardKind::kErrorText || kind == CardKind::kEntry;
  return FoldWhole(is_whole ? name : LastPart(name));
}

std::string_view UpToShape(std::string_view instruction) {
  for (std::size_t at = instruction.find(".m"); at != instruction.npos;
       at = instruction.find(".m", at + 2)) {
    std::size_t i = at + 2;
    while (i < instruction.size() && IsDigit(instruction[i])) ++i;
    if (i == at + 2 || i >= instruction.size() || instruction[i] != 'n') continue;
    return instruction.substr(0, std::min(instruction.find('.', i), instruction.size()));
  }
  return {};
}

}  // namespace sibyl::cards
