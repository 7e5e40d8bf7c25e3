// SPDX-License-Identifier: Apache-2.0
// The parts of a page that sibyl manages, between <!-- sibyl:begin NAME --> and
// <!-- sibyl:end NAME -->.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::gate {

struct ManagedBlock {
  std::string name;
  std::size_t first_line = 0;  ///< Of its content, from one.
  std::vector<std::string_view> lines;
};

struct MarkerMistake {
  std::size_t line = 0;
  std::string message;
};

struct ManagedBlocks {
  std::vector<ManagedBlock> blocks;  ///< Those that are closed.
  std::vector<MarkerMistake> mistakes;
};

/// Marks inside fenced code are text.
ManagedBlocks FindManagedBlocks(std::string_view text);

}  // namespace sibyl::gate
