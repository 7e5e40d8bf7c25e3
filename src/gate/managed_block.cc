// SPDX-License-Identifier: Apache-2.0
#include "gate/managed_block.h"

#include <optional>
#include <utility>

#include "base/markdown/fences.h"
#include "base/strings.h"

namespace sibyl::gate {
namespace {

// The name in "<!-- sibyl:begin NAME -->".
std::optional<std::string_view> MarkName(std::string_view line, std::string_view start) {
  line = Trim(line);
  if (!line.starts_with("<!--") || !line.ends_with("-->") || line.size() < 7) return std::nullopt;
  line = Trim(line.substr(4, line.size() - 7));
  if (!line.starts_with(start)) return std::nullopt;
  return Trim(line.substr(start.size()));
}

}  // namespace

ManagedBlocks FindManagedBlocks(std::string_view text) {
  ManagedBlocks found;
  std::optional<ManagedBlock> open;
  Fences fences;
  std::size_t number = 0;
  const auto mistake = [&found](std::size_t line, std::string message) {
    found.mistakes.push_back({.line = line, .message = std::move(message)});
  };
  for (const std::string_view line : SplitLines(text)) {
    ++number;
    const bool in_fence = fences.Holds(line);
    const auto begins = in_fence ? std::nullopt : MarkName(line, "sibyl:begin");
    const auto ends = in_fence ? std::nullopt : MarkName(line, "sibyl:end");
    if (begins) {
      if (open) {
        mistake(number, "block '" + std::string(*begins) + "' begins inside '" + open->name + "'");
      }
      open = ManagedBlock{.name = std::string(*begins), .first_line = number + 1};
    } else if (ends) {
      if (!open || open->name != *ends) {
        mistake(number, "block '" + std::string(*ends) + "' ends and did not begin");
      } else {
        found.blocks.push_back(*std::exchange(open, std::nullopt));
      }
      open.reset();
    } else if (open) {
      open->lines.push_back(line);
    }
  }
  if (open) mistake(open->first_line - 1, "block '" + open->name + "' has no end");
  return found;
}

}  // namespace sibyl::gate
