// SPDX-License-Identifier: Apache-2.0
// Following symbolic links inside a folder that somebody else wrote. Root alone
// lets a link lead anywhere below it; in an oracle that includes .git/config,
// which may hold a password, and what we keep in .sibyl. Here a link is followed
// only to files that the folder itself would show.
#pragma once

#include <filesystem>
#include <string>

#include "base/files/root.h"
#include "base/result.h"

namespace sibyl {

/// Whether a name on `relative` is .git or .sibyl.
bool IsPrivatePath(const std::filesystem::path& relative);

/// `relative` with every link replaced by what it points to. kUsage, with the
/// name of the link, for one that leads out, into .git or .sibyl, or in a circle.
/// What does not exist is kept as it is.
Result<std::filesystem::path> FollowLinks(const Root& root, const std::filesystem::path& relative);

/// Reads the file that FollowLinks leads to.
Result<std::string> ReadFollowing(const Root& root, const std::filesystem::path& relative,
                                  const ReadFileOptions& options = {});

}  // namespace sibyl
