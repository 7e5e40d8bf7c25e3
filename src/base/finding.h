// SPDX-License-Identifier: Apache-2.0
// The result of a check: a code, a place, a message and, where possible, a
// correction. Plans, audits, artifacts and machines all report findings, so
// that one printer and one SARIF writer serve them all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl {

enum class Severity {
  kNote,     ///< Good to know; nothing to do.
  kWarning,  ///< Probably a mistake; work can continue.
  kError,    ///< A failed check; exit code 1.
};

/// Additional data, such as a verdict: a member of the finding in the JSON
/// answer.
struct FindingDetail {
  std::string_view name;  ///< A literal.
  std::string value;
};

struct Finding {
  Severity severity = Severity::kWarning;
  std::string code;  ///< "part/no-target": stable, lower case, room/thing.
  std::string message;
  std::string hint;  ///< A correction or what to do; may be empty.
  Place place;
  std::vector<FindingDetail> details = {};
};

constexpr std::string_view SeverityName(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "note";
}

/// A code that the findings of an operation may carry, and what it means.
struct Rule {
  std::string_view code;
  std::string_view meaning;  ///< One sentence for people and for SARIF.
};

}  // namespace sibyl
