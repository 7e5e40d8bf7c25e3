// SPDX-License-Identifier: Apache-2.0
// Finds one file of a tree by its path, folder by folder: a citation needs a
// few objects, not a listing.
#pragma once

#include <optional>
#include <string_view>

#include "git/object_reader.h"
#include "git/tree.h"

namespace sibyl::evidence {

/// The id and mode of the entry at the path in `tree`; nothing if there is no
/// such path, or a folder of it is not in the store. The entry's name is empty.
std::optional<git::TreeEntry> LookUpPath(git::ObjectReader& reader, const git::ObjectId& tree,
                                         std::string_view path);

/// The tree of a commit; a tree's id is its own.
std::optional<git::ObjectId> TreeOf(git::ObjectReader& reader, const git::ObjectId& commit_or_tree);

}  // namespace sibyl::evidence
