// SPDX-License-Identifier: Apache-2.0
// Which passages of a segment may hold a line with the required literals: the
// words of the literals are looked up among the terms, whole, by prefix or as
// a substring, and their posting lists intersected.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "index/grep/regex_literals.h"
#include "index/segment/segment.h"

namespace sibyl::index {

/// One bit for each passage. Nothing if the requirement cannot be looked up:
/// then any passage may match.
std::optional<std::vector<std::uint64_t>> CandidatePassages(const Segment& segment,
                                                            const LiteralRequirement& requirement);

}  // namespace sibyl::index
