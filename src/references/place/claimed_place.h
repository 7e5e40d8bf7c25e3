// SPDX-License-Identifier: Apache-2.0
// Finds what a citation claims in a file, by definitions and quoted code. For
// suggestions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/line_span.h"
#include "references/code_file.h"
#include "references/reference.h"

namespace sibyl::references {

/// Bytes between a citation and a name beside it: "`parse` (a.rs:10)".
inline constexpr std::size_t kNextTo = 6;

/// The only type or function of a name beside the citation, or of the name that
/// decided.
std::optional<LineRange> FindDefined(const Reference& reference, std::string_view symbol,
                                     const CodeFile& file);

/// Where most lines of the quoted code are together now, if that is more than one;
/// with as many lines as are cited.
std::optional<LineRange> FindQuoted(const Reference& reference, const CodeFile& file);

/// The line of `now` that is most like a changed line, of those that have the name;
/// nothing if it is not clearly more alike than any other.
std::optional<LineRange> FindSimilar(std::string_view line, std::string_view symbol,
                                     const CodeFile& now);

/// The only place of the code that decided, the only member of that name, or the
/// only line that has it.
std::optional<LineRange> FindNamed(const Reference& reference, std::string_view symbol,
                                   const CodeFile& file);

/// Whether the name of a function or type that is defined where the citation starts
/// has all parts of a claimed name: `diversity` and trigramDiversity().
bool IsDescribedThere(const Reference& reference, const CodeFile& file);

/// Of the functions and types that were defined in the cited lines, the only one
/// whose name has a word of the sentence: "the scheduler loop" and run_scheduler().
/// Where it is now.
std::optional<LineRange> FindDescribed(const Reference& reference, const CodeFile& then,
                                       const CodeFile& now);

/// The only function or type that starts on a line; empty if there is none.
std::string DefinedThere(const CodeFile& file, std::size_t line);

/// The name of the claim with that text, if the claim has it itself.
const ClaimedName* FindName(const Claim& claim, std::string_view symbol);

}  // namespace sibyl::references
