// SPDX-License-Identifier: Apache-2.0
// Path patterns as people know them from .gitignore.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sibyl::evidence {

/// `*` and `?` stop at a slash, `**` does not, `[a-z]` and `[!a-z]` name sets, a
/// backslash takes the next letter as it is. A pattern without a slash is tried
/// on every name along the path, others from the root; what matches a folder
/// matches everything below it. Case counts. No pattern is exponential: the
/// worst costs the square of the path times the pattern.
bool MatchesGlob(std::string_view pattern, std::string_view path);

/// True for a path that a source's filter takes: inside `include` (everything,
/// when that is empty) and not in `exclude`.
bool PassesGlobs(const std::vector<std::string>& include, const std::vector<std::string>& exclude,
                 std::string_view path);

}  // namespace sibyl::evidence
