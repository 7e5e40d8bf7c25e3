// SPDX-License-Identifier: Apache-2.0
// Finding and reading the plan that somebody named.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/context.h"

namespace sibyl::engine {

struct PlanFile {
  std::filesystem::path path;  ///< Absolute.
  std::string name;            ///< As findings show it: from the working folder.
  std::string text;
};

/// `argument` is a plan, or a folder with an ingestion.md; relative to the
/// working folder or, when nothing is there, to the oracle.
Result<PlanFile> ReadPlan(const Context& context, std::string_view argument);

}  // namespace sibyl::engine
