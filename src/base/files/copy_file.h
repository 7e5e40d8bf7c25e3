// SPDX-License-Identifier: Apache-2.0
// Copies large files between folders that several machines share: read and
// written in pieces, never mapped (a file that another machine deletes would end
// this process), hashed on the way, and visible only when complete.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"

namespace sibyl {

struct HashedFile {
  std::string sha256;  ///< 64 lower-case hexadecimal digits.
  std::uint64_t bytes = 0;

  bool operator==(const HashedFile&) const = default;
};

struct CopyFileOptions {
  /// The copy is refused (kCorrupt) unless the bytes are these; empty: any.
  std::string sha256 = {};
  /// Where the incomplete copy is; it must be on the file system of the target.
  /// Empty: the folder of the target.
  std::filesystem::path staging = {};
  /// Called between pieces; true ends the copy with kCancelled.
  std::function<bool()> cancelled = {};
};

/// kNotFound if there is no such file. Links and special files are refused.
Result<HashedFile> HashFile(const std::filesystem::path& path,
                            const std::function<bool()>& cancelled = {});

/// Replaces `to`. When this returns ok, the copy is on disk; otherwise `to` is
/// as it was, and no temporary file is left.
Result<HashedFile> CopyFileAtomically(const std::filesystem::path& from,
                                      const std::filesystem::path& to,
                                      const CopyFileOptions& options = {});

}  // namespace sibyl
