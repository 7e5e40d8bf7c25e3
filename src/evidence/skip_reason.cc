// SPDX-License-Identifier: Apache-2.0
#include "evidence/skip_reason.h"

#include <array>

#include "base/strings.h"

namespace sibyl::evidence {
namespace {

struct SkipWords {
  std::string_view text;
  std::string_view name;
};

constexpr std::array<SkipWords, kSkipReasons> kSkipWords = {{
    {"read", "none"},
    {"excluded", "excluded"},
    {"missing from the store", "missing"},
    {"too large", "too-large"},
    {"binary", "binary"},
    {"Git LFS pointer", "lfs-pointer"},
    {"symbolic link", "symlink"},
    {"submodule", "submodule"},
    {"corrupt", "corrupt"},
    {"unusable path", "odd-path"},
    {"unreadable", "unreadable"},
    {"not a regular file", "special"},
    {"generated", "generated"},
}};

}  // namespace

std::string_view SkipReasonText(SkipReason reason) {
  return kSkipWords[static_cast<std::size_t>(reason)].text;
}

std::string_view SkipReasonName(SkipReason reason) {
  return kSkipWords[static_cast<std::size_t>(reason)].name;
}

std::optional<SkipReason> ParseSkipReason(std::string_view name) {
  for (std::size_t i = 0; i < kSkipWords.size(); ++i) {
    if (kSkipWords[i].name == name) return static_cast<SkipReason>(i);
  }
  return std::nullopt;
}

SkipNotes ParseSkipNotes(std::string_view text) {
  SkipNotes notes;
  for (const std::string_view line : SplitLines(text)) {
    if (line.size() < git::ObjectId::kDigits + 2) continue;
    const std::optional<git::ObjectId> id =
        git::ObjectId::FromHex(line.substr(0, git::ObjectId::kDigits));
    const std::optional<SkipReason> reason =
        ParseSkipReason(line.substr(git::ObjectId::kDigits + 1));
    if (id && reason) notes[*id] = *reason;
  }
  return notes;
}

}  // namespace sibyl::evidence
