// SPDX-License-Identifier: Apache-2.0
// How much of a statement the lines must have. Decision 0106 has how the numbers
// were chosen.
#pragma once

#include "support/grounding.h"

namespace sibyl::support {

inline constexpr double kLittle = 0.35;  ///< Of several words, or of a part of a sentence.
inline constexpr double kEnough = 0.53;

/// It is about something else.
bool IsTooLittle(const Measures& measures);

bool IsEnough(const Measures& measures);

/// Other lines of the file carry it, these do not.
bool IsElsewhere(const Measures& measures);

}  // namespace sibyl::support
