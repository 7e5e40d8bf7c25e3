// SPDX-License-Identifier: Apache-2.0
// Does the cited text carry the statement? (support/…, number/ungrounded). One
// judgement for each statement with citations, and one for each row of a table.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gate/citations.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// Lines and columns where statements begin.
using StatementPlaces = std::set<std::pair<std::size_t, std::size_t>>;

/// Of statements that another check has refused, only what is specific is
/// judged: a number, a value.
std::vector<statement::Judgement> JudgeSupport(const CitedFile& file,
                                               const StatementPlaces& refused = {});

/// How many statements were judged for support, and how.
struct SupportCount {
  std::size_t grounded = 0;
  std::size_t undecided = 0;
  std::size_t refused = 0;

  std::size_t all() const { return grounded + undecided + refused; }

  SupportCount& operator+=(const SupportCount& other) {
    grounded += other.grounded;
    undecided += other.undecided;
    refused += other.refused;
    return *this;
  }
};
SupportCount CountSupport(const std::vector<statement::Judgement>& judgements);

/// The text with the count in its stamp: "… citations hold · 9 of 11 statements
/// grounded · …". Unchanged if it has no stamp.
std::string WithSupportInStamp(std::string_view text, const SupportCount& count);

/// The stamp's count, if it has one, against the judgements.
std::optional<statement::Judgement> JudgeSupportInStamp(
    const CitedFile& file, const std::vector<statement::Judgement>& judgements);

}  // namespace sibyl::gate
