// SPDX-License-Identifier: Apache-2.0
// Managed blocks: the part of a page that sibyl writes, between
//   <!-- sibyl:begin NAME -->
//   <!-- sibyl:end NAME -->
// each alone on its line; every byte outside belongs to people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl::library {

struct Block {
  std::string name;
  std::size_t begin = 0;  ///< Bytes between the marker lines.
  std::size_t end = 0;
  std::size_t line = 0;  ///< Of the first marker, from one.
};

/// The blocks of a page, in their order. An Error with the place if a marker is
/// unmatched, nested, duplicated or has no name. Markers in fenced code are
/// text. `file` is for the message.
Result<std::vector<Block>> FindBlocks(std::string_view file, std::string_view text);

/// `text` with the content of the block replaced by `content` (whole lines,
/// LF); a page without the block gets one at its end, unless that is inside
/// fenced code. Uses the line ends of the marker's line.
Result<std::string> ReplaceBlock(std::string_view file, std::string_view text,
                                 std::string_view name, std::string_view content);

/// A new block, markers included.
std::string MakeBlock(std::string_view name, std::string_view content);

}  // namespace sibyl::library
