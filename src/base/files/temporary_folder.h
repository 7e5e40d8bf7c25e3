// SPDX-License-Identifier: Apache-2.0
// A private folder that disappears with its owner: scratch space for tests and
// for programs we run on foreign bytes.
#pragma once

#include <filesystem>

namespace sibyl {

class TemporaryFolder {
 public:
  /// In $TMPDIR, mode 0700. Aborts if that folder cannot be written.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace sibyl
