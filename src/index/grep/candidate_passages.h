// SPDX-License-Identifier: Apache-2.0
// Finds passages of a segment that may contain a line with the required literals: looks up the
// words of the literals among the terms, whole, by prefix or as a substring, and intersects
// their posting lists.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "index/grep/regex_literals.h"
#include "index/segment/segment.h"

namespace sibyl::index {

/// One bit per passage. nullopt if the requirement cannot be looked up: then any passage may
/// match.
std::optional<std::vector<std::uint64_t>> CandidatePassages(const Segment& segment,
                                                            const LiteralRequirement& requirement);

}  // namespace sibyl::index
