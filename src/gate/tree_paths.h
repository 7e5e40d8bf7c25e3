// SPDX-License-Identifier: Apache-2.0
// Which blob a path leads to in a commit or tree, for many paths: every folder
// is read and parsed once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "git/object_id.h"
#include "git/object_reader.h"

namespace sibyl::gate {

/// One per thread.
class TreePaths {
 public:
  /// `database` must outlive it.
  explicit TreePaths(const git::ObjectDatabase& database);

  /// The tree of a commit, or the tree itself; nothing when the store has it not.
  std::optional<git::ObjectId> TreeOf(const git::ObjectId& commit_or_tree);

  /// The blob of a file; nothing when there is no such file, or a folder on the
  /// way is not in the store.
  std::optional<git::ObjectId> Find(const git::ObjectId& tree, std::string_view path);

 private:
  struct Child {
    git::ObjectId id;
    bool is_folder = false;
    bool is_file = false;
  };
  using Folder = std::unordered_map<std::string, Child>;

  const Folder& Open(const git::ObjectId& tree);

  git::ObjectReader reader_;
  std::unordered_map<git::ObjectId, Folder> folders_;
  std::unordered_map<git::ObjectId, std::optional<git::ObjectId>> trees_;
};

}  // namespace sibyl::gate
