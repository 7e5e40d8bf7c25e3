// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "engine/arguments.h"
#include "engine/citations/changing_commits.h"
#include "engine/evidence_operations.h"
#include "engine/judgement_json.h"
#include "engine/outcome.h"
#include "engine/source/source_sync.h"
#include "engine/text/render.h"
#include "engine/verify_operations.h"
#include "evidence/evidence.h"
#include "gate/knowledge.h"
#include "gate/renew.h"
#include "oracle/argument_file.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/oracle_markdown.h"

namespace sibyl::engine {
namespace {

Json RenewedAsJson(const gate::Renewed& renewed, const std::string& file) {
  return {{"file", file},
          {"line", renewed.line},
          {"label", renewed.label},
          {"how", evidence::WhereaboutsText(renewed.how)},
          {"from", evidence::FormatCitation(renewed.from)},
          {"to", evidence::FormatCitation(renewed.to)}};
}

Json LeftAsJson(const gate::LeftStale& left, const std::string& file) {
  Json candidates = Json::array();
  for (const evidence::SourceCitation& candidate : left.candidates) {
    candidates.push_back(evidence::FormatCitation(candidate));
  }
  return {{"file", file},
          {"line", left.line},
          {"label", left.label},
          {"why", left.why},
          {"citation", evidence::FormatCitation(left.citation)},
          {"candidates", std::move(candidates)}};
}

// Only lines of a source that was a commit have been changed by commits.
Json CommitsOf(const evidence::Citation& citation, ChangingCommits& changes) {
  const auto* const lines = std::get_if<evidence::SourceCitation>(&citation);
  return lines == nullptr ? Json::array() : changes.Since(*lines);
}

Finding FindingOfLeft(const gate::LeftStale& left, const std::string& file, const Json& commits) {
  std::string hint;
  for (const evidence::SourceCitation& candidate : left.candidates) {
    hint += (hint.empty() ? "found at " : ", ") +
            fmt::format("{}:{}", candidate.path, evidence::FormatLineRange(candidate.lines));
  }
  if (!commits.empty()) {
    hint += (hint.empty() ? "" : "; ") + ("its file was changed by " + CommitsText(commits));
  }
  return {.severity = Severity::kError,
          .code = "cite/stale",
          .message = fmt::format("[^{}] was not renewed: its lines are {}", left.label, left.why),
          .hint = std::move(hint),
          .place = {.file = file, .line = left.line, .column = 1}};
}

Result<Outcome> RunRefresh(const oracle::Context& context, const Arguments& arguments) {
  std::optional<Outcome> synced;
  if (arguments.Has("fetch")) synced = SIBYL_TRY(SyncSources(context, {}));
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  oracle::OracleMarkdown markdown =
      arguments.Has("file") ? SIBYL_TRY(oracle::ReadNamedMarkdown(context, arguments.All("file")))
                            : SIBYL_TRY(oracle::ReadOracleMarkdown(context));
  gate::Pages pages = gate::ReadPages(std::move(markdown.pages));
  ChangingCommits changes(lock, around);
  const gate::CitationResolver resolver = gate::CitationResolver::Open(std::move(lock), around);
  gate::OraclePages oracle(around.oracle);
  gate::ResolvePages(pages, {.resolver = resolver, .oracle = oracle});

  Outcome outcome{.findings = std::move(markdown.findings)};
  outcome.holds = CountFindings(outcome.findings).errors == 0;
  Json renewed = Json::array();
  Json left = Json::array();
  Json written = Json::array();
  for (const auto& page : pages) {
    const std::string& name = page->source.name;
    const gate::Renewal renewal = gate::RenewPage(*page);
    for (const gate::Renewed& one : renewal.renewed) {
      renewed.push_back(RenewedAsJson(one, name));
      Json commits = CommitsOf(one.from, changes);
      if (!commits.empty()) renewed.back()["commits"] = std::move(commits);
    }
    for (const gate::LeftStale& one : renewal.left) {
      Json commits = CommitsOf(one.citation, changes);
      left.push_back(LeftAsJson(one, name));
      outcome.findings.push_back(FindingOfLeft(one, name, commits));
      if (!commits.empty()) left.back()["commits"] = std::move(commits);
      outcome.holds = false;
    }
    if (renewal.text == page->source.text) continue;
    written.push_back(name);
    if (arguments.Has("dry-run")) continue;
    const oracle::ArgumentFile file = SIBYL_TRY(oracle::ArgumentFile::ToWrite(context, name));
    SIBYL_TRY(file.Write(renewal.text));
  }
  outcome.data = {{"renewed", std::move(renewed)},
                  {"left", std::move(left)},
                  {"written", std::move(written)},
                  {"dry_run", arguments.Has("dry-run")}};
  if (synced) {
    outcome.data["sources"] = std::move(synced->data["sources"]);
    outcome.holds = outcome.holds && synced->holds;
    outcome.findings.insert(outcome.findings.begin(),
                            std::make_move_iterator(synced->findings.begin()),
                            std::make_move_iterator(synced->findings.end()));
  }
  return outcome;
}

std::vector<Rule> RefreshRules() {
  std::vector<Rule> rules = kSourceSync.rules();
  rules.push_back({.code = "cite/stale", .meaning = "a citation could not be renewed"});
  rules.push_back({.code = "struct/unread", .meaning = "a page could not be read"});
  return rules;
}

constexpr Parameter kRefreshParameters[] = {
    {.name = "file",
     .value_name = "FILE",
     .help = "a page, or a folder of pages [the whole oracle]",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .repeated = true},
    {.name = "fetch",
     .help = "first fetch the sources and move their pins, as source sync does",
     .kind = ParameterKind::kFlag,
     .uses_network = true},
    {.name = "dry-run",
     .short_name = 'n',
     .help = "show what would be renewed; write nothing",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kRefresh = {
    .name = "refresh",
    .summary = "renew citations whose source has changed",
    .description =
        R"(After `sibyl source sync` has moved a pin, citations of files that changed are stale. If the cited
lines occur in the new version exactly once and unchanged, the citation is renewed: its definition
and the pin in the stamp are rewritten, and no other byte of the page. Lines that are gone, or that
could be in several places, are listed and not changed; the statements that cite them need a person
or a new expansion.

Of a source with a history (`source add --history`), it says which commits changed the cited file
since, and their subjects.

A citation of a page that changed but still contains the cited words once is renewed too; if the
words are gone, the statement is listed.

Nothing is fetched without `--fetch`. Exit status 1 means that stale citations remain.

  sibyl source sync && sibyl refresh --dry-run
  sibyl refresh && sibyl verify)",
    .parameters = kRefreshParameters,
    .effects = {.reads = true,
                .writes = true,
                .changes_oracle = true,
                .network = NetworkUse::kOnRequest},
    .rules = RefreshRules,
    .run = RunRefresh,
    .render = RenderRefresh,
};

}  // namespace sibyl::engine
