// SPDX-License-Identifier: Apache-2.0
#include "expansion/expansion_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/strings.h"
#include "evidence/evidence.h"
#include "expansion/model/model_access.h"
#include "expansion/needed_sources.h"
#include "expansion/own_records.h"
#include "expansion/run_writer.h"
#include "oracle/oracle.h"
#include "oracle/oracle_markdown.h"
#include "plan/plan.h"

namespace sibyl::expansion {
namespace {

// Changed when the same inputs would give another page.
constexpr std::string_view kWriterVersion = "extract 3";

}  // namespace

std::string ProgramName() { return "sibyl " SIBYL_RELEASE; }

namespace {

// What was done to the pages, by the name that such files have; a page that cites is none.
bool IsLog(std::string_view name, std::string_view text) {
  constexpr std::array<std::string_view, 7> kNames = {
      "changelog.md", "changes.md", "history.md", "log.md", "news.md", "review.md", "reviews.md"};
  return std::find(kNames.begin(), kNames.end(), LowerCase(name)) != kNames.end() &&
         !Contains(text, "\n[^");
}

// Parsing is slow, and is done for every page on every search: a part has its label at the
// beginning of a line, after marks and a checkbox.
bool MayHavePart(std::string_view text) {
  constexpr std::size_t kLongestMark = 60;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, std::min(end - begin, kLongestMark));
    const bool has_label =
        line.find_first_of("pP") != std::string_view::npos && Contains(LowerCase(line), "part");
    if (has_label) return true;
    begin = end + 1;
  }
  return false;
}

// A page that orders files from others is a plan, wherever it is.
bool IsPlan(const gate::PageText& page) {
  if (!MayHavePart(page.text)) return false;
  const std::vector<plan::Part> parts = plan::Parse(page.path, page.text).plan.parts;
  return std::any_of(parts.begin(), parts.end(),
                     [](const plan::Part& part) { return !part.target.empty(); });
}

}  // namespace

namespace {

// Of the sources whose bytes are here; another machine's index would find passages of the
// others, and every part that cites them would fail.
Result<oracle::SourceIndexes> OpenIndexes(const oracle::Context& context,
                                          const evidence::Lock& lock,
                                          const evidence::Surroundings& around,
                                          RequirePins require_pins) {
  SourcesHere here = SIBYL_TRY(BringSources(context, lock, around));
  oracle::SourceIndexes indexes;
  const bool has_none = !lock.pins.empty() && here.names.empty();
  if (has_none && require_pins == RequirePins::kYes) return *std::move(here.lacking);
  if (!has_none) indexes = SIBYL_TRY(oracle::OpenSourceIndexes(lock, around, here.names));
  for (Finding& finding : here.findings) indexes.findings.push_back(std::move(finding));
  return indexes;
}

}  // namespace

std::vector<draft::KnowledgeFile> ReadKnowledge(const oracle::Context& context) {
  std::vector<draft::KnowledgeFile> files;
  Result<oracle::OracleMarkdown> markdown = oracle::ReadOracleMarkdown(context);
  if (!markdown.ok()) return files;  // an oracle without pages covers nothing yet
  for (gate::PageText& page : markdown->pages) {
    const std::string name = std::filesystem::path(page.path).filename().string();
    if (name == "INDEX.md" || name == "SKILL.md" || name == "README.md") continue;
    if (IsLog(name, page.text) || IsPlan(page)) continue;
    files.push_back({.path = std::move(page.path), .text = std::move(page.text)});
  }
  return files;
}

ExpansionInputs::ExpansionInputs(oracle::SourceIndexes indexes, evidence::Lock lock,
                                 std::unique_ptr<oracle::CitationSources> citations)
    : indexes_(std::move(indexes)),
      searcher_(indexes_.Borrow()),
      lock_(std::move(lock)),
      citations_(std::move(citations)) {}

Result<std::unique_ptr<ExpansionInputs>> ExpansionInputs::Open(const oracle::Context& context,
                                                               const PlannedWork& work,
                                                               ModelAccess* models,
                                                               RequirePins require_pins) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  oracle::SourceIndexes indexes;
  if (!lock.pins.empty() || require_pins == RequirePins::kYes) {
    indexes = SIBYL_TRY(OpenIndexes(context, lock, around, require_pins));
  }
  auto citations = SIBYL_TRY(oracle::CitationSources::Open(context, lock, around));
  std::unique_ptr<ExpansionInputs> inputs(
      new ExpansionInputs(std::move(indexes), std::move(lock), std::move(citations)));
  inputs->knowledge_ = ReadKnowledge(context);
  inputs->records_ = ReadOwnRecords(context, inputs->lock_, around);
  // Exclude the pages that this run will write, so that the result does not depend
  // on the order in which parts are published; and the plan itself.
  std::erase_if(inputs->knowledge_, [&](const draft::KnowledgeFile& file) {
    if (file.path == work.file.path) return true;
    return std::any_of(
        work.choices.parts.begin(), work.choices.parts.end(), [&](const ChosenPart& part) {
          return part.state == PartState::kRuns && work.plan.parts[part.place].target == file.path;
        });
  });
  inputs->plan_lines_ = SplitLines(work.file.text);
  if (models != nullptr) {
    inputs->writer_ = models->judge() != nullptr ? kModelWriter : kUnjudgedWriter;
  }
  const std::string writer =
      models == nullptr ? std::string(kWriterVersion) : models->Fingerprint();
  std::string common =
      fmt::format("{}\n{}\n{}\n{}\n", writer, ProgramName(), work.plan.title, work.plan.topic);
  common += evidence::FormatLock(inputs->lock_);
  for (const draft::Record& record : inputs->records_) common += record.words + "\n";
  inputs->common_fingerprint_ = Sha256(common);
  std::string knowledge;
  for (const draft::KnowledgeFile& file : inputs->knowledge_) {
    knowledge += fmt::format("{}\n{}\n", file.path, Sha256(file.text));
  }
  inputs->knowledge_fingerprint_ = Sha256(knowledge);
  inputs->parts_.emplace(PartInputs{.plan = work.plan,
                                    .searcher = inputs->searcher_,
                                    .lock = inputs->lock_,
                                    .knowledge = inputs->knowledge_,
                                    .citations = *inputs->citations_,
                                    .program = ProgramName(),
                                    .time = context.clock.WrittenNow(),
                                    .records = &inputs->records_,
                                    .models = models});
  return inputs;
}

std::string ExpansionInputs::Fingerprint(const plan::Part& part) const {
  std::string text = fmt::format("{}\n{}\n", common_fingerprint_, part.line_budget.value_or(0));
  for (std::size_t line = part.line; line >= 1 && line <= part.last_line; ++line) {
    if (line > plan_lines_.size()) break;
    text += plan_lines_[line - 1];
    text += '\n';
  }
  return fmt::format("{}:{}:{}", writer_, Sha256(text), knowledge_fingerprint_);
}

std::vector<const ChosenPart*> PartsOfRun(const PlannedWork& work,
                                          const std::vector<runner::JobRow>& rows) {
  std::set<std::string_view> delivered;
  for (const runner::JobRow& row : rows) {
    if (row.state == runner::JobState::kDone && !row.is_last) delivered.insert(row.name);
  }
  std::vector<const ChosenPart*> running;
  std::vector<const ChosenPart*> with_delivered;
  for (const ChosenPart& chosen : work.choices.parts) {
    // A page that is there before the plan is ticked makes its part look refused.
    const bool may_be_published =
        chosen.state == PartState::kDone || chosen.state == PartState::kRefused;
    const bool is_delivered =
        may_be_published && delivered.contains(work.plan.parts[chosen.place].target);
    if (chosen.state == PartState::kRuns) running.push_back(&chosen);
    if (chosen.state == PartState::kRuns || is_delivered) with_delivered.push_back(&chosen);
  }
  return AreJobsOf(work, with_delivered, rows) ? with_delivered : running;
}

bool AreJobsOf(const PlannedWork& work, const std::vector<const ChosenPart*>& parts,
               const std::vector<runner::JobRow>& rows) {
  std::size_t at = 0;
  for (const runner::JobRow& row : rows) {
    if (row.is_last) continue;
    const bool is_it = at < parts.size() && row.name == work.plan.parts[parts[at]->place].target;
    if (!is_it) return false;
    ++at;
  }
  return at == parts.size();
}

namespace {

// The fingerprint of a page that is written and was not published, if only the oracle's other
// pages have changed since. The gate checks it again with these.
std::optional<std::string> KeptFingerprint(const std::vector<runner::JobRow>& rows,
                                           std::string_view name, std::string_view fingerprint) {
  const bool was_refused =
      !rows.empty() && rows.back().is_last && rows.back().state == runner::JobState::kFailed;
  if (!was_refused) return std::nullopt;
  const std::string_view own = fingerprint.substr(0, fingerprint.rfind(':') + 1);
  for (const runner::JobRow& row : rows) {
    const bool is_written = row.name == name && row.state == runner::JobState::kDone;
    if (is_written && row.fingerprint.starts_with(own)) return row.fingerprint;
  }
  return std::nullopt;
}

}  // namespace

runner::RunSpec NameJobs(const PlannedWork& work, const std::vector<const ChosenPart*>& parts,
                         const ExpansionInputs& inputs, const std::vector<runner::JobRow>& rows) {
  runner::RunSpec spec{.name = work.file.path};
  std::string all = work.file.text;
  for (const ChosenPart* chosen : parts) {
    const plan::Part& part = work.plan.parts[chosen->place];
    std::string fingerprint = inputs.Fingerprint(part);
    if (auto kept = KeptFingerprint(rows, part.target, fingerprint)) fingerprint = *std::move(kept);
    all += fingerprint;
    spec.jobs.push_back({.name = part.target, .fingerprint = std::move(fingerprint)});
  }
  spec.fingerprint = Sha256(all);
  spec.last = runner::LastJob{.name = "publish"};
  return spec;
}

}  // namespace sibyl::expansion
