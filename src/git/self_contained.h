// SPDX-License-Identifier: Apache-2.0
// Whether a local repository contains all its objects. Git lets it borrow them
// from another one (objects/info/alternates, commondir, links). A repository
// from a clone or an archive could refer to one of the user's private
// repositories, whose content would then be pinned as a source.
#pragma once

#include <filesystem>
#include <optional>

#include "base/files/root.h"
#include "base/result.h"

namespace sibyl::git {

/// kUsage, with what to do, when anything below the objects folder is a link,
/// or when it borrows from a repository outside of `boundary`.
Status CheckSelfContained(const std::filesystem::path& objects,
                          const std::filesystem::path& boundary);

/// A folder; with `within`, only if it is inside and no link is on the way to it.
Result<Root> OpenWithin(const std::filesystem::path& folder,
                        const std::optional<std::filesystem::path>& within);

/// Whether `path` is `boundary` or below it, links resolved.
bool IsWithin(const std::filesystem::path& path, const std::filesystem::path& boundary);

}  // namespace sibyl::git
