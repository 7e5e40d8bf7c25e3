// SPDX-License-Identifier: Apache-2.0
// An exclusive lock between processes. Readers of immutable files need no lock.
#pragma once

#include <chrono>
#include <filesystem>

#include "base/files/file_descriptor.h"
#include "base/result.h"

namespace sibyl {

/// Held until it is destroyed or the process ends.
class FileLock {
 public:
  /// Waits up to `patience`; then kUnavailable, with the id of the holding
  /// process.
  static Result<FileLock> Take(const std::filesystem::path& path,
                               std::chrono::milliseconds patience);

 private:
  explicit FileLock(FileDescriptor file) : file_(std::move(file)) {}

  FileDescriptor file_;
};

}  // namespace sibyl
