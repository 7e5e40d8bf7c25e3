// SPDX-License-Identifier: Apache-2.0
// What a clause of a statement claims about a switch: on, off, or by default.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "support/card_values.h"
#include "support/tokens.h"

namespace sibyl::support {

Sign Flip(Sign sign);

struct Claim {
  Sign sign = Sign::kNone;  ///< Explicit.
  bool is_implied = false;  ///< No sign, but it mentions a default: on, or off if negated.
  bool is_negated = false;
};

/// Tokens of a statement, from `begin` to before `end`.
struct Clause {
  const std::vector<Token>& tokens;
  std::size_t begin = 0;
  std::size_t end = 0;
};

Claim ClaimOf(const Clause& clause);

/// Whether "on" or "off" is not a value: "on Linux", "from 12.2 on", "trade off".
bool IsPreposition(const std::vector<Token>& tokens, std::size_t i);

bool HasVerb(const Clause& clause);

/// Whether what comes after the clause is "unless told otherwise".
bool IsBeforeUnless(const Clause& clause);

/// The end of the clause that begins at this token.
std::size_t ClauseEnd(const std::vector<Token>& tokens, std::size_t begin);

}  // namespace sibyl::support
