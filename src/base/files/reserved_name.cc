// SPDX-License-Identifier: Apache-2.0
#include "base/files/reserved_name.h"

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl {
namespace {

// Characters that HFS+ ignores in names, as in git's core.protectHFS.
bool IsIgnoredByHfs(char32_t c) {
  return (c >= 0x200c && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x206a && c <= 0x206f) || c == 0xfeff;
}

constexpr char32_t kLongS = 0x17f;  // APFS folds it to 's'

std::string Folded(std::string_view name) {
  std::string folded;
  while (!name.empty()) {
    const Utf8Character character = DecodeUtf8(name);
    if (character.code_point == kLongS) {
      folded += 's';
    } else if (!IsIgnoredByHfs(character.code_point)) {
      folded += name.substr(0, character.bytes);
    }
    name.remove_prefix(character.bytes);
  }
  folded = LowerCase(folded);
  folded = folded.substr(0, folded.find(':'));  // an NTFS stream of the same file
  while (!folded.empty() && (folded.back() == '.' || folded.back() == ' ')) folded.pop_back();
  return folded;
}

// "git~1", "sibyl~2": the first six letters, and a number.
bool IsShortNameOf(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem)) return false;
  name.remove_prefix(stem.size());
  return name.size() >= 2 && name.front() == '~' &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

}  // namespace

bool IsReservedName(std::string_view name) {
  const std::string folded = Folded(name);
  return folded == ".git" || folded == ".sibyl" || IsShortNameOf(folded, "git") ||
         IsShortNameOf(folded, "sibyl");
}

bool HasReservedName(std::string_view path) {
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (IsReservedName(path.substr(0, end))) return true;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return false;
}

}  // namespace sibyl
