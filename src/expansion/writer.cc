// SPDX-License-Identifier: Apache-2.0
#include "expansion/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sibyl::expansion {
namespace {

// Each round repairs or drops something, so a page that keeps being refused
// gets shorter; one that needs more rounds has another problem.
constexpr int kMostRounds = 13;

}  // namespace

Result<CheckedPage> WriteUntilItHolds(Writer& writer, const oracle::CitationSources& citations,
                                      const CheckOptions& options) {
  for (int round = 0; round < kMostRounds; ++round) {
    draft::WrittenPage page = SIBYL_TRY(writer.Write());
    if (options.progress) options.progress("checking", page.draft);
    gate::GateResult result = SIBYL_TRY(citations.Check(page.draft, {.planned = options.planned}));
    if (result.passed() && !writer.HasObjections()) {
      if (SIBYL_TRY(writer.ReviewOnce())) continue;
      if (options.progress) options.progress("checked", page.draft);
      return CheckedPage{.verified = std::move(result.verified), .failures = {}};
    }
    if (options.refused) options.refused(result.failures);
    if (options.cancelled && options.cancelled()) {
      return Error{.kind = ErrorKind::kCancelled, .message = "stopped"};
    }
    if (!SIBYL_TRY(writer.Revise(page, result.failures))) {
      return CheckedPage{.verified = std::nullopt, .failures = std::move(result.failures)};
    }
  }
  return Error{.kind = ErrorKind::kCorrupt,
               .message = "the gate refused every version of the page"};
}

std::vector<std::string> NewestFindings(const std::vector<statement::Judgement>& failures) {
  std::vector<std::string> findings;
  const std::size_t first = failures.size() - std::min(kMostFindings, failures.size());
  for (std::size_t i = first; i < failures.size(); ++i) {
    const statement::Judgement& one = failures[i];
    findings.push_back(
        fmt::format("line {}: {} [{}]", one.place.line, statement::Excerpt(one.message), one.code));
  }
  return findings;
}

Error RefusedByGate(const std::vector<statement::Judgement>& failures) {
  if (failures.empty()) return {.kind = ErrorKind::kCorrupt, .message = "the gate refused it"};
  const statement::Judgement& first = failures.front();
  return {.kind = ErrorKind::kCorrupt,
          .message = fmt::format("the gate refused line {}: {} [{}]", first.place.line,
                                 first.message, first.code)};
}

}  // namespace sibyl::expansion
