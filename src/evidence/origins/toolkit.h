// SPDX-License-Identifier: Apache-2.0
// The headers of an installed toolkit as a source: declared by name and version,
// found on each machine where it is installed there, pinned by content. So an
// oracle that cites them names no folder of the machine it was made on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl::evidence {

struct Toolkit {
  std::string name;     ///< "cuda"
  std::string version;  ///< "13.0"

  bool operator==(const Toolkit&) const = default;
};

/// "toolkit:cuda@13.0", the origin of such a source.
std::string ToolkitOrigin(const Toolkit& toolkit);
/// Nothing for any other origin. The version may be missing.
std::optional<Toolkit> ParseToolkitOrigin(std::string_view origin);

/// Why a name or version is not one; empty if both are.
std::string MistakeOfToolkit(const Toolkit& toolkit);

/// Where toolkits are looked for, in order: CUDA_HOME, CUDA_PATH, CONDA_PREFIX and
/// the usual folders.
std::vector<std::filesystem::path> ToolkitFolders(const Toolkit& toolkit);

struct FoundToolkit {
  Toolkit toolkit;  ///< With the version that is installed there.
  std::filesystem::path folder;
  std::filesystem::path headers;  ///< Below the folder.
};

/// The first of the folders that has the wanted version; without one, the first
/// toolkit. kNotFound says which versions are there.
Result<FoundToolkit> FindToolkit(const Toolkit& wanted,
                                 const std::vector<std::filesystem::path>& folders);

}  // namespace sibyl::evidence
