// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "engine/agent/agent_json.h"
#include "engine/agent/agent_operations.h"
#include "engine/agent/budget_lines.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "expansion/agent_work.h"
#include "oracle/argument_file.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kLongestSection = std::size_t{1} << 20;

Result<std::string> GivenText(const oracle::Context& context, const Arguments& arguments) {
  const int given = static_cast<int>(arguments.Has("text")) +
                    static_cast<int>(arguments.Has("file")) +
                    static_cast<int>(arguments.Has("not-found"));
  if (given != 1) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "missing the section's text",
                 .hint = "use one of --text, --file and --not-found"};
  }
  if (arguments.Has("not-found")) return std::string();
  if (arguments.Has("file")) {
    return oracle::ReadInput(context, arguments.Text("file"), {.max_bytes = kLongestSection});
  }
  std::string text(arguments.Text("text"));
  if (text.size() <= kLongestSection) return text;
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("a section of {} bytes exceeds the size limit of a page",
                                      text.size())};
}

Result<std::size_t> WantedSection(const expansion::HeldPart& held, const Arguments& arguments) {
  const auto number = static_cast<std::size_t>(arguments.Integer("section").value_or(1));
  if (number >= 1 && number <= held.sections().size()) return number - 1;
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("the part has no section {}", number),
               .hint = fmt::format("it has {}", Count(held.sections().size(), "section"))};
}

// The lines of the findings are those of the text: name the file that has it.
void NameFile(const Arguments& arguments, std::vector<Finding>& findings) {
  if (!arguments.Has("file")) return;
  const std::string_view file = arguments.Text("file");
  for (Finding& finding : findings) finding.place.file = file == "-" ? "<stdin>" : file;
}

Json PointsAsJson(const draft::Draft& draft) {
  Json points = Json::array();
  for (const draft::DraftSection& section : draft.sections) {
    for (const draft::Coverage& point : section.points) {
      points.push_back({{"point", point.point}, {"covered", point.where.has_value()}});
    }
  }
  return points;
}

// A section without a covered point is not what the plan asked for, unless the
// agent says that there is nothing.
void AddUncovered(const draft::Draft& draft, const plan::Section& section,
                  std::vector<Finding>& findings) {
  if (section.points.empty() || draft::CoveredCount(draft) > 0) return;
  findings.push_back(
      {.severity = Severity::kError,
       .code = "draft/empty",
       .message = fmt::format("section '{}' covers no point of the plan", section.title),
       .hint = "write cited statements under '### POINT', in the plan's words; not-found if no "
               "source covers any of its points",
       .place = {.file = draft.path}});
}

Json MissingSections(expansion::HeldPart& held) {
  Json missing = Json::array();
  for (std::size_t i = 0; i < held.sections().size(); ++i) {
    const bool is_there = std::any_of(held.drafted().begin(), held.drafted().end(),
                                      [i](const auto& section) { return section.place == i; });
    if (!is_there) missing.push_back(i + 1);
  }
  return missing;
}

Result<Outcome> RunDraft(const oracle::Context& context, const Arguments& arguments) {
  std::string text = SIBYL_TRY(GivenText(context, arguments));
  const std::unique_ptr<expansion::HeldPart> held =
      SIBYL_TRY(expansion::HeldPart::Open(context, arguments.Text("lease")));
  if (held->is_submitted()) return expansion::LeaseLost();
  const std::size_t place = SIBYL_TRY(WantedSection(*held, arguments));
  const draft::AgentSection section{.place = place, .text = std::move(text)};
  expansion::JudgedPage judged = SIBYL_TRY(expansion::JudgeSections(context, *held, {section}));
  const draft::Draft& draft = judged.page.draft;
  const plan::Section& planned = held->sections()[place];
  if (!arguments.Has("not-found")) AddUncovered(draft, planned, judged.findings);
  NameFile(arguments, judged.findings);
  NameFile(arguments, judged.notes);
  const bool is_accepted = judged.findings.empty();
  if (is_accepted) judged.findings = std::move(judged.notes);
  // Stored whatever the gate says: the agent fixes it, or another continues it.
  std::erase_if(held->drafted(), [place](const auto& each) { return each.place == place; });
  held->drafted().push_back(section);
  std::sort(held->drafted().begin(), held->drafted().end(),
            [](const auto& a, const auto& b) { return a.place < b.place; });
  runner::Progress progress{.step = fmt::format("agent drafted {} of {} sections",
                                                held->drafted().size(), held->sections().size()),
                            .figures = {{"sections", runner::FigureValue(held->drafted().size())}}};
  if (!is_accepted) AddRefused(judged.findings, progress);
  SIBYL_TRY(held->Keep(progress));
  return Outcome{
      .data = {{"part", held->part().number},
               {"section", place + 1},
               {"title", planned.title},
               {"accepted", is_accepted},
               {"lines", SectionLines(draft.text, place + 1)},
               {"line_budget", planned.line_budget ? Json(*planned.line_budget) : Json()},
               {"citations", judged.page.citations},
               {"statements",
                {{"grounded", judged.support.grounded}, {"undecided", judged.support.undecided}}},
               {"points", PointsAsJson(draft)},
               {"sections_missing", MissingSections(*held)},
               {"lease_seconds", held->lease_length().count()}},
      .findings = std::move(judged.findings),
      .holds = is_accepted};
}

constexpr Parameter kAgentDraftParameters[] = {
    kLeaseParameter,
    {.name = "section",
     .value_name = "N",
     .help = "the number of the section in the part, from 1",
     .type = ValueType::kInteger,
     .required = true,
     .minimum = 1,
     .maximum = 10'000},
    {.name = "text",
     .value_name = "TEXT",
     .help = "the body of the section in Markdown, without its heading"},
    {.name = "file",
     .value_name = "FILE",
     .help = "read the body from this file; - is stdin",
     .type = ValueType::kPath,
     .people_only = true},
    {.name = "not-found",
     .help = "no source covers any of its points",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kPartDraft = {
    .name = "part draft",
    .summary = "draft a section of a part and check it",
    .description =
        R"(Stores the body of one section in the journal, and returns the gate's verdict at once: `accepted`,
or findings with the line of the body, the reason and, where there is one, the nearest correct text.
Draft it again until it passes; only the last version counts. A section that covers no point is not
accepted; `--not-found` says that no source covers any. `lines` are those that the budget counts:
the section on the page, without footnotes. `statements` counts, of a section that passes, those
that the cited lines carry and those that are not decided; the latter are listed as notes.

A body has one `### POINT` for each point that it covers, in the plan's words; a section with one
point needs none. Every statement has a footnote mark, `[^a]`, and its definition on a separate
line, `[^a]: SOURCE:PATH:10-12`, or with a whole citation as sibyl printed it. Quotations, names in
code font and numbers with units must be in the cited lines.)",
    .parameters = kAgentDraftParameters,
    .effects = {.reads = true, .writes = true, .changes_oracle = true},
    .rules = DraftRules,
    .tool = {.name = "draft_section", .is_idempotent = true},
    .run = RunDraft,
    .render = RenderPartDraft,
};

}  // namespace sibyl::engine
