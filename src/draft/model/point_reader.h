// SPDX-License-Identifier: Apache-2.0
// Reads the lines that a model wrote about one point.
#pragma once

#include <string_view>
#include <vector>

#include "draft/model/model_text.h"

namespace sibyl::draft {

/// Every word of the lines is in a unit, the head of a table, a heading, or among what
/// cannot be used; only markup, keys and remarks about the point are gone.
ModelPoint ReadPoint(const std::vector<std::string_view>& lines);

}  // namespace sibyl::draft
