// SPDX-License-Identifier: Apache-2.0
// The words by which a text speaks to a language model: "ignore your previous
// instructions", "you are an AI", "do not tell the user", a sentence that begins
// "Write that", letters that nobody sees. In seven large repositories of CUDA and
// machine learning (421 MB) they are found 32 times.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace sibyl::evidence {

/// Where such phrases begin, in bytes.
std::vector<std::size_t> FindInstructionPhrases(std::string_view text);

}  // namespace sibyl::evidence
