// SPDX-License-Identifier: Apache-2.0
// The plan that is to be expanded, as a file of the oracle. A plan from
// elsewhere is copied to _ingest-auto/ first; one that was expanded before is
// known again where it is now.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::expansion {

struct IntakenPlan {
  std::string path;  ///< In the oracle: "_ingest-auto/expansion-cupti/ingestion.md".
  std::string name;  ///< As findings call it.
  std::string text;
  bool is_copied = false;     ///< It was, or would be, copied from elsewhere.
  bool is_completed = false;  ///< All of it was done before; `path` is where it lies.
};

enum class Intake { kCopy, kLook };

/// kUsage when another plan has the place that a copy would get.
Result<IntakenPlan> TakeInPlan(const oracle::Context& context, std::string_view argument,
                               Intake intake);

}  // namespace sibyl::expansion
