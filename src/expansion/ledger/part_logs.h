// SPDX-License-Identifier: Apache-2.0
// One log for each part, in a folder that all workers share: which worker had
// it when, and how that ended.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "runner/serve_runs.h"

namespace sibyl::expansion {

/// Used by one thread.
class PartLogs {
 public:
  /// Makes the folder if it is missing.
  static Result<PartLogs> Open(const std::filesystem::path& folder, const Clock& clock);

  /// Appends a line to the log of the part. A line that cannot be written is
  /// lost: logs never stop the work.
  void Write(const runner::ServedJob& job);

  /// "gad/01-cache.md" is logged in "gad-01-cache.md.log".
  static std::string NameOf(std::string_view part);

 private:
  PartLogs(std::filesystem::path folder, const Clock& clock);

  std::filesystem::path folder_;
  const Clock* clock_;
  std::string worker_;
  std::map<std::string, std::string, std::less<>> steps_;  // the last, by part
};

}  // namespace sibyl::expansion
