// SPDX-License-Identifier: Apache-2.0
// Versions in sentences: the oldest that a project needs ("CMake 3.12 or newer"), and since when a
// name exists ("`CUDAARCHS` was added in CMake 3.20").
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "statement/statement.h"

namespace sibyl::audit {

struct VersionClaim {
  std::string tool;        ///< "CMake", "gcc", or a package; may be empty for `name`.
  std::string name;        ///< What exists since then; empty: a requirement.
  std::string version;     ///< "3.20"
  std::size_t offset = 0;  ///< Of the version in the statement's text.
};

/// The subject that a clause after a comma or semicolon begins with: "…, PyTorch wants at least
/// CMake 3.18".
struct ClauseSubject {
  std::string name;       ///< May be empty.
  std::size_t begin = 0;  ///< Of the clause, if it has a name.
};
ClauseSubject SubjectBefore(std::string_view text, std::size_t at);

/// At most 50.
std::vector<VersionClaim> ReadVersionClaims(const statement::Statement& statement);

}  // namespace sibyl::audit
