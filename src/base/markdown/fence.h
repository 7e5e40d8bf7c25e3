// SPDX-License-Identifier: Apache-2.0
// Fenced code, line by line, as CommonMark has it: where a full parse is too
// slow, or the lines are needed as they are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl {

/// Four spaces make indented code, where a fence is text. In an item of a list
/// they may be the item's own, which a single line does not show.
enum class FenceIndent : std::uint8_t { kUpToThree, kAny };

/// A line that can open fenced code: "```cpp", "~~~~".
struct Fence {
  char mark = '`';             ///< Or '~'.
  std::size_t length = 0;      ///< How many marks: three or more.
  std::string_view info = {};  ///< What follows them, trimmed.

  /// Whether this line ends the code that `opening` began.
  bool Closes(const Fence& opening) const {
    return mark == opening.mark && length >= opening.length && info.empty();
  }
};

/// The fence that `line` is, if it is one. "```a``` b" is code in a sentence.
std::optional<Fence> ReadFence(std::string_view line, FenceIndent indent = FenceIndent::kUpToThree);

/// What a line is to the fenced code around it.
enum class FencePart : std::uint8_t { kOutside, kOpening, kInside, kClosing };

/// Follows the fences of a text. Code that nothing closes goes on to the end.
class FenceTracker {
 public:
  explicit FenceTracker(FenceIndent indent = FenceIndent::kUpToThree) : indent_(indent) {}

  /// Takes the lines in their order, with or without their ends.
  FencePart Take(std::string_view line);

  bool is_open() const { return open_.has_value(); }

 private:
  FenceIndent indent_;
  std::optional<Fence> open_;  // without its info
};

/// The fence of ticks to write around `code`: longer than every run of ticks in
/// it, and at least `least` long.
std::string FenceAround(std::string_view code, std::size_t least = 3);

}  // namespace sibyl
