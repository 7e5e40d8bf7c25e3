// SPDX-License-Identifier: Apache-2.0
#include "statement/judgement_finding.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/line_excerpt.h"
#include "base/strings.h"

namespace sibyl::statement {
namespace {

std::string HintOf(const Judgement& judgement, Reasons reasons) {
  std::vector<std::string> parts;
  if (!judgement.nearest.empty() && !judgement.where.empty()) {
    parts.push_back(fmt::format("nearest: {}, {}", judgement.nearest, judgement.where));
  } else if (!judgement.nearest.empty()) {
    parts.push_back(fmt::format("nearest: {}", judgement.nearest));
  } else if (!judgement.where.empty()) {
    parts.push_back(judgement.where);
  }
  if (reasons == Reasons::kGiven && !judgement.reason.empty()) {
    parts.push_back(fmt::format("reason: {}", judgement.reason));
  }
  return Join(parts, "; ");
}

}  // namespace

Finding FindingOf(const Judgement& judgement, Reasons reasons) {
  Finding finding{.severity = judgement.Fails() ? Severity::kError : Severity::kNote,
                  .code = judgement.code,
                  .message = judgement.message,
                  .hint = HintOf(judgement, reasons),
                  .place = judgement.place,
                  .details = {{"verdict", std::string(VerdictName(judgement.verdict))},
                              {"kind", judgement.kind},
                              {"text", judgement.text},
                              {"nearest", judgement.nearest},
                              {"where", judgement.where}}};
  if (reasons == Reasons::kGiven) finding.details.push_back({"reason", judgement.reason});
  if (judgement.character_column > 0) {
    finding.details.push_back({kCharacterColumn, fmt::format("{}", judgement.character_column)});
  }
  return finding;
}

}  // namespace sibyl::statement
