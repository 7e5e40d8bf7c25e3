// SPDX-License-Identifier: Apache-2.0
// Checks an agent's sections with the gate, and maps its findings to the lines
// that the agent wrote.
#include <fmt/format.h>

#include <map>

#include "base/line_excerpt.h"
#include "base/strings.h"
#include "draft/agent/page_sections.h"
#include "expansion/agent_work.h"
#include "expansion/cited_lines.h"
#include "expansion/expansion_inputs.h"
#include "expansion/oracle_plans.h"
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

// A sentence of the page in the line that the agent gave, which has other
// labels; empty if it is not there.
std::string_view GivenSentence(std::string_view line, std::string_view sentence) {
  const std::string_view words = sentence.substr(0, sentence.find("[^"));
  const std::size_t begin = words.empty() ? std::string_view::npos : line.find(words);
  if (begin == std::string_view::npos) return {};
  std::size_t end = begin + words.size();
  while (line.substr(end).starts_with("[^")) {
    const std::size_t close = line.find(']', end);
    if (close == std::string_view::npos) break;
    end = close + 1;
  }
  return line.substr(begin, end - begin);
}

void PutAt(const draft::LineOrigin& origin, const GivenLines& lines, std::string_view sentence,
           Finding& finding) {
  const std::string_view line = lines.At(origin);
  finding.place.line = origin.line;
  finding.place.column =
      sentence.empty() ? 0 : static_cast<std::size_t>(sentence.data() - line.data()) + 1;
  finding.place.text = LineExcerpt(line, finding.place.column);
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

// A judgement of the page as a finding about the text that the agent gave.
Finding FindingInSection(const statement::Judgement& judgement, const draft::AgentPage& page,
                         const GivenLines& lines, const CitedLines& cited) {
  Finding finding = statement::FindingOf(judgement, statement::Reasons::kLeftOut);
  const std::size_t line = judgement.place.line;
  const std::size_t column = judgement.place.column;
  const bool is_known = line >= 1 && line <= page.origins.size();
  const draft::LineOrigin origin = is_known ? page.origins[line - 1] : draft::LineOrigin{};
  const bool has_no_mark = judgement.code == "cite/missing";
  const std::string_view said =
      has_no_mark ? std::string_view(judgement.text) : cited.StatementAt(line, column);
  const std::string_view sentence = GivenSentence(lines.At(origin), said);
  PutAt(origin, lines, sentence, finding);
  finding.details.push_back(
      {.name = "sentence",
       .value = sentence.empty() ? finding.place.text : LineExcerpt(sentence, 0)});
  std::string text = has_no_mark ? std::string() : cited.At(line, column);
  if (!text.empty()) finding.details.push_back({.name = "cited", .value = std::move(text)});
  return finding;
}

}  // namespace

Result<JudgedPage> JudgeSections(const oracle::Context& context, const HeldPart& held,
                                 const std::vector<draft::AgentSection>& sections) {
  SIBYL_TRY(held.CheckRevised());
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  const auto citations = SIBYL_TRY(oracle::CitationSources::Open(context, lock, around));
  JudgedPage judged{.page = draft::ComposeAgentPage({.plan = held.plan(),
                                                     .part = held.part(),
                                                     .lock = lock,
                                                     .program = ProgramName(),
                                                     .time = context.clock.WrittenNow(),
                                                     .find_words = citations->words(),
                                                     .find_place = citations->places(),
                                                     .kept = draft::ReadLabels(held.revised())},
                                                    sections)};
  draft::AgentPage& page = judged.page;
  const GivenLines lines(sections);
  const std::string file = page.draft.path;
  // A section alone is not the file: the budget of the whole is judged at the end.
  const bool is_whole = sections.size() == held.sections().size();
  if (!is_whole) page.draft.line_budget.reset();
  for (const draft::FormComplaint& complaint : page.complaints) {
    Finding finding = FindingOfComplaint(complaint, file);
    PutAt(complaint.origin, lines, {}, finding);
    judged.findings.push_back(std::move(finding));
  }
  AgentWriter writer(page.draft);
  const Root oracle = SIBYL_TRY(oracle::OpenOracle(context));
  const CheckedPage checked =
      SIBYL_TRY(WriteUntilItHolds(writer, *citations, {.planned = PlannedPages(oracle)}));
  if (checked.verified) judged.support = gate::CountSupport(checked.verified->judgements());
  const CitedLines cited(page.draft.text, around);
  for (const statement::Judgement& failure : checked.failures) {
    // A heading of a section that is not in this text.
    if (!is_whole && failure.code == "link/broken" && failure.text.starts_with("#")) continue;
    judged.findings.push_back(FindingInSection(failure, page, lines, cited));
  }
  if (!checked.verified || !judged.findings.empty()) return judged;
  for (const statement::Judgement& judgement : checked.verified->judgements()) {
    const bool is_undecided = judgement.verdict == statement::Verdict::kUndecidable &&
                              judgement.code == "support/undecided";
    if (is_undecided) judged.notes.push_back(FindingInSection(judgement, page, lines, cited));
  }
  return judged;
}

}  // namespace sibyl::expansion
