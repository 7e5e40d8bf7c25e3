// SPDX-License-Identifier: Apache-2.0
#include "audit/audit.h"

#include <fmt/format.h>

#include "audit/witness.h"
#include "base/parallel.h"
#include "engine/arguments.h"
#include "engine/audit_sources.h"
#include "engine/audited_files.h"
#include "engine/citations/code_citations.h"
#include "engine/gate_operations.h"
#include "engine/judged_files.h"
#include "engine/judgement_json.h"
#include "engine/outcome.h"
#include "engine/own/own_audit.h"
#include "engine/text/render.h"
#include "engine/unchecked_code.h"
#include "gate/rules.h"
#include "index/rank/searcher.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/source_index.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20;

void AuditOne(const oracle::Context& context, const audit::Auditor& auditor, AuditedFile& file) {
  if (file.has_only_citations) return;
  const Result<std::string> text = file.file.Read({.max_bytes = kMaxFileBytes});
  if (!text.ok()) {
    file.error = text.error();
    return;
  }
  Result<std::vector<statement::Judgement>> judged =
      auditor.Audit({.file = file.shown, .text = *text, .is_over = context.is_over});
  if (!judged.ok()) {
    file.error = judged.error();
    return;
  }
  file.judgements = *std::move(judged);
  AddLineTexts(*text, file.judgements);
}

void AuditAll(const oracle::Context& context, const audit::Auditor& auditor,
              std::vector<AuditedFile>& files) {
  ForEachInParallel(files.size(), {}, [&](std::size_t i) { AuditOne(context, auditor, files[i]); });
}

void DropUnchanged(const CodeCitations& citations, AuditedFiles& files) {
  std::erase_if(files.files, [&](const AuditedFile& file) {
    return citations.unchanged.contains(file.file.path().string());
  });
  for (AuditedFile& file : files.files) {
    file.has_only_citations = citations.broken.contains(file.file.path().string());
  }
}

// A file that could not be read is a finding; the others were judged all the same.
Result<Outcome> Report(const oracle::Context& context, const Arguments& arguments,
                       AuditedFiles& audited, CodeCitations& citations) {
  std::vector<JudgedFile> judged;
  std::vector<Finding>& unread = audited.unread;
  for (AuditedFile& file : audited.files) {
    if (file.error) {
      unread.push_back({.severity = Severity::kError,
                        .code = "audit/unread",
                        .message = file.error->message,
                        .hint = file.error->hint,
                        .place = {.file = file.shown}});
      continue;
    }
    const std::string path = file.file.path().string();
    if (const auto cited = citations.judgements.find(path); cited != citations.judgements.end()) {
      file.judgements.insert(file.judgements.end(), cited->second.begin(), cited->second.end());
    }
    judged.push_back({.path = path, .name = file.shown, .judgements = std::move(file.judgements)});
  }
  const Accepted accepted = SIBYL_TRY(ApplyBaseline(context, arguments, judged));
  Outcome outcome = ReportJudged(judged, accepted, arguments);
  for (Finding& finding : unread) {
    outcome.holds = outcome.holds && finding.severity != Severity::kError;
    outcome.findings.push_back(std::move(finding));
  }
  return outcome;
}

code::CodeChecker CodeCheckerFor(const Arguments& arguments) {
  return code::CodeChecker(
      {.depth = arguments.Has("code") ? code::CodeDepth::kTools : code::CodeDepth::kReading});
}

// Without an oracle, the repository is the source of its own documents.
Result<Outcome> AuditRepository(const oracle::Context& context, const Arguments& arguments) {
  AuditedFiles files = SIBYL_TRY(FindInRepositories(context, arguments.All("path")));
  SIBYL_TRY(Exclude(arguments.All("exclude"), files));
  CodeCitations citations = SIBYL_TRY(CheckCodeCitations(context, arguments, files.Paths()));
  DropUnchanged(citations, files);
  const code::CodeChecker code = CodeCheckerFor(arguments);
  const std::vector<Finding> findings =
      SIBYL_TRY(AuditOwnDocuments(context, arguments, code, files.files));
  Outcome outcome = SIBYL_TRY(Report(context, arguments, files, citations));
  outcome.data["repository"] = oracle::ShownPath(context, files.repository).string();
  AddToOutcome(citations, outcome);
  outcome.findings.insert(outcome.findings.begin(), findings.begin(), findings.end());
  AddUncheckedCode(code, outcome);
  return outcome;
}

Result<Outcome> RunAudit(const oracle::Context& context, const Arguments& arguments) {
  if (!context.oracle) return AuditRepository(context, arguments);
  if (Result<std::filesystem::path> oracle = oracle::RequireOracle(context); !oracle.ok()) {
    Error error = std::move(oracle).error();
    error.hint = fmt::format("a repository is audited from inside: cd {} && sibyl audit",
                             context.oracle->string());
    return error;
  }
  if (!arguments.Has("path")) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "missing PATH: a Markdown file, or a folder of them",
                 .hint = "see 'sibyl help audit'"};
  }
  AuditedFiles files = SIBYL_TRY(FindInOracle(context, arguments.All("path")));
  SIBYL_TRY(Exclude(arguments.All("exclude"), files));
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  const oracle::SourceIndexes indexes =
      SIBYL_TRY(oracle::OpenSourceIndexes(lock, around, arguments.All("source")));
  const index::Searcher searcher(indexes.Borrow());
  const audit::Witness witness(searcher, SIBYL_TRY(WitnessSources(indexes, around)));
  const code::CodeChecker code = CodeCheckerFor(arguments);
  const audit::Auditor auditor(witness, &code);
  CodeCitations citations = SIBYL_TRY(CheckCodeCitations(context, arguments, files.Paths()));
  DropUnchanged(citations, files);
  AuditAll(context, auditor, files.files);
  Outcome outcome = SIBYL_TRY(Report(context, arguments, files, citations));
  AddToOutcome(citations, outcome);
  outcome.findings.insert(outcome.findings.begin(), indexes.findings.begin(),
                          indexes.findings.end());
  AddUncheckedCode(code, outcome);
  return outcome;
}

std::vector<Rule> AuditRules() {
  std::vector<Rule> rules = gate::TextRules();
  rules.push_back({.code = "audit/unread", .meaning = "a file could not be read"});
  rules.push_back(
      {.code = "audit/unfinished",
       .meaning = "the rest of a text was not checked: time was up (on a server only)"});
  rules.push_back(UncheckedCodeRule());
  for (const Rule& rule : CodeCitationRules()) rules.push_back(rule);
  for (const Rule& rule : oracle::SourceIndexRules()) rules.push_back(rule);
  return rules;
}

constexpr Parameter kMarkdownParameter = {
    .name = "markdown",
    .help = "print a summary in Markdown, to paste into an issue",
    .kind = ParameterKind::kFlag,
    .people_only = true,
    .is_format = true};
constexpr Parameter kBadgeParameter = {
    .name = "badge",
    .help = "print an SVG image that says how many code citations (in an oracle: checks) hold",
    .kind = ParameterKind::kFlag,
    .people_only = true,
    .is_format = true};

constexpr Parameter kAuditParameters[] = {
    {.name = "path",
     .value_name = "PATH",
     .help = "a Markdown file, or a folder of them; without an oracle, all of the repository",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .repeated = true},
    {.name = "source",
     .value_name = "NAME",
     .help = "check against this pinned source only; may be repeated",
     .repeated = true},
    {.name = "code",
     .help = "compile and parse code blocks with nvcc, g++, python3 and bash, in a sandbox",
     .kind = ParameterKind::kFlag,
     .people_only = true},
    {.name = "exclude",
     .value_name = "GLOB",
     .help = "skip files and folders of this name (archive) or path (docs/old/*); may be repeated",
     .repeated = true,
     .people_only = true},
    kSinceParameter,
    kAtParameter,
    kFixParameter,
    kDurableParameter,
    kDiffParameter,
    kAllParameter,
    kExplainParameter,
    kMarkdownParameter,
    kBadgeParameter,
    kBaselineParameter,
    kWriteBaselineParameter,
};

}  // namespace

constexpr Operation kAudit = {
    .name = "audit",
    .summary = "check Markdown against sources, or its repository",
    .description =
        R"(Checks the statements of a text against the pinned sources, without a model: names of functions,
variables and options, flags, paths, code and quotations attributed to a file, numbers with their
unit and subject, expanded abbreviations.

  sibyl audit notes/
  sibyl audit --all --json report.md

In a git repository without a sibyl.toml, the repository is the source of its own documents, and
their code citations are checked: `src/scan.cc:120-131`, `a.rs:12,34`, "`parse()`, lines 10-20",
"line 12 of x.py", `[a](../a.ts#L10-L20)`, permalinks, tables with a line-number column, and so on.
What the sentence names must be in the cited lines, or at most two lines away. Each citation holds,
has drifted (it held when it was written), is wrong (it never held), is missing (no such file), is
out of range, or is undecided. This also happens in an oracle, for documents in a git repository.

Without an oracle, links and anchors that lead nowhere, files that were moved or removed, and names
that carry the repository's name but do not occur in its code fail as well. Histories, plans,
examples, test data and names of other projects are not decided.

  sibyl audit                  all Markdown of the repository
  sibyl audit --diff docs/     what --fix would correct
  sibyl audit --since main     documents that this branch changed, citations that it broke

A document whose front matter names a commit is compared with that commit; `--at HEAD` says what has
moved since. `--fix` changes only numbers, and only where the new ones are certain.

For CI: `--since`, `--baseline`, and the formats `--sarif`, `--junit`, `--gitlab` and `--github`. A
PATH that does not exist, is not Markdown, or contains none is an error (exit status 2).

  sibyl audit --since origin/main --github
  sibyl audit --badge > citations.svg

Each verdict is one of: supported (seen in the sources; of members, options, values and quotations
also that they belong there), contradicted (a source says something different about the same
subject), absent (the sources cover what it belongs to, but do not have it),
undecidable (no pinned source covers it). Contradicted, absent and drifted fail. A name is called absent
only if a pinned source should define it: `TORCH_*` variables if PyTorch is pinned, `cuda*`
functions if the toolkit's headers are. `--explain` names that source and gives the reason.

With `--code`, whole programs are compiled and scripts are parsed; none of them is run. The
compilers run in a bubblewrap sandbox: without network, and with no files but their own and the
system's headers. Where bubblewrap is missing or not allowed, no compiler is started, and
`code/unchecked` counts the blocks that were not checked. To install it: `apt install bubblewrap`.)",
    .parameters = kAuditParameters,
    .effects = {.reads = true, .writes = true},
    .rules = AuditRules,
    .reports_findings = true,
    .tool = {.name = "audit", .is_read_only = true, .is_idempotent = true},
    .run = RunAudit,
    .render = RenderAudit,
};

}  // namespace sibyl::engine
