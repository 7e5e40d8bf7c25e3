// SPDX-License-Identifier: Apache-2.0
// An image for a README: how much of an audit holds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/outcome.h"

namespace sibyl::engine {

struct BadgeCounts {
  std::string_view label = "citations";
  std::size_t hold = 0;
  std::size_t decided = 0;  ///< Those that hold and those that do not.
  bool is_complete = true;  ///< False if a document could not be read.
};

/// Of code citations if there is no oracle, of all checks if there is one.
BadgeCounts CountForBadge(const Outcome& outcome);

/// SVG: "citations 182/190". Green if all hold, amber from 90 %, red below, grey
/// if there are none. Only text that this program made, and no external reference.
std::string DrawBadge(const BadgeCounts& counts);

inline std::string DrawAuditBadge(const Outcome& outcome) {
  return DrawBadge(CountForBadge(outcome));
}

}  // namespace sibyl::engine
