// SPDX-License-Identifier: Apache-2.0
// Which lines of a Markdown text are fenced code, for readers that go line by line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/strings.h"

namespace sibyl {

/// Follows ``` and ~~~ through a page.
class Fences {
 public:
  /// Whether the line is inside fenced code, or opens or closes it.
  bool Holds(std::string_view line) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(indent);
    const char mark = line.empty() ? '\0' : line[0];
    const std::size_t run = std::min(line.find_first_not_of(mark), line.size());
    const bool is_fence = indent < 4 && (mark == '`' || mark == '~') && run >= 3;
    if (mark_ == '\0') {
      // A line of ticks with another tick behind them is code in a sentence.
      if (!is_fence || (mark == '`' && line.find('`', run) != std::string_view::npos)) return false;
      mark_ = mark;
      length_ = run;
      return true;
    }
    if (is_fence && mark == mark_ && run >= length_ && Trim(line.substr(run)).empty()) mark_ = '\0';
    return true;
  }

 private:
  char mark_ = '\0';
  std::size_t length_ = 0;
};

}  // namespace sibyl
