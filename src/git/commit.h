// SPDX-License-Identifier: Apache-2.0
// A commit with everything that its object says: who wrote it, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "git/object_id.h"

namespace sibyl::git {

/// The views are into the commit's bytes.
struct Commit {
  ObjectId tree;
  std::vector<ObjectId> parents;
  std::string_view author_view;   ///< "Ada Lovelace <ada@example.org>"
  std::int64_t time = 0;          ///< Of the committer, seconds since 1970.
  std::string_view message_view;  ///< In whatever encoding it was written.
};

/// Nothing if the bytes are not a commit's. A commit of more than 64 parents is
/// read as if it had those.
std::optional<Commit> ParseWholeCommit(std::string_view bytes);

}  // namespace sibyl::git
