// SPDX-License-Identifier: Apache-2.0
// How far apart two words of cited lines are for a reader: a line of code, a row
// or an item belongs to the line above it rather than to the one below; the end
// of a sentence is a boundary, the end of a wrapped line of prose is not.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "support/tokens.h"

namespace sibyl::support {

class Layout {
 public:
  using Positions = std::vector<std::uint32_t>;

  /// `tokens`: those of `text`, in order.
  Layout(std::string_view text, const std::vector<Token>& tokens);

  /// The least distance of one of `words` from one of `anchors`, both sorted;
  /// kFar if one of them is empty. Linear in both.
  double Distance(const Positions& anchors, const Positions& words) const;

  static constexpr double kFar = 1e9;

 private:
  // By the position of a token: its place for a reader who goes on from a
  // word, and for one who goes back from it.
  std::vector<float> forward_;
  std::vector<float> backward_;
};

}  // namespace sibyl::support
