// SPDX-License-Identifier: Apache-2.0
// How strongly the words of a paragraph suggest that it instructs a language model.
// A rule gives points where words with certain roles are close to each other; the
// points of different traits (who is addressed, what is demanded, what is hidden)
// are added up, and only a combination reaches the limit.
#pragma once

#include <cstddef>
#include <vector>

#include "evidence/instruction_fold.h"
#include "evidence/instruction_tokens.h"

namespace sibyl::evidence {

/// The lines, from zero in the paragraph and in order, where instructions begin.
/// `disguise` is what folding found in the paragraph.
std::vector<std::size_t> FindInstructedLines(const Tokens& tokens, const FoldedText& disguise,
                                             bool was_encoded);

}  // namespace sibyl::evidence
