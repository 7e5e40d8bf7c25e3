// SPDX-License-Identifier: Apache-2.0
// Where a text instructs a language model, found paragraph by paragraph: the text
// is folded (instruction_fold.h), its words get roles (instruction_words_*.cc), and
// rules add up points (instruction_rules.cc). What is encoded in base64 or rot13,
// next to a word that says so, is decoded first.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace sibyl::evidence {

/// The lines where such instructions begin, from zero, in order.
std::vector<std::size_t> FindInstructionLines(std::string_view text);

}  // namespace sibyl::evidence
