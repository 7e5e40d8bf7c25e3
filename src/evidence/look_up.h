// SPDX-License-Identifier: Apache-2.0
// Finds one file of a tree by its path, folder by folder: what a citation needs
// is a handful of objects, not a listing.
#pragma once

#include <optional>
#include <string_view>

#include "git/object_reader.h"
#include "git/tree.h"

namespace sibyl::evidence {

/// The id and mode of what the path names below `tree`; nothing when there is
/// no such path, or a folder on the way is not in the store. The entry's name
/// is empty.
std::optional<git::TreeEntry> LookUpPath(git::ObjectReader& reader, const git::ObjectId& tree,
                                         std::string_view path);

/// The tree of a commit; a tree's id is its own.
std::optional<git::ObjectId> TreeOf(git::ObjectReader& reader, const git::ObjectId& commit_or_tree);

}  // namespace sibyl::evidence
