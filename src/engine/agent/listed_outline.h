// SPDX-License-Identifier: Apache-2.0
// The outline of a file as people read it: what a header only declares belongs to it too.
#pragma once

#include <cstdint>
#include <vector>

#include "evidence/evidence.h"
#include "passages/file_outline.h"

namespace sibyl::engine {

struct ListedEntry {
  passages::OutlineEntry entry;  ///< With the documentation before it.
  std::uint32_t name_line = 1;
};

/// The outline; in C and C++ also functions and types that are declared or defined without a
/// body of code. Without macros, enumerators and forward declarations. In the order of the text.
std::vector<ListedEntry> OutlineToList(const evidence::CitedText& cited);

}  // namespace sibyl::engine
