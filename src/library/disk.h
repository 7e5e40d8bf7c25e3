// SPDX-License-Identifier: Apache-2.0
// All changes of a publication go through here: files and folders of the
// oracle, by relative paths, and git. Links are never followed
// (base/files/root.h). Tests count the changes, and make the N-th fail or end
// the process.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/root.h"
#include "base/process/git_command.h"
#include "base/process/subprocess.h"
#include "base/result.h"

namespace sibyl::library {

class Disk {
 public:
  virtual ~Disk() = default;

  virtual Status MakeFolders(const Root& oracle, const std::filesystem::path& path);

  /// Replaces a file; durable when it returns.
  virtual Status Write(const Root& oracle, const std::filesystem::path& path,
                       std::string_view bytes);

  /// A rename within one file system, replacing an existing file; durable when
  /// it returns. The mode of the replaced file is kept. If a folder of the
  /// oracle is another file system, the bytes are copied, and the target is
  /// still replaced atomically.
  virtual Status MoveFile(const Root& oracle, const std::filesystem::path& from,
                          const std::filesystem::path& to);

  /// Refuses when `to` is there.
  virtual Status MoveFolder(const Root& oracle, const std::filesystem::path& from,
                            const std::filesystem::path& to);

  /// A file or a whole folder; one that is not there is fine.
  virtual Status Remove(const Root& oracle, const std::filesystem::path& path);

  /// Runs git on the repository, in the oracle, with `environment` added. It
  /// keeps running if sibyl is killed: a killed git leaves a lock that only a
  /// person may remove, and a commit that is finished without us is found
  /// later.
  virtual Result<Outcome> RunGit(const GitRepository& repository, const Root& oracle,
                                 const std::vector<std::string>& arguments,
                                 const std::map<std::string, std::string>& environment);
};

}  // namespace sibyl::library
