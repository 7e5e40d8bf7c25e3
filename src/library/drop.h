// SPDX-License-Identifier: Apache-2.0
// KNOWLEDGE-DROP files: what one part of a plan delivered, or why it did not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "library/library.h"
#include "plan/plan.h"

namespace sibyl::library {

/// "KNOWLEDGE-DROP-cupti-2026-11-15.md": named after the drop in the plan,
/// otherwise after the file.
std::string DropName(const plan::Part& part, Time time);
/// Of the files of a folder, the part's newest drop by date and number; empty
/// if there is none.
std::string NewestDrop(const std::vector<std::string>& files, const plan::Part& part);

bool IsDropName(std::string_view name);

struct DropPlace {
  std::string folder;  ///< The final folder of the drop, in the oracle.
  Time time;
};

std::string DeliveredDrop(const plan::Part& part, const DeliveredPart& delivered,
                          const DropPlace& place);
/// The section that a revision adds at the end of its page's drop.
std::string RevisionInDrop(const DeliveredPart& delivered, Time time);
std::string FailedDrop(const plan::Part& part, const FailedPart& failed, const DropPlace& place);

/// The link to the page as it must be when the drop's folder moves. Nothing else changes.
std::string WithMovedLink(std::string_view drop, std::string_view from, std::string_view to);

}  // namespace sibyl::library
