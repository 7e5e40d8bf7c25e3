// SPDX-License-Identifier: Apache-2.0
// Follows symbolic links inside an untrusted folder. Root allows links to
// anything inside it; in an oracle that includes .git/config, which may contain
// a password, and .sibyl. Here a link is followed only to files that are not in
// those folders.
#pragma once

#include <filesystem>
#include <string>

#include "base/files/root.h"
#include "base/result.h"

namespace sibyl {

/// Whether a name on `relative` is .git or .sibyl.
bool IsPrivatePath(const std::filesystem::path& relative);

/// `relative` with every link resolved. kUsage, with the name of the link, if
/// it leads out, into .git or .sibyl, or is circular. Components that do not
/// exist are kept.
Result<std::filesystem::path> FollowLinks(const Root& root, const std::filesystem::path& relative);

/// Reads the file that FollowLinks leads to.
Result<std::string> ReadFollowing(const Root& root, const std::filesystem::path& relative,
                                  const ReadFileOptions& options = {});

}  // namespace sibyl
