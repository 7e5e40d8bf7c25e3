// SPDX-License-Identifier: Apache-2.0
#include "git/commit.h"

#include <charconv>

namespace sibyl::git {
namespace {

constexpr std::size_t kMostParents = 64;

// Takes the first line from `rest`, without its end.
std::string_view TakeHeaderLine(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return line;
}

// "Ada <ada@example.org> 1767322800 +0100": what is before the time.
std::string_view PersonOf(std::string_view line) {
  const std::size_t end = line.rfind("> ");
  return end == std::string_view::npos ? line : line.substr(0, end + 1);
}

std::int64_t TimeOf(std::string_view line) {
  std::int64_t time = 0;
  const std::size_t end = line.rfind("> ");
  if (end == std::string_view::npos) return time;
  const std::string_view stamp = line.substr(end + 2);
  std::from_chars(stamp.data(), stamp.data() + stamp.size(), time);
  return time;
}

}  // namespace

std::optional<Commit> ParseWholeCommit(std::string_view bytes) {
  constexpr std::string_view kTree = "tree ";
  constexpr std::string_view kParent = "parent ";
  constexpr std::string_view kAuthor = "author ";
  constexpr std::string_view kCommitter = "committer ";
  std::string_view line = TakeHeaderLine(bytes);
  if (!line.starts_with(kTree)) return std::nullopt;
  const std::optional<ObjectId> tree = ObjectId::FromHex(line.substr(kTree.size()));
  if (!tree) return std::nullopt;
  Commit commit;
  commit.tree = *tree;
  // The header ends at the first empty line; a signature in it has lines of its
  // own, which begin with a space.
  while (!bytes.empty()) {
    line = TakeHeaderLine(bytes);
    if (line.empty()) break;
    if (line.starts_with(kParent)) {
      const std::optional<ObjectId> parent = ObjectId::FromHex(line.substr(kParent.size()));
      if (!parent) return std::nullopt;
      if (commit.parents.size() < kMostParents) commit.parents.push_back(*parent);
    } else if (line.starts_with(kAuthor)) {
      commit.author_view = PersonOf(line.substr(kAuthor.size()));
    } else if (line.starts_with(kCommitter)) {
      commit.time = TimeOf(line);
    }
  }
  commit.message_view = bytes;
  return commit;
}

}  // namespace sibyl::git
