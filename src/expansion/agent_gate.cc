// SPDX-License-Identifier: Apache-2.0
// Checks an agent's sections with the gate, and maps its findings to the lines
// that the agent wrote.
#include <fmt/format.h>

#include <map>

#include "base/line_excerpt.h"
#include "base/strings.h"
#include "expansion/agent_work.h"
#include "expansion/expansion_inputs.h"
#include "expansion/writer.h"
#include "oracle/citation_sources.h"
#include "oracle/oracle.h"
#include "statement/judgement_finding.h"

namespace sibyl::expansion {
namespace {

/// The text as the agent gave it, for the line that a finding shows.
class GivenLines {
 public:
  explicit GivenLines(const std::vector<draft::AgentSection>& sections) {
    for (const draft::AgentSection& section : sections) {
      lines_.try_emplace(section.place, SplitLines(section.text));
    }
  }

  std::string_view At(const draft::LineOrigin& origin) const {
    const auto section = lines_.find(origin.section);
    if (section == lines_.end() || origin.line < 1 || origin.line > section->second.size()) {
      return {};
    }
    return section->second[origin.line - 1];
  }

 private:
  std::map<std::size_t, std::vector<std::string_view>> lines_;  // of the caller's sections
};

void PutAt(const draft::LineOrigin& origin, const GivenLines& lines, Finding& finding) {
  finding.place.line = origin.line;
  finding.place.column = 0;
  finding.place.text = LineExcerpt(lines.At(origin), 0);
  if (origin.line > 0) {
    finding.details.push_back({.name = "section", .value = fmt::format("{}", origin.section + 1)});
  }
}

// The agent repairs its sections itself: failures are returned to it.
class AgentWriter : public Writer {
 public:
  explicit AgentWriter(const draft::Draft& draft) : draft_(draft) {}

  Result<draft::WrittenPage> Write() override { return draft::WrittenPage{.draft = draft_}; }
  Result<bool> Revise(const draft::WrittenPage& /*page*/,
                      const std::vector<statement::Judgement>& /*failures*/) override {
    return false;
  }

 private:
  const draft::Draft& draft_;
};

Finding FindingOfComplaint(const draft::FormComplaint& complaint, const std::string& file) {
  return {.severity = Severity::kError,
          .code = complaint.code,
          .message = complaint.message,
          .hint = complaint.hint,
          .place = {.file = file}};
}

}  // namespace

Result<JudgedPage> JudgeSections(const oracle::Context& context, const HeldPart& held,
                                 const std::vector<draft::AgentSection>& sections) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  JudgedPage judged{.page = draft::ComposeAgentPage({.plan = held.plan(),
                                                     .part = held.part(),
                                                     .lock = lock,
                                                     .program = ProgramName(),
                                                     .time = context.clock.WrittenNow()},
                                                    sections)};
  draft::AgentPage& page = judged.page;
  const GivenLines lines(sections);
  const std::string file = page.draft.path;
  // A section alone is not the file: the budget of the whole is judged at the end.
  const bool is_whole = sections.size() == held.sections().size();
  if (!is_whole) page.draft.line_budget.reset();
  for (const draft::FormComplaint& complaint : page.complaints) {
    Finding finding = FindingOfComplaint(complaint, file);
    PutAt(complaint.origin, lines, finding);
    judged.findings.push_back(std::move(finding));
  }
  const auto citations = SIBYL_TRY(oracle::CitationSources::Open(context, lock, around));
  AgentWriter writer(page.draft);
  const CheckedPage checked = SIBYL_TRY(WriteUntilItHolds(writer, *citations));
  for (const statement::Judgement& failure : checked.failures) {
    Finding finding = statement::FindingOf(failure, statement::Reasons::kLeftOut);
    const std::size_t line = failure.place.line;
    const bool is_known = line >= 1 && line <= page.origins.size();
    PutAt(is_known ? page.origins[line - 1] : draft::LineOrigin{}, lines, finding);
    judged.findings.push_back(std::move(finding));
  }
  return judged;
}

}  // namespace sibyl::expansion
