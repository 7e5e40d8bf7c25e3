// SPDX-License-Identifier: Apache-2.0
// Finds prompt injections, paragraph by paragraph. A sentence has a score, the
// sum of the weights of its features (instruction_features.h); up to three
// sentences in a row whose scores add up to more than the limit are such
// instructions. Weights and limit are learned (bench/instruction_train.cc) and
// kept in instruction_weights.inc.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace sibyl::injection {

/// Most sentences whose scores are added up.
inline constexpr std::size_t kInstructionWindow = 3;

/// The lines that such instructions are on, from zero, in order.
std::vector<std::size_t> FindInstructionLines(std::string_view text);

}  // namespace sibyl::injection
