// SPDX-License-Identifier: Apache-2.0
// Managed blocks: the parts of a person's page that this program writes. A
// block is what is between
//   <!-- sibyl:begin NAME -->
//   <!-- sibyl:end NAME -->
// each alone on its line; every byte outside belongs to people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::gate {

struct ManagedBlock {
  std::string name;
  std::size_t begin = 0;  ///< Bytes between the marker lines.
  std::size_t end = 0;
  std::size_t line = 0;  ///< Of the first marker, from one.
};

/// A marker without a partner, inside another block, for the second time, or
/// without a name.
struct MarkerMistake {
  std::size_t line = 0;
  std::string text;  ///< The line, trimmed.
  std::string message;
  std::string hint;
};

struct ManagedBlocks {
  std::vector<ManagedBlock> blocks;  ///< Those that are closed, in their order.
  std::vector<MarkerMistake> mistakes;
};

/// Markers in code, fenced or indented, are text.
ManagedBlocks FindManagedBlocks(std::string_view text);

}  // namespace sibyl::gate
