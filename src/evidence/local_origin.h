// SPDX-License-Identifier: Apache-2.0
// A source on this machine, opened. Inside the oracle it is opened through the
// oracle: a clone that declares `folder = "docs"` and tracks docs as a link to
// somewhere else pins nothing of what is there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/root.h"
#include "base/result.h"

namespace sibyl::evidence {

struct LocalPlace {
  std::filesystem::path path;
  /// The oracle, when the origin is inside it: then its repository may not lead
  /// out of it either.
  std::optional<std::filesystem::path> within;
};

/// Where a local origin leads. kUsage for one in the oracle whose links lead out
/// of it, or into .git.
Result<LocalPlace> FindLocalOrigin(std::string_view origin, const std::filesystem::path& oracle);

Result<Root> OpenOriginFolder(std::string_view origin, const std::filesystem::path& oracle);

struct OriginFile {
  Root folder;
  std::string name;
};

/// Of a source that is one file.
Result<OriginFile> OpenOriginFile(std::string_view origin, const std::filesystem::path& oracle);

}  // namespace sibyl::evidence
