// SPDX-License-Identifier: Apache-2.0
#include "evidence/look_up.h"

#include <algorithm>
#include <cstddef>

#include "evidence/object_reader.h"

namespace sibyl::evidence {
namespace {

std::optional<TreeEntry> FindEntry(ObjectReader& reader, const ObjectId& tree,
                                   std::string_view name) {
  const ObjectView view = reader.Read(tree, kMaxTreeBytes);
  if (!view.ok() || view.type != ObjectType::kTree) return std::nullopt;
  std::string_view rest = view.bytes;
  while (std::optional<TreeEntry> entry = NextTreeEntry(rest)) {
    if (entry->name != name) continue;
    entry->name = {};  // the reader's bytes, gone at its next read
    return entry;
  }
  return std::nullopt;
}

}  // namespace

std::optional<TreeEntry> LookUpPath(ObjectReader& reader, const ObjectId& tree,
                                    std::string_view path) {
  TreeEntry at{.mode = kModeFolder, .name = {}, .id = tree};
  while (!path.empty()) {
    if (!at.IsFolder()) return std::nullopt;
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::optional<TreeEntry> next = FindEntry(reader, at.id, path.substr(0, slash));
    if (!next) return std::nullopt;
    at = *next;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return at;
}

std::optional<ObjectId> TreeOf(ObjectReader& reader, const ObjectId& commit_or_tree) {
  const ObjectView view = reader.Read(commit_or_tree, kMaxTreeBytes);
  if (!view.ok()) return std::nullopt;
  if (view.type == ObjectType::kTree) return commit_or_tree;
  if (view.type != ObjectType::kCommit) return std::nullopt;
  const std::optional<CommitSummary> summary = ParseCommit(view.bytes);
  if (!summary) return std::nullopt;
  return summary->tree;
}

}  // namespace sibyl::evidence
