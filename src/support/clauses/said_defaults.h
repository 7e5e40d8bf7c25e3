// SPDX-License-Identifier: Apache-2.0
// Defaults in prose and usage texts: "[default=1]", "'text' (default)", "defaults
// to 10", "`name`: `false`". A statement about a default that names another value
// of the lines, and not the one that they mark, is wrong.
#pragma once

#include <optional>
#include <string>

#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

struct OtherDefault {
  std::string said;   ///< The value of the statement.
  std::string there;  ///< The one that the lines mark.
};

/// Nothing if the statement does not speak of a default, or names that of the lines.
std::optional<OtherDefault> FindOtherDefault(const ReadStatement& read,
                                             const EvidenceText& evidence);

}  // namespace sibyl::support
