// SPDX-License-Identifier: Apache-2.0
// The corrections of a Dockerfile as one unified diff, for `patch -p1` and `git apply`,
// and as replacements, for reports.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace sibyl::inspect {

/// `corrections` are those of CheckDockerfile. Left out are corrections with something for a
/// person to fill in, and those that overlap an earlier one of their line; a second run suggests
/// what is left. Empty if nothing can be applied.
std::string DiffOfDockerfile(std::string_view path, std::string_view text, const Json& corrections);

/// The same corrections, each by itself: [{"code", "line" (of the finding), "replacements":
/// [{"line", "column", "end_line", "end_column", "text"}]}]. Columns are characters from 1; the end
/// is not replaced.
Json FixesOfDockerfile(std::string_view text, const Json& corrections);

}  // namespace sibyl::inspect
