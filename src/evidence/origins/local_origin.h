// SPDX-License-Identifier: Apache-2.0
// Opens a source on this machine. Inside the oracle it is opened through the
// oracle, so that a clone cannot declare `folder = "docs"` with docs as a link
// to a place outside.
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

/// Opens a source that is one file.
Result<OriginFile> OpenOriginFile(std::string_view origin, const std::filesystem::path& oracle);

}  // namespace sibyl::evidence
