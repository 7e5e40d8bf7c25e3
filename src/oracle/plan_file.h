// SPDX-License-Identifier: Apache-2.0
// Finds and reads the plan named by an argument.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::oracle {

inline constexpr std::string_view kPlanFolder = "_ingest-auto";  ///< In the oracle.
inline constexpr std::string_view kCompletedPlans = "_ingest-auto/completed";
inline constexpr std::string_view kPlanName = "ingestion.md";  ///< In the folder of a plan.

struct PlanFile {
  std::filesystem::path path;  ///< Absolute; for names, not for opening.
  std::string name;            ///< As findings show it: from the working folder.
  std::string text;
  std::optional<std::string> in_oracle = {};  ///< Its path from the oracle, when inside.
};

/// `argument` is a plan, or a folder with an ingestion.md; relative to the
/// working folder or, when nothing is there, to the oracle.
Result<PlanFile> ReadPlan(const Context& context, std::string_view argument);

}  // namespace sibyl::oracle
