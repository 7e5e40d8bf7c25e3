// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/judged_files.h"
#include "engine/judgement_json.h"
#include "engine/outcome.h"
#include "engine/source/restore_sources.h"
#include "engine/source/source_pages.h"
#include "engine/text/render.h"
#include "engine/unchecked_code.h"
#include "engine/verify_operations.h"
#include "evidence/evidence.h"
#include "gate/index_pages.h"
#include "gate/knowledge.h"
#include "gate/rules.h"
#include "git/origin.h"
#include "oracle/citation_sources.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/oracle_markdown.h"

namespace sibyl::engine {
namespace {

std::vector<statement::Judgement> JudgeIndexes(const gate::Pages& pages) {
  std::vector<gate::PageFacts> facts;
  for (const auto& page : pages) {
    facts.push_back({.path = page->source.path,
                     .name = page->source.name,
                     .lines = SplitLines(page->source.text).size(),
                     .citations = page->CountCitations(),
                     .text_view = page->source.text});
  }
  return gate::JudgeIndexPages(facts);
}

std::vector<JudgedFile> Judge(gate::Pages& pages, const gate::PageChecks& checks,
                              bool is_whole_oracle) {
  gate::ResolvePages(pages, checks);
  std::vector<std::vector<statement::Judgement>> judgements = gate::JudgePages(pages, checks);
  std::vector<JudgedFile> files;
  std::map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    by_name[pages[i]->source.name] = i;
    files.push_back({.path = pages[i]->source.path,
                     .name = pages[i]->source.name,
                     .judgements = std::move(judgements[i]),
                     .citations = pages[i]->CountCitations()});
  }
  // An index can only be checked for completeness with all files.
  if (is_whole_oracle) {
    for (statement::Judgement& judgement : JudgeIndexes(pages)) {
      files[by_name.at(judgement.place.file)].judgements.push_back(std::move(judgement));
    }
  }
  for (std::size_t i = 0; i < pages.size(); ++i) {
    AddLineTexts(pages[i]->source.text, files[i].judgements);
  }
  return files;
}

bool CitesPin(const gate::Receipt& receipt, const evidence::Pin& pin) {
  if (const evidence::SourceCitation* source = receipt.source()) {
    return git::SameOrigin(source->origin, pin.origin);
  }
  const evidence::WebCitation* page = receipt.page();
  return page != nullptr &&
         std::any_of(pin.pages.begin(), pin.pages.end(),
                     [page](const evidence::PageRecord& held) { return held.url == page->url; });
}

// The pinned sources whose bytes are not in the store, with how many citations
// cannot be checked for that.
Json WaitingFor(const gate::Pages& pages, const evidence::Lock& lock,
                const evidence::Surroundings& around) {
  Json waiting = Json::array();
  for (const evidence::Pin& pin : lock.pins) {
    if (evidence::OpenSnapshot(pin, around).ok()) continue;
    std::size_t count = 0;
    for (const auto& page : pages) {
      for (const auto& [label, receipt] : page->receipts) {
        if (receipt.uses > 0 && CitesPin(receipt, pin)) ++count;
      }
    }
    if (count > 0) waiting.push_back({{"source", pin.name}, {"citations", count}});
  }
  return waiting;
}

// Outside of an oracle, the hint names the one that the first file is in.
Status RequireOracleOfFiles(const oracle::Context& context, const Arguments& arguments) {
  if (context.oracle || !arguments.Has("file")) return {};
  const auto named = oracle::FindOracle(context.working_folder / arguments.All("file").front());
  if (!named) return {};
  Error error = oracle::RequireOracle(context).error();
  error.hint = "run 'sibyl -C " + oracle::ShownPath(context, *named).string() + " verify'";
  return error;
}

Result<Outcome> RunVerify(const oracle::Context& context, const Arguments& arguments) {
  SIBYL_TRY(RequireOracleOfFiles(context, arguments));
  evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  std::vector<Finding> unrestored;
  if (arguments.Has("restore")) {
    const std::unique_ptr<expansion::Web> web = SIBYL_TRY(ReachWeb(context, around));
    unrestored = SIBYL_TRY(RestoreSources(lock, around));
    around.fetch_page = {};
  }
  const bool is_whole = !arguments.Has("file");
  oracle::OracleMarkdown markdown =
      is_whole ? SIBYL_TRY(oracle::ReadOracleMarkdown(context))
               : SIBYL_TRY(oracle::ReadNamedMarkdown(context, arguments.All("file")));
  gate::Pages pages = gate::ReadPages(std::move(markdown.pages));
  const auto citations = SIBYL_TRY(oracle::CitationSources::Open(context, lock, around));
  gate::OraclePages oracle(around.oracle);
  const code::CodeChecker code(
      {.depth = arguments.Has("code") ? code::CodeDepth::kTools : code::CodeDepth::kReading});
  const gate::PageChecks checks{.resolver = citations->resolver(),
                                .oracle = oracle,
                                .other = citations->other(),
                                .code = &code};
  std::vector<JudgedFile> files = Judge(pages, checks, is_whole);
  const Accepted accepted = SIBYL_TRY(ApplyBaseline(context, arguments, files));
  Outcome outcome = ReportJudged(files, accepted, arguments);
  for (const auto& page : pages) {
    if (!page->problem) continue;
    markdown.findings.push_back({.severity = Severity::kError,
                                 .code = "struct/unread",
                                 .message = page->problem->message,
                                 .place = {.file = page->source.name}});
  }
  std::move(unrestored.begin(), unrestored.end(), std::back_inserter(markdown.findings));
  for (Finding& finding : markdown.findings) {
    outcome.holds = outcome.holds && finding.severity != Severity::kError;
    outcome.findings.push_back(std::move(finding));
  }
  AddUncheckedCode(code, outcome);
  outcome.data["waiting"] = WaitingFor(pages, lock, around);
  return outcome;
}

std::vector<Rule> VerifyRules() {
  std::vector<Rule> rules = gate::GateRules();
  rules.push_back(UncheckedCodeRule());
  rules.push_back(UnrestoredRule());
  return rules;
}

constexpr Parameter kVerifyParameters[] = {
    {.name = "file",
     .value_name = "FILE",
     .help = "a page, or a folder of pages [the whole oracle]",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .repeated = true},
    {.name = "code",
     .help = "compile and parse code blocks with nvcc, g++, python3 and bash, in a sandbox",
     .kind = ParameterKind::kFlag,
     .people_only = true},
    {.name = "restore",
     .help = "first fetch pinned bytes that are missing from the store",
     .kind = ParameterKind::kFlag,
     .people_only = true,
     .uses_network = true},
    kAllParameter,
    kExplainParameter,
    kBaselineParameter,
    kWriteBaselineParameter,
};

}  // namespace

constexpr Operation kVerify = {
    .name = "verify",
    .summary = "check the oracle's own pages against their citations",
    .description =
        R"(Resolves every citation of the oracle to its bytes in the object store, and checks the pages against
them. Every statement must have a citation (`cite/missing`); every citation must lead to the same
bytes (`cite/unresolved`), and its source must not have changed since (`cite/stale`). Quotations,
quoted code, names in code font and numbers with units must be in the cited lines (`quote/mismatch`,
`ident/unknown`, `number/ungrounded`). Relative links must lead somewhere (`link/broken`); stamps,
sections and index pages must be correct (`struct/...`, `index/...`). Blocks of code must not be
broken (`code/broken`), and with `--code` whole programs must compile. Code is never run, and
compilers run in a bubblewrap sandbox, without network and without your files. Where bubblewrap is
missing or not allowed (`apt install bubblewrap`), blocks are counted as not checked
(`code/unchecked`).

Nothing is fetched without `--restore`, and no model is used. Without the sources at hand, form,
links, stamps and indexes are checked, and `waiting` says how many citations wait for which source. `--restore` fetches and verifies what it
can; each source that it cannot fetch is a finding (`source/unrestored`): a warning if a CUDA toolkit
or a folder is missing on this machine, or waits for `sibyl trust`, otherwise an error. Whatever cannot be checked counts as
undecidable, never as supported. Exit status 1 means that a check failed.

  sibyl verify
  sibyl verify --all --json cuda/16-cupti.md
  sibyl verify --sarif > verify.sarif
  sibyl verify --write-baseline .sibyl-baseline && sibyl verify --baseline .sibyl-baseline

After sources have moved, `sibyl refresh` renews the citations whose lines can be found again.)",
    .parameters = kVerifyParameters,
    .effects = {.reads = true, .writes = true, .network = NetworkUse::kOnRequest},
    .rules = VerifyRules,
    .reports_findings = true,
    .tool = {.name = "verify", .is_read_only = true, .is_idempotent = true},
    .run = RunVerify,
    .render = RenderVerify,
};

}  // namespace sibyl::engine
