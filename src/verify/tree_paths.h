// SPDX-License-Identifier: Apache-2.0
// Which blob a path leads to in a commit or tree, for many paths: every folder
// is read and taken apart once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "evidence/object_id.h"
#include "evidence/object_reader.h"

namespace sibyl::verify {

/// One per thread.
class TreePaths {
 public:
  /// `database` must outlive it.
  explicit TreePaths(const evidence::ObjectDatabase& database);

  /// The tree of a commit, or the tree itself; nothing when the store has it not.
  std::optional<evidence::ObjectId> TreeOf(const evidence::ObjectId& commit_or_tree);

  /// The blob of a file; nothing when there is no such file, or a folder on the
  /// way is not in the store.
  std::optional<evidence::ObjectId> Find(const evidence::ObjectId& tree, std::string_view path);

 private:
  struct Child {
    evidence::ObjectId id;
    bool is_folder = false;
    bool is_file = false;
  };
  using Folder = std::unordered_map<std::string, Child>;

  const Folder& Open(const evidence::ObjectId& tree);

  evidence::ObjectReader reader_;
  std::unordered_map<evidence::ObjectId, Folder> folders_;
  std::unordered_map<evidence::ObjectId, std::optional<evidence::ObjectId>> trees_;
};

}  // namespace sibyl::verify
