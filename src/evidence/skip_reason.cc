// SPDX-License-Identifier: Apache-2.0
#include "evidence/skip_reason.h"

#include <array>

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

}  // namespace sibyl::evidence
