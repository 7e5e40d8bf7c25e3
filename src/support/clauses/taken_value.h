// SPDX-License-Identifier: Apache-2.0
// Values that are names: which of several a default or an assignment of the lines has.
#pragma once

#include <optional>
#include <string>

#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

struct OtherName {
  std::string said;
  std::string there;
};

/// "OpenMP is built if `BACKEND` is not set" where the lines have "default: `BACKEND_CUDA`" and
/// the other value `BACKEND_OPENMP`.
std::optional<OtherName> FindOtherSibling(const ReadStatement& read, const EvidenceText& evidence);

/// "`a` takes the value of `c`" where the lines have `a = b` and give `c` only to something else.
std::optional<OtherName> FindOtherAssigned(const ReadStatement& read, const EvidenceText& evidence);

}  // namespace sibyl::support
