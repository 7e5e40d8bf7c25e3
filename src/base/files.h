// SPDX-License-Identifier: Apache-2.0
// Whole files: read within a limit, replaced atomically and durably.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl {

struct ReadFileOptions {
  /// A longer file is refused before it is held in memory.
  std::size_t max_bytes = std::size_t{1} << 30;
};

/// All bytes of a file. Pipes and devices are read to their end, so that
/// /dev/stdin and process substitution work as plans.
Result<std::string> ReadFile(const std::filesystem::path& path,
                             const ReadFileOptions& options = {});

/// Replaces `path` with `bytes`. A reader, or a machine that loses power, sees
/// the old file or the new one and never a mixture; when this returns ok, the
/// new one is on the disk. The mode of an existing file is kept, and a symbolic
/// link stays a link: what it points to is replaced. Missing parent folders
/// are an error.
Status WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes);

/// Creates a folder and its parents; one that is there already is fine.
Status CreateFolders(const std::filesystem::path& path);

}  // namespace sibyl
