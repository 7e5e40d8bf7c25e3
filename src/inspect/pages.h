// SPDX-License-Identifier: Apache-2.0
// Mapped files that are larger than the memory we want to be seen with.
#pragma once

#include <string_view>

namespace sibyl::inspect {

/// Whether bytes are a read-only mapping of a file, whose pages can be dropped.
enum class Memory { kOwned, kMapped };

/// Unmaps the pages of a read-only file mapping that were looked at; they come
/// again, from the page cache, when touched. Never for other memory: that would
/// be emptied.
void ReleasePages(std::string_view mapped);

}  // namespace sibyl::inspect
