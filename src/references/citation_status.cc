// SPDX-License-Identifier: Apache-2.0
#include "references/citation_status.h"

namespace sibyl::references {

std::string_view StatusName(CitationStatus status) {
  switch (status) {
    case CitationStatus::kHolds:
      return "holds";
    case CitationStatus::kDrifted:
      return "drifted";
    case CitationStatus::kWrong:
      return "wrong";
    case CitationStatus::kMissing:
      return "missing";
    case CitationStatus::kOutOfRange:
      return "out-of-range";
    case CitationStatus::kUndecided:
      return "undecided";
  }
  return "";
}

}  // namespace sibyl::references
