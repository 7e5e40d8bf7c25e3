// SPDX-License-Identifier: Apache-2.0
// Path patterns as in .gitignore.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sibyl::evidence {

/// `*` and `?` stop at a slash, `**` does not, `[a-z]` and `[!a-z]` are sets, a
/// backslash escapes the next character. A pattern without a slash is matched
/// against every name along the path, others from the root; a pattern that
/// matches a folder matches everything in it. Case-sensitive. No pattern is
/// exponential: the worst case is the square of the path times the pattern.
bool MatchesGlob(std::string_view pattern, std::string_view path);

/// True for a path that a source's filter accepts: in `include` (everything, if
/// that is empty) and not in `exclude`.
bool PassesGlobs(const std::vector<std::string>& include, const std::vector<std::string>& exclude,
                 std::string_view path);

}  // namespace sibyl::evidence
