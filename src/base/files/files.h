// SPDX-License-Identifier: Apache-2.0
// Files named by a person, and files of our cache: read within a limit,
// replaced atomically and durably. Files in an untrusted folder (an oracle, a
// source, an image) are opened through base/files/root.h instead.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl {

struct ReadFileOptions {
  /// A longer file is refused before it is read into memory.
  std::size_t max_bytes = std::size_t{1} << 30;
};

/// All bytes of a file. /dev/stdin and /dev/fd/N are read to their end, so that
/// pipes and process substitution work as plans; any other pipe, socket or
/// device is refused without waiting for it. Links are followed.
Result<std::string> ReadFile(const std::filesystem::path& path,
                             const ReadFileOptions& options = {});

/// Replaces `path` with `bytes`. Even after a power loss there is either the
/// old file or the new one, never a mixture; when this returns ok, the new one
/// is on disk. The mode of an existing file is kept. A name that is a link or
/// not a regular file is refused, and so is a missing parent folder.
Status WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes);

/// Creates a folder and its parents; one that is there already is fine.
Status CreateFolders(const std::filesystem::path& path);

}  // namespace sibyl
