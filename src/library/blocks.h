// SPDX-License-Identifier: Apache-2.0
// Writes the managed blocks of a page (gate/managed_block.h) and no other byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gate/managed_block.h"

namespace sibyl::library {

/// The blocks of a page, in their order. An Error with the place when a marker
/// is wrong: then nobody can say which bytes are whose. `file` is for the
/// message.
Result<std::vector<gate::ManagedBlock>> FindBlocks(std::string_view file, std::string_view text);

/// `text` with the content of the block replaced by `content` (whole lines, LF);
/// a page without the block gets it at its end, unless that is inside fenced
/// code. Line ends are those of the marker's line.
Result<std::string> ReplaceBlock(std::string_view file, std::string_view text,
                                 std::string_view name, std::string_view content);

/// A new block, markers included.
std::string MakeBlock(std::string_view name, std::string_view content);

}  // namespace sibyl::library
