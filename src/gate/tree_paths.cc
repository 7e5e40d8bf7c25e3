// SPDX-License-Identifier: Apache-2.0
#include "gate/tree_paths.h"

#include <algorithm>

#include "evidence/look_up.h"
#include "git/tree.h"

namespace sibyl::gate {
namespace {

constexpr std::uint64_t kMaxTreeBytes = std::uint64_t{128} << 20;

}  // namespace

TreePaths::TreePaths(const git::ObjectDatabase& database) : reader_(database) {}

std::optional<git::ObjectId> TreePaths::TreeOf(const git::ObjectId& commit_or_tree) {
  const auto [at, is_new] = trees_.try_emplace(commit_or_tree);
  if (is_new) at->second = evidence::TreeOf(reader_, commit_or_tree);
  return at->second;
}

const TreePaths::Folder& TreePaths::Open(const git::ObjectId& tree) {
  const auto [at, is_new] = folders_.try_emplace(tree);
  if (!is_new) return at->second;
  const git::ObjectView view = reader_.Read(tree, kMaxTreeBytes);
  if (!view.ok() || view.type != git::ObjectType::kTree) return at->second;
  std::string_view rest = view.bytes;
  while (const auto entry = git::NextTreeEntry(rest)) {
    at->second.try_emplace(
        std::string(entry->name),
        Child{.id = entry->id, .is_folder = entry->IsFolder(), .is_file = entry->IsFile()});
  }
  return at->second;
}

std::optional<git::ObjectId> TreePaths::Find(const git::ObjectId& tree, std::string_view path) {
  git::ObjectId at = tree;
  std::string name;
  for (;;) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    name = path.substr(0, slash);
    const Folder& folder = Open(at);
    const auto child = folder.find(name);
    if (child == folder.end()) return std::nullopt;
    if (slash == path.size()) {
      return child->second.is_file ? std::optional(child->second.id) : std::nullopt;
    }
    if (!child->second.is_folder) return std::nullopt;
    at = child->second.id;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace sibyl::gate
