// SPDX-License-Identifier: Apache-2.0
// The folder that a static site is written to. It must be empty, or have been
// written by this program: then files of the last time that are no longer part
// of the site are removed. A `.git` folder does not count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/files/root.h"
#include "base/result.h"

namespace sibyl::interface {

/// Lists the files that were written, so that the folder is recognised again.
inline constexpr std::string_view kSiteMarker = ".sibyl-site";

struct SiteFile {
  std::string path;  ///< From the folder: "page/cuda/01-language.html".
  std::string bytes;
};

struct SiteWritten {
  std::size_t files = 0;
  std::size_t changed = 0;  ///< Of them, those that are new or have other bytes now.
  std::size_t removed = 0;
  std::uint64_t bytes = 0;
};

/// kUsage if the folder may not be written to.
Status CheckSiteFolder(const Root& folder);

/// Changes nothing if a file would replace one that was not written by this
/// program. Never writes through a link. After a kill, the next call goes on.
Result<SiteWritten> WriteSite(const Root& folder, const std::vector<SiteFile>& files);

}  // namespace sibyl::interface
