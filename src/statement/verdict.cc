// SPDX-License-Identifier: Apache-2.0
#include "statement/verdict.h"

#include "base/strings.h"

namespace sibyl::statement {

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
  return {.message = "not checked: the pinned sources do not decide it",
          .reason = std::move(reason)};
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

std::string Excerpt(std::string_view text) {
  constexpr std::size_t kMost = 80;
  text = Trim(text);
  text = Trim(text.substr(0, text.find('\n')));
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace sibyl::statement
