// SPDX-License-Identifier: Apache-2.0
// A definition or a section of a pinned file, named: "PATH#make_layout".
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/evidence.h"
#include "passages/file_outline.h"

namespace sibyl::engine {

struct SymbolTarget {
  std::string_view file;
  std::string_view symbol;  ///< Empty: none is named.
};

/// "PATH#name" and "PATH:#name"; "PATH#L10-L20" are lines and name no symbol.
SymbolTarget SplitSymbol(std::string_view target);

/// The outline of a file that was read as a whole.
std::vector<passages::OutlineEntry> OutlineOf(const evidence::CitedText& cited);

/// Leaves only the lines of the definition or section. kNotFound with the
/// nearest names; kUsage with the lines of each if there are several.
Status NarrowToSymbol(std::string_view symbol, evidence::CitedText& cited);

}  // namespace sibyl::engine
