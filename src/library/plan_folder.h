// SPDX-License-Identifier: Apache-2.0
// Where a plan goes when all of it is done: its folder in _ingest-auto/ moves to
// _ingest-auto/completed/.
#pragma once

#include <string>
#include <string_view>

#include "base/files/root.h"

namespace sibyl::library {

struct PlanFolder {
  std::string from;     ///< Empty: the plan stays where it is.
  std::string to;       ///< A name that is free.
  std::string why_not;  ///< Why a plan that is done stays; empty otherwise.

  bool moves() const { return !from.empty(); }
  /// Where a file of the oracle is after the move.
  std::string PathNow(const std::string& path) const;
};

/// `text` is the plan as it will be: with its marks.
PlanFolder FindPlanFolder(const Root& oracle, std::string_view plan, std::string_view text);

}  // namespace sibyl::library
