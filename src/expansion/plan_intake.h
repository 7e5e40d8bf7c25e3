// SPDX-License-Identifier: Apache-2.0
// The plan to expand, as a file of the oracle. A plan from outside the oracle
// is copied to _ingest-auto/ first; one that was expanded before is recognised
// at its current place.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::expansion {

struct ImportedPlan {
  std::string path;  ///< In the oracle: "_ingest-auto/expansion-cupti/ingestion.md".
  std::string name;  ///< As findings call it.
  std::string text;
  bool is_copied = false;     ///< It was, or would be, copied from outside the oracle.
  bool is_completed = false;  ///< The plan is already done; `path` is where it is now.
};

enum class Intake { kCopy, kLook };

/// kUsage if another plan is at the path of the copy.
Result<ImportedPlan> ImportPlan(const oracle::Context& context, std::string_view argument,
                                Intake intake);

}  // namespace sibyl::expansion
