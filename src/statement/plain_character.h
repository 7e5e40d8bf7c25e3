// SPDX-License-Identifier: Apache-2.0
// The ASCII form of characters that only look different: full-width letters,
// digits of other scripts, circled and mathematical ones, invisible characters.
// About what Unicode's NFKC does, for the characters that occur in technical
// prose.
#pragma once

#include <optional>
#include <string>

namespace sibyl::statement {

/// Shows nothing: characters without width, soft hyphens, direction controls,
/// tags, variation selectors.
bool IsInvisible(char32_t character);

/// Draws a line through the character before it.
bool IsStrikingMark(char32_t character);

/// The value of a superscript or subscript digit; nothing for all others.
std::optional<int> RaisedDigit(char32_t character);

/// The ASCII text that it stands for, "" if it is invisible; nothing: it stays
/// as it is. Quotation marks and dashes stay, superscripts too.
std::optional<std::string> PlainForm(char32_t character);

}  // namespace sibyl::statement
