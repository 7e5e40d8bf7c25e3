// SPDX-License-Identifier: Apache-2.0
// Every change that a publication makes to the world goes through here: files,
// folders, and git. A test counts them, and lets the N-th fail or end the
// process.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/subprocess.h"

namespace sibyl::library {

class Disk {
 public:
  virtual ~Disk() = default;

  virtual Status MakeFolders(const std::filesystem::path& path);

  /// Replaces a file of ours (base/files.h); durable when it returns.
  virtual Status Write(const std::filesystem::path& path, std::string_view bytes);

  /// A rename within one file system, replacing a file that is there; durable
  /// when it returns. The mode of what is replaced is kept. Where a folder of
  /// the oracle is another file system, the bytes are copied instead, and the
  /// target still changes at one moment.
  virtual Status MoveFile(const std::filesystem::path& from, const std::filesystem::path& to);

  /// Refuses when `to` is there.
  virtual Status MoveFolder(const std::filesystem::path& from, const std::filesystem::path& to);

  /// A file or a whole folder; one that is not there is fine.
  virtual Status Remove(const std::filesystem::path& path);

  /// git in `folder`, with `environment` over the user's own. It goes on when
  /// we are killed: git half-way leaves a lock that only a person may remove,
  /// and a commit that is finished without us is found when we come back.
  virtual Result<Outcome> RunGit(const std::filesystem::path& folder,
                                 const std::vector<std::string>& arguments,
                                 const std::map<std::string, std::string>& environment);
};

}  // namespace sibyl::library
