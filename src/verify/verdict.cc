// SPDX-License-Identifier: Apache-2.0
#include "verify/verdict.h"

namespace sibyl::verify {

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSupported:
      return "supported";
    case Verdict::kContradicted:
      return "contradicted";
    case Verdict::kAbsent:
      return "absent";
    case Verdict::kStale:
      return "stale";
    case Verdict::kUndecidable:
      return "undecidable";
  }
  return "undecidable";
}

Judgement Undecidable(std::string reason) {
  return {.message = "not checked", .reason = std::move(reason)};
}

VerdictCounts CountVerdicts(const std::vector<Judgement>& judgements) {
  VerdictCounts counts;
  for (const Judgement& judgement : judgements) {
    switch (judgement.verdict) {
      case Verdict::kSupported:
        ++counts.supported;
        break;
      case Verdict::kContradicted:
        ++counts.contradicted;
        break;
      case Verdict::kAbsent:
        ++counts.absent;
        break;
      case Verdict::kStale:
        ++counts.stale;
        break;
      case Verdict::kUndecidable:
        ++counts.undecidable;
        break;
    }
  }
  return counts;
}

}  // namespace sibyl::verify
