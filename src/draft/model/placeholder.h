// SPDX-License-Identifier: Apache-2.0
// "({m}, 1)" of an error message: a placeholder of a format string says nothing to a
// reader, although each of its characters is in the cited lines.
#pragma once

#include <string>
#include <vector>

#include "draft/extract/passage_keys.h"
#include "draft/model/model_text.h"

namespace sibyl::draft {

/// A placeholder in the code font of a statement that a message of the cited lines fills
/// in: "{m}"; empty: none.
std::string PlaceholderIn(const ModelUnit& unit, const std::vector<CitedLines>& cited);

}  // namespace sibyl::draft
