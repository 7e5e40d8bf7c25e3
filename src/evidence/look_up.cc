// SPDX-License-Identifier: Apache-2.0
#include "evidence/look_up.h"

#include <algorithm>
#include <cstddef>

#include "git/object_reader.h"

namespace sibyl::evidence {
namespace {

std::optional<git::TreeEntry> FindEntry(git::ObjectReader& reader, const git::ObjectId& tree,
                                        std::string_view name) {
  const git::ObjectView view = reader.Read(tree, git::kMaxTreeBytes);
  if (!view.ok() || view.type != git::ObjectType::kTree) return std::nullopt;
  std::string_view rest = view.bytes;
  while (std::optional<git::TreeEntry> entry = git::NextTreeEntry(rest)) {
    if (entry->name != name) continue;
    entry->name = {};  // the reader's bytes, gone at its next read
    return entry;
  }
  return std::nullopt;
}

}  // namespace

std::optional<git::TreeEntry> LookUpPath(git::ObjectReader& reader, const git::ObjectId& tree,
                                         std::string_view path) {
  git::TreeEntry at{.mode = git::kModeFolder, .name = {}, .id = tree};
  while (!path.empty()) {
    if (!at.IsFolder()) return std::nullopt;
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::optional<git::TreeEntry> next = FindEntry(reader, at.id, path.substr(0, slash));
    if (!next) return std::nullopt;
    at = *next;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return at;
}

std::optional<git::ObjectId> TreeOf(git::ObjectReader& reader,
                                    const git::ObjectId& commit_or_tree) {
  const git::ObjectView view = reader.Read(commit_or_tree, git::kMaxTreeBytes);
  if (!view.ok()) return std::nullopt;
  if (view.type == git::ObjectType::kTree) return commit_or_tree;
  if (view.type != git::ObjectType::kCommit) return std::nullopt;
  const std::optional<git::CommitSummary> summary = git::ParseCommit(view.bytes);
  if (!summary) return std::nullopt;
  return summary->tree;
}

}  // namespace sibyl::evidence
