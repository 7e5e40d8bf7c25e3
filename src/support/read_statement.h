// SPDX-License-Identifier: Apache-2.0
// A statement, read against its cited lines: its words, where the lines have
// each of them, and its numbers. The checks of this room share it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "statement/statement.h"
#include "support/evidence_text.h"
#include "support/numbers/quantity.h"
#include "support/tokens.h"

namespace sibyl::support {

/// Borrows the statement.
struct ReadStatement {
  const statement::Statement& statement;
  std::vector<Token> tokens;
  std::vector<WordGround> grounds;  ///< Of each token.
  std::vector<Quantity> numbers;

  /// The token that has this byte of the statement's text.
  std::optional<std::size_t> TokenAt(std::size_t byte) const;
};

ReadStatement Read(const statement::Statement& statement, const EvidenceText& evidence,
                   Tokenizer& tokenizer);

/// Whether two tokens are members of one enumeration of the statement: "sm_75,
/// `sm_80` and sm_90". They have the same role; exchanged, they say the same.
bool AreListed(const ReadStatement& read, std::size_t a, std::size_t b);

/// Which tokens belong to a longer literal in code font that the lines have
/// character for character, and so could not change places with another:
/// the numbers of `Swizzle<3,4,3>`, and the words that two flags share
/// (`--lock-gpu-clocks` and `--lock-memory-clocks`).
std::vector<bool> TokensOfLiterals(const ReadStatement& read, const EvidenceText& evidence);

/// How much a word counts; zero for negations, and for numbers, which are
/// compared by value.
double WeightOf(const Token& token);

}  // namespace sibyl::support
