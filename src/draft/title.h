// SPDX-License-Identifier: Apache-2.0
// The title of a knowledge file.
#pragma once

#include <string>

#include "plan/plan.h"

namespace sibyl::draft {

/// The title of the part, or for "Create cuda/20-cupti-x.md" the words of the
/// file name, spelt as the plan spells them elsewhere.
std::string TitleOf(const plan::Plan& plan, const plan::Part& part);

}  // namespace sibyl::draft
