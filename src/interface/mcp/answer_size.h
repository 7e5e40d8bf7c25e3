// SPDX-License-Identifier: Apache-2.0
// Keeps an answer below what clients take. The widest known client warns at
// 10,000 tokens and cuts at 25,000; an answer that is cut is worse than one that
// says where it goes on.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace sibyl::interface {

/// About 8,000 tokens of JSON.
inline constexpr std::size_t kMostAnswerBytes = 32'000;

/// `answer` as it is when it fits. Otherwise its longest list is cut, and the
/// member `next_cursor` goes on with the rest when the same is asked again;
/// `page` says which list it is, from where, and how long. Texts that are still
/// too long are cut and say by how much. kUsage for a cursor that is not of this
/// answer; an empty one is the beginning.
Result<Json> FitAnswer(Json answer, std::string_view cursor,
                       std::size_t most_bytes = kMostAnswerBytes);

}  // namespace sibyl::interface
