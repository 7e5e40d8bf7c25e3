// SPDX-License-Identifier: Apache-2.0
// The folder of a plan in _ingest-auto/: its drops are there, and when all of the
// plan is done, it moves to _ingest-auto/completed/.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/files/root.h"

namespace sibyl::library {

/// "expansion-cupti" of ".../cupti.md" and of ".../expansion-cupti/ingestion.md".
std::string PlanFolderName(const std::filesystem::path& plan);

/// Where the drops of a plan go: beside a plan that has a folder in _ingest-auto/, for any
/// other plan to the folder of its name there.
std::string DropFolder(std::string_view plan);

struct PlanFolder {
  std::string from;       ///< Empty: the plan stays where it is.
  std::string to;         ///< A name that is free.
  std::string lone_plan;  ///< A plan that is beside its folder `from`, and moves into it.
  std::string why_not;    ///< Why a plan that is done stays; empty otherwise.

  bool moves() const { return !from.empty(); }
  /// Where a file of the oracle is after the move.
  std::string PathNow(const std::string& path) const;
};

/// A plan as it will be: with its marks.
struct MarkedPlan {
  std::string_view path;
  std::string_view text;
};

/// `written` are the pages that are published with it. A part that is ticked and whose page is
/// nowhere is not done.
PlanFolder FindPlanFolder(const Root& oracle, const MarkedPlan& plan,
                          const std::set<std::string, std::less<>>& written = {});

}  // namespace sibyl::library
