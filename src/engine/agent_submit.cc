// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "engine/agent_operations.h"
#include "engine/agent_run.h"
#include "engine/agent_work.h"
#include "engine/arguments.h"
#include "engine/draft_payload.h"
#include "engine/outcome.h"

namespace sibyl::engine {
namespace {

Finding Incomplete(std::string_view code, std::string message, std::string hint,
                   const std::string& file) {
  return {.severity = Severity::kError,
          .code = std::string(code),
          .message = std::move(message),
          .hint = std::move(hint),
          .place = {.file = file}};
}

// What the gate cannot know: that there should be more.
std::vector<Finding> CheckWhole(HeldPart& held, const draft::Draft& draft) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < held.sections().size(); ++i) {
    const auto& drafted = held.drafted();
    const bool is_there = std::any_of(drafted.begin(), drafted.end(),
                                      [i](const auto& section) { return section.place == i; });
    if (is_there) continue;
    findings.push_back(Incomplete(
        "draft/missing",
        fmt::format("section {}, '{}', was not drafted", i + 1, held.sections()[i].title),
        "use draft_section, with not-found when nothing was found for it", draft.path));
  }
  if (findings.empty() && draft::CoveredCount(draft) == 0) {
    findings.push_back(Incomplete("draft/empty", "the page covers no point of the plan",
                                  "release_part with failed, and the reason", draft.path));
  }
  return findings;
}

Result<Json> Progress(HeldPart& held) {
  std::vector<runner::JobRow> rows = SIBYL_TRY(held.queue().Jobs());
  std::erase_if(rows, [](const runner::JobRow& row) { return row.is_last; });
  return ProgressAsJson(rows);
}

Result<Outcome> Report(HeldPart& held, const draft::Draft& draft, std::vector<Finding> findings) {
  std::size_t citations = 0;
  for (const draft::UsedSource& source : draft.sources) citations += source.citations;
  Outcome outcome{.data = {{"part", held.part().number},
                           {"target", draft.path},
                           {"accepted", findings.empty()},
                           {"lines", SplitLines(draft.text).size()},
                           {"citations", citations},
                           {"points", draft::PointCount(draft)},
                           {"covered", draft::CoveredCount(draft)}},
                  .holds = findings.empty()};
  outcome.findings = std::move(findings);
  outcome.data["progress"] = SIBYL_TRY(Progress(held));
  return outcome;
}

Result<Outcome> RunSubmit(const Context& context, const Arguments& arguments) {
  const std::unique_ptr<HeldPart> held =
      SIBYL_TRY(HeldPart::Open(context, arguments.Text("lease")));
  if (held->is_submitted()) {
    const draft::Draft draft = SIBYL_TRY(ParseDraft(held->row().payload));
    return Report(*held, draft, {});
  }
  JudgedPage judged = SIBYL_TRY(JudgeSections(context, *held, held->drafted()));
  std::vector<Finding> findings = CheckWhole(*held, judged.page.draft);
  findings.insert(findings.end(), judged.findings.begin(), judged.findings.end());
  const draft::Draft& draft = judged.page.draft;
  if (findings.empty()) {
    const runner::Verdict verdict =
        SIBYL_TRY(held->queue().Complete(held->lease(), FormatDraft(draft)));
    if (verdict == runner::Verdict::kRefused) return LeaseLost();
  } else {
    SIBYL_TRY(held->Keep({.step = "agent mends what the gate refused"}));
  }
  return Report(*held, draft, std::move(findings));
}

constexpr Parameter kAgentSubmitParameters[] = {kLeaseParameter};

}  // namespace

constexpr Operation kPartSubmit = {
    .name = "part submit",
    .summary = "submit a part; what passes is delivered",
    .description =
        R"(Puts the page of all drafted sections through the gate. When it passes, the part is delivered: it
waits in the journal for the others, its lease is over, and nothing can change it any more. When it does
not, nothing is delivered and the findings say what to mend, with the section and its line. Every section
must have been drafted, and one point at least be covered.

Asking again with the same lease, because an answer was lost, is harmless.)",
    .parameters = kAgentSubmitParameters,
    .effects = {.reads = true, .writes = true},
    .rules = DraftRules,
    .tool = {.name = "submit_part", .is_idempotent = true},
    .run = RunSubmit,
};

}  // namespace sibyl::engine
