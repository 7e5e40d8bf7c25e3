// SPDX-License-Identifier: Apache-2.0
#include "audit/audit.h"

#include <fmt/format.h>

#include <filesystem>

#include "audit/witness.h"
#include "base/markdown/markdown_name.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/audit_sources.h"
#include "engine/gate_operations.h"
#include "engine/judged_files.h"
#include "engine/judgement_json.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "engine/unchecked_code.h"
#include "gate/rules.h"
#include "index/rank/searcher.h"
#include "oracle/argument_file.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/source_index.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

struct AuditedFile {
  oracle::ArgumentFile file;
  std::string shown;
  std::vector<statement::Judgement> judgements;
  std::optional<Error> error;
};

constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20;

struct AuditedFiles {
  std::vector<AuditedFile> files;
  std::vector<Finding> unread;
};

// Files as they are named; of folders all Markdown below, hidden folders aside.
Result<AuditedFiles> FilesOf(const oracle::Context& context, const Arguments& arguments) {
  AuditedFiles found;
  const auto add = [&](const oracle::ArgumentFile& file) {
    found.files.push_back(
        {.file = file, .shown = oracle::ShownPath(context, file.path()).string()});
  };
  const oracle::FileSearch search{
      .is_wanted = HasMarkdownName,
      .enters = [](std::string_view name) { return !name.starts_with("."); }};
  for (const std::string& argument : arguments.All("path")) {
    const oracle::ArgumentFile file = SIBYL_TRY(oracle::ArgumentFile::Find(context, argument));
    if (!file.Exists()) {
      return Error{.kind = ErrorKind::kNotFound,
                   .message = fmt::format("auditing {}: no such file", argument)};
    }
    if (!file.IsFolder()) {
      add(file);
      continue;
    }
    oracle::FilesBelow below = SIBYL_TRY(oracle::FindFilesBelow(context, file, search));
    for (const oracle::ArgumentFile& one : below.files) add(one);
    for (Finding& skipped : below.skipped) {
      skipped.code = "audit/unread";
      found.unread.push_back(std::move(skipped));
    }
  }
  return found;
}

void AuditOne(const audit::Auditor& auditor, AuditedFile& file) {
  const Result<std::string> text = file.file.Read({.max_bytes = kMaxFileBytes});
  if (!text.ok()) {
    file.error = text.error();
    return;
  }
  Result<std::vector<statement::Judgement>> judged =
      auditor.Audit({.file = file.shown, .text = *text});
  if (!judged.ok()) {
    file.error = judged.error();
    return;
  }
  file.judgements = *std::move(judged);
  AddLineTexts(*text, file.judgements);
}

void AuditAll(const audit::Auditor& auditor, std::vector<AuditedFile>& files) {
  ForEachInParallel(files.size(), {}, [&](std::size_t i) { AuditOne(auditor, files[i]); });
}

// A file that could not be read is a finding; the others were judged all the same.
Result<Outcome> Report(const oracle::Context& context, const Arguments& arguments,
                       AuditedFiles& audited) {
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
    judged.push_back({.path = file.file.path().string(),
                      .name = file.shown,
                      .judgements = std::move(file.judgements)});
  }
  const Accepted accepted = SIBYL_TRY(ApplyBaseline(context, arguments, judged));
  Outcome outcome = ReportJudged(judged, accepted, arguments);
  for (Finding& finding : unread) {
    outcome.holds = outcome.holds && finding.severity != Severity::kError;
    outcome.findings.push_back(std::move(finding));
  }
  return outcome;
}

Result<Outcome> RunAudit(const oracle::Context& context, const Arguments& arguments) {
  AuditedFiles files = SIBYL_TRY(FilesOf(context, arguments));
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  const oracle::SourceIndexes indexes =
      SIBYL_TRY(oracle::OpenSourceIndexes(lock, around, arguments.All("source")));
  const index::Searcher searcher(indexes.Borrow());
  const audit::Witness witness(searcher, WitnessSources(indexes));
  const code::CodeChecker code(
      {.depth = arguments.Has("code") ? code::CodeDepth::kTools : code::CodeDepth::kReading});
  const audit::Auditor auditor(witness, &code);
  AuditAll(auditor, files.files);
  Outcome outcome = SIBYL_TRY(Report(context, arguments, files));
  outcome.findings.insert(outcome.findings.begin(), indexes.findings.begin(),
                          indexes.findings.end());
  AddUncheckedCode(code, outcome);
  return outcome;
}

std::vector<Rule> AuditRules() {
  std::vector<Rule> rules = gate::TextRules();
  rules.push_back({.code = "audit/unread", .meaning = "a file could not be read"});
  rules.push_back(UncheckedCodeRule());
  for (const Rule& rule : oracle::SourceIndexRules()) rules.push_back(rule);
  return rules;
}

constexpr Parameter kAuditParameters[] = {
    {.name = "path",
     .value_name = "PATH",
     .help = "a Markdown file, or a folder of them",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true,
     .repeated = true},
    {.name = "source",
     .value_name = "NAME",
     .help = "check against this pinned source only; may be repeated",
     .repeated = true},
    {.name = "code",
     .help = "compile and parse code blocks with nvcc, g++, python3 and bash, in a sandbox",
     .kind = ParameterKind::kFlag,
     .people_only = true},
    kAllParameter,
    kExplainParameter,
    kBaselineParameter,
    kWriteBaselineParameter,
};

}  // namespace

constexpr Operation kAudit = {
    .name = "audit",
    .summary = "check any Markdown against the pinned sources",
    .description =
        R"(Checks the statements of a text against the pinned sources, without a model: names of functions,
variables and options, flags, paths, code and quotations attributed to a file, numbers with their
unit and subject, expanded abbreviations.

  sibyl audit notes/
  sibyl audit --all --json report.md

Each verdict is one of: supported (a source has it), contradicted (a source says something different
about the same subject), absent (the sources cover what it belongs to, but do not have it),
undecidable (no pinned source covers it). Only contradicted and absent fail. A name is called absent
only if a pinned source should define it: `TORCH_*` variables if PyTorch is pinned, `cuda*`
functions if the toolkit's headers are. `--explain` names that source and gives the reason.

With `--code`, whole programs are compiled and scripts are parsed; none of them is run. The
compilers run in a bubblewrap sandbox: without network, and with no files but their own and the
system's headers. Where bubblewrap is missing or not allowed, no compiler is started, and
`code/unchecked` counts the blocks that were not checked. To install it: `apt install bubblewrap`.)",
    .parameters = kAuditParameters,
    .effects = {.reads = true, .writes = true},
    .rules = AuditRules,
    .answers_sarif = true,
    .tool = {.name = "audit", .is_read_only = true, .is_idempotent = true},
    .run = RunAudit,
    .render = RenderAudit,
};

}  // namespace sibyl::engine
