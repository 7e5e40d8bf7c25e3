// SPDX-License-Identifier: Apache-2.0
// Messages of git for a message of ours.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace sibyl::references {

/// Without blanks at its ends, and with a blank for each end of a line.
inline std::string OnOneLine(std::string_view text) {
  std::string line(Trim(text));
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace sibyl::references
