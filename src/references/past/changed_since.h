// SPDX-License-Identifier: Apache-2.0
// Which documents of a work tree a branch has changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "references/repository.h"

namespace sibyl::references {

/// The commit at which HEAD and the revision parted; the revision itself if they
/// have none in common.
Result<git::ObjectId> WherePartedFrom(const Repository& repository, std::string_view revision);

/// Whether a file of the work tree differs from that of the commit; a file that
/// only one of them has does.
bool IsChangedSince(const Repository& repository, const git::ObjectId& commit,
                    const std::string& path);

/// Documents that differ from those of the commit at which HEAD and the revision
/// parted, or that are not tracked; sorted. Compares bytes: `git diff` would run the filters of the
/// repository's configuration on files of the work tree.
Result<std::vector<std::string>> ChangedSince(const Repository& repository,
                                              std::string_view revision);

}  // namespace sibyl::references
