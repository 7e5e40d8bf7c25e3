// SPDX-License-Identifier: Apache-2.0
// Where each line of a text starts, for the splitters.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/line_ends.h"

namespace sibyl::passages {

/// Lines are numbered from zero here, from one in Passage.
class LineTable {
 public:
  explicit LineTable(std::string_view text) : text_view_(text) {
    starts_.resize(text.size() / 32 + kBlock + 2);
    std::size_t lines = 1;  // the first begins at 0
    for (std::size_t at = 0; at < text.size(); at += kBlock) {
      if (lines + kBlock >= starts_.size()) starts_.resize(2 * starts_.size());
      for (std::uint64_t ends = LineEndMaskOf(text.substr(at)); ends != 0; ends &= ends - 1) {
        starts_[lines++] =
            static_cast<std::uint32_t>(at + static_cast<std::size_t>(std::countr_zero(ends)) + 1);
      }
    }
    // No line starts after a final line end.
    if (lines > 1 && starts_[lines - 1] == text.size()) --lines;
    count_ = text.empty() ? 0 : lines;
    starts_.resize(lines + 1);
    starts_[lines] = static_cast<std::uint32_t>(text.size());
  }

  std::size_t count() const { return count_; }
  std::uint32_t begin(std::size_t line) const { return starts_[line]; }

  /// Past the line's end mark.
  std::uint32_t end(std::size_t line) const { return starts_[line + 1]; }

  /// Without its end mark.
  std::string_view text(std::size_t line) const {
    std::string_view bytes = text_view_.substr(begin(line), end(line) - begin(line));
    while (bytes.ends_with('\n') || bytes.ends_with('\r')) bytes.remove_suffix(1);
    return bytes;
  }

  /// The line that contains this byte.
  std::size_t LineAt(std::size_t offset) const {
    const auto last = starts_.begin() + static_cast<std::ptrdiff_t>(count_);
    const auto after = std::upper_bound(starts_.begin(), last, offset);
    return after == starts_.begin() ? 0 : static_cast<std::size_t>(after - starts_.begin()) - 1;
  }

  /// The same, starting the search at `line`, for sequential access.
  std::size_t LineAtFrom(std::size_t line, std::size_t offset) const {
    if (offset < starts_[line]) return LineAt(offset);
    while (line + 1 < count_ && starts_[line + 1] <= offset) ++line;
    return line;
  }

  bool IsBlank(std::size_t line) const {
    for (const char letter : text(line)) {
      if (letter != ' ' && letter != '\t') return false;
    }
    return true;
  }

  std::string_view whole() const { return text_view_; }

 private:
  static constexpr std::size_t kBlock = 64;

  std::string_view text_view_;  // the caller's
  std::vector<std::uint32_t> starts_;
  std::size_t count_ = 0;
};

}  // namespace sibyl::passages
