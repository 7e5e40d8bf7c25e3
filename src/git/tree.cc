// SPDX-License-Identifier: Apache-2.0
#include "git/tree.h"

#include <charconv>
#include <cstddef>

namespace sibyl::git {
namespace {

std::optional<ObjectId> IdAfter(std::string_view bytes, std::string_view key) {
  if (!bytes.starts_with(key)) return std::nullopt;
  return ObjectId::FromHex(bytes.substr(key.size(), ObjectId::kDigits));
}

bool IsDotGit(std::string_view name) {
  // ".GIT" is the same folder on case-insensitive file systems.
  return name.size() == 4 && name[0] == '.' && (name[1] | 32) == 'g' && (name[2] | 32) == 'i' &&
         (name[3] | 32) == 't';
}

}  // namespace

std::optional<TreeEntry> NextTreeEntry(std::string_view& rest) {
  constexpr std::size_t kMaxModeDigits = 6;
  const std::size_t space = rest.substr(0, kMaxModeDigits + 1).find(' ');
  if (space == std::string_view::npos || space == 0) return std::nullopt;
  TreeEntry entry;
  for (const char digit : rest.substr(0, space)) {
    if (digit < '0' || digit > '7') return std::nullopt;
    entry.mode = entry.mode * 8 + static_cast<std::uint32_t>(digit - '0');
  }
  const std::size_t nul = rest.find('\0', space);
  if (nul == std::string_view::npos || rest.size() - nul <= ObjectId::kBytes) return std::nullopt;
  entry.name = rest.substr(space + 1, nul - space - 1);
  entry.id = ObjectId::FromRaw(rest.data() + nul + 1);
  rest.remove_prefix(nul + 1 + ObjectId::kBytes);
  return entry;
}

bool IsPlainName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && !IsDotGit(name) &&
         name.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos;
}

std::optional<CommitSummary> ParseCommit(std::string_view bytes) {
  const std::optional<ObjectId> tree = IdAfter(bytes, "tree ");
  if (!tree) return std::nullopt;
  CommitSummary summary{.tree = *tree};
  const std::string_view after_tree =
      bytes.substr(std::string_view("tree ").size() + ObjectId::kDigits);
  summary.parent = IdAfter(after_tree, "\nparent ").value_or(ObjectId());
  std::size_t begin = bytes.find("\ncommitter ");
  // The header ends at the first empty line; a message may say "committer" too.
  if (begin == std::string_view::npos || begin > bytes.find("\n\n")) return summary;
  const std::string_view line = bytes.substr(begin + 1, bytes.find('\n', begin + 1) - begin - 1);
  begin = line.rfind("> ");
  if (begin == std::string_view::npos) return summary;
  const std::string_view stamp = line.substr(begin + 2);
  std::from_chars(stamp.data(), stamp.data() + stamp.size(), summary.time);
  return summary;
}

std::optional<ObjectId> ParseTagTarget(std::string_view bytes) { return IdAfter(bytes, "object "); }

}  // namespace sibyl::git
