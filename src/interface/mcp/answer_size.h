// SPDX-License-Identifier: Apache-2.0
// Keeps an answer below the size limits of clients. A widely used client warns
// at 10,000 tokens and truncates at 25,000; a truncated answer is worse than a
// paginated one.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace sibyl::interface {

/// About 8,000 tokens of JSON.
inline constexpr std::size_t kMostAnswerBytes = 32'000;

/// `answer` unchanged if it fits. Otherwise its longest list is cut, and the
/// same call with the member `next_cursor` returns the rest; `page` says which
/// list, from where, and its length. Texts that are still too long are cut and
/// say by how much. kUsage for a cursor of another answer; an empty one is the
/// start.
Result<Json> FitAnswer(Json answer, std::string_view cursor,
                       std::size_t most_bytes = kMostAnswerBytes);

}  // namespace sibyl::interface
