// SPDX-License-Identifier: Apache-2.0
// Drops pages of mapped files, to bound resident memory.
#pragma once

#include <string_view>

namespace sibyl::inspect {

/// Whether bytes are a read-only mapping of a file, whose pages can be dropped.
enum class Memory { kOwned, kMapped };

/// Drops pages of a read-only file mapping; they are loaded again from the page cache when
/// accessed. Must not be used for other memory, whose content would be lost.
void ReleasePages(std::string_view mapped);

}  // namespace sibyl::inspect
