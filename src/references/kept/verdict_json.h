// SPDX-License-Identifier: Apache-2.0
// A judged citation as JSON, for the cache. Its claim is not kept.
#pragma once

#include <optional>

#include "base/json.h"
#include "references/check.h"

namespace sibyl::references {

Json AsJson(const CheckedReference& checked);

/// Nothing if a member is missing or of another type.
std::optional<CheckedReference> CheckedFromJson(const Json& json);

}  // namespace sibyl::references
