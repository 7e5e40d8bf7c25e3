// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/agent/agent_json.h"
#include "engine/agent/agent_operations.h"
#include "engine/agent/budget_lines.h"
#include "engine/agent/missing_of_page.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "expansion/agent_work.h"
#include "expansion/draft_payload.h"

namespace sibyl::engine {
namespace {

Outcome ShownPage(const expansion::HeldPart& held, const draft::Draft& draft,
                  std::vector<Finding> findings, const std::vector<Finding>& notes = {}) {
  const bool holds = findings.empty();
  if (holds) findings = notes;
  return {.data = {{"part", held.part().number},
                   {"target", draft.path},
                   {"accepted", holds},
                   {"lines", PageLines(draft.text)},
                   {"points", draft::PointCount(draft)},
                   {"covered", draft::CoveredCount(draft)},
                   {"text", draft.text}},
          .findings = std::move(findings),
          .holds = holds};
}

// As it was given: what draft_section takes.
Result<Outcome> ShownSection(expansion::HeldPart& held, std::size_t number) {
  for (const draft::AgentSection& section : held.drafted()) {
    if (section.place + 1 != number) continue;
    return Outcome{.data = {{"part", held.part().number},
                            {"target", held.part().target},
                            {"section", number},
                            {"title", held.sections()[section.place].title},
                            {"text", section.text}}};
  }
  return Error{
      .kind = ErrorKind::kNotFound,
      .message = fmt::format("part {} has no draft of section {}", held.part().number, number),
      .hint = "draft it with draft_section"};
}

Result<Outcome> RunPartShow(const oracle::Context& context, const Arguments& arguments) {
  const std::unique_ptr<expansion::HeldPart> held =
      SIBYL_TRY(expansion::HeldPart::Open(context, arguments.Text("lease")));
  if (const auto number = arguments.Integer("section")) {
    return ShownSection(*held, static_cast<std::size_t>(*number));
  }
  if (held->is_submitted()) {
    return ShownPage(*held, SIBYL_TRY(expansion::ParseDraft(held->row().payload)), {});
  }
  const expansion::JudgedPage judged =
      SIBYL_TRY(expansion::JudgeSections(context, *held, held->drafted()));
  std::vector<Finding> findings = MissingOfPage(*held, judged.page.draft);
  findings.insert(findings.end(), judged.findings.begin(), judged.findings.end());
  return ShownPage(*held, judged.page.draft, std::move(findings), judged.notes);
}

constexpr Parameter kPartShowParameters[] = {
    kLeaseParameter,
    {.name = "section",
     .value_name = "N",
     .help = "only the draft of this section, as it was given",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = 10'000},
};

}  // namespace

constexpr Operation kPartShow = {
    .name = "part show",
    .summary = "show the page of a part as it would be delivered",
    .description =
        R"(Puts the drafted sections together and shows the page with its title, stamp, numbered footnotes and
sources, and every finding of the gate. Delivers nothing; `sibyl part submit` does. With `--section`
it shows the draft of one section as it was given, to continue from it.)",
    .parameters = kPartShowParameters,
    .effects = {.reads = true, .writes = true},
    .rules = DraftRules,
    .tool = {.name = "show_part", .is_idempotent = true},
    .run = RunPartShow,
    .render = RenderPartShow,
};

}  // namespace sibyl::engine
