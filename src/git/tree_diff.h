// SPDX-License-Identifier: Apache-2.0
// Which files differ between two trees. Reads trees only, never a file, so that
// it works where files were not fetched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "git/object_id.h"
#include "git/object_reader.h"

namespace sibyl::git {

/// A file, link or submodule that is in one tree only, or differs.
struct TreeChange {
  std::string path;
  ObjectId before;  ///< Null: it was added.
  ObjectId after;   ///< Null: it was removed.

  bool operator==(const TreeChange&) const = default;
};

struct TreeDifference {
  std::vector<TreeChange> changes;  ///< By path.
  bool is_complete = true;          ///< False: more than the limit, or a tree is missing.
};

/// Keeps the trees that it read lately: those of a commit are those of the next.
/// Not thread-safe; one for each thread.
class TreeDiffer {
 public:
  /// `objects` must outlive it.
  explicit TreeDiffer(const ObjectDatabase& objects) : reader_(objects) {}

  /// At most `most` changes, in at most a hundred times as many trees. A null id is the
  /// empty tree.
  TreeDifference Compare(const ObjectId& before, const ObjectId& after, std::size_t most);

 private:
  void CompareTrees(const ObjectId& before, const ObjectId& after, const std::string& folder);
  bool TakeTree(const ObjectId& id, std::string& bytes);

  ObjectReader reader_;
  std::unordered_map<ObjectId, std::string> trees_;
  std::size_t cached_bytes_ = 0;
  TreeDifference difference_;
  std::size_t most_ = 0;
  std::size_t trees_left_ = 0;
};

}  // namespace sibyl::git
