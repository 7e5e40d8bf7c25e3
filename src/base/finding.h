// SPDX-License-Identifier: Apache-2.0
// What a check has to say: a code, a place, a sentence and, where there is
// one, the nearest truth. Plans, audits, artifacts and machines all answer in
// findings, so that one printer and one SARIF writer serve them all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl {

enum class Severity {
  kNote,     ///< Good to know; nothing to do.
  kWarning,  ///< Probably a mistake; the work can go on.
  kError,    ///< Does not hold; exit code 1.
};

/// What a check knows beyond its sentence, such as a verdict: a member of the
/// finding in the JSON answer.
struct FindingDetail {
  std::string_view name;  ///< A literal.
  std::string value;
};

struct Finding {
  Severity severity = Severity::kWarning;
  std::string code;  ///< "part/no-target": stable, lower case, room/thing.
  std::string message;
  std::string hint;  ///< What would be right; may be empty.
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
