// SPDX-License-Identifier: Apache-2.0
// KNOWLEDGE-DROP files: what one part of a plan delivered, or why it did not.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "library/library.h"
#include "plan/plan.h"

namespace sibyl::library {

/// "KNOWLEDGE-DROP-cupti-2026-11-15.md": named after the drop in the plan,
/// otherwise after the file.
std::string DropName(const plan::Part& part, Time time);

struct DropPlace {
  std::string folder;  ///< The final folder of the drop, in the oracle.
  Time time;
};

std::string DeliveredDrop(const plan::Part& part, const DeliveredPart& delivered,
                          const DropPlace& place);
std::string FailedDrop(const plan::Part& part, std::string_view reason, const DropPlace& place);

}  // namespace sibyl::library
