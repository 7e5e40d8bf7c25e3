// SPDX-License-Identifier: Apache-2.0
// Turns a sorted list of files into git trees, folder by folder.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "git/object_id.h"
#include "git/pack_writer.h"

namespace sibyl::git {

struct TreeFile {
  std::string path;
  std::uint32_t mode = 0;
  ObjectId id;
};

/// The id of the root; all trees are added to `writer`. Paths are unique, none
/// is a folder of another. Their order does not matter to the result.
Result<ObjectId> WriteTrees(std::span<const TreeFile> files, PackWriter& writer);

}  // namespace sibyl::git
