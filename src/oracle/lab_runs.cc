// SPDX-License-Identifier: Apache-2.0
#include "oracle/lab_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <variant>

#include "base/files/root.h"
#include "base/files/root_links.h"
#include "base/hex.h"
#include "oracle/argument_file.h"
#include "oracle/oracle.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".jsonl";

bool IsId(std::string_view name) {
  return name.size() >= 4 && name.size() <= 16 && IsLowerHex(name);
}

// "12" too, so that a wrong id is not taken for a file; ./12 is a file.
bool IsIdStart(std::string_view name) {
  return !name.empty() && name.size() <= 16 && IsLowerHex(name);
}

constexpr std::string_view kMadeLabs = "labs";

Result<KeptRun> ParseRunFile(const fs::path& shown, std::string_view text,
                             const MadeHere& made_here) {
  KeptRun kept{.id = lab::RunId(text), .is_measured_here = made_here.Knows(kMadeLabs, text)};
  Result<lab::Run> run = lab::ParseRun(text);
  if (!run.ok()) return While(shown.string(), std::move(run).error());
  kept.run = *std::move(run);
  return kept;
}

Result<KeptRun> ReadRunFile(const Root& oracle, const fs::path& path, const MadeHere& made_here) {
  const std::string text = SIBYL_TRY(ReadFollowing(oracle, path, {.max_bytes = lab::kMaxRunBytes}));
  return ParseRunFile(oracle.Shown(path), text, made_here);
}

// kCorrupt unless the file is named by the id of its bytes.
Result<KeptRun> ReadNamedById(const Context& context, const Root& oracle, const fs::path& path) {
  KeptRun kept = SIBYL_TRY(ReadRunFile(oracle, path, MadeHere(context)));
  if (path.filename().string() == kept.id + std::string(kSuffix)) return kept;
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("{}: its content is that of the run {}",
                                      ShownPath(context, oracle.Shown(path)).string(), kept.id),
               .hint = "the file was changed; restore it from git, or run the lab again"};
}

// The file names of kept runs, sorted.
std::vector<std::string> RunFiles(const Root& oracle) {
  std::vector<std::string> names;
  const Result<std::vector<RootEntry>> entries = oracle.List(kLabsFolder);
  if (!entries.ok()) return names;  // an oracle without labs
  for (const RootEntry& entry : *entries) {
    if (entry.name.ends_with(kSuffix)) names.push_back(entry.name);
  }
  return names;
}

// The file of the run whose id begins so, when there is exactly one.
Result<fs::path> FindRun(const Root& oracle, std::string_view begin) {
  std::vector<std::string> found = RunFiles(oracle);
  std::erase_if(found, [begin](const std::string& name) { return !name.starts_with(begin); });
  if (found.size() == 1) return fs::path(kLabsFolder) / found.front();
  return Error{.kind = ErrorKind::kNotFound,
               .message = found.empty() ? fmt::format("no run {} in {}", begin, kLabsFolder)
                                        : fmt::format("several runs start with {}", begin),
               .hint = "'sibyl lab list' shows the kept runs"};
}

}  // namespace

Result<KeptRun> KeepRun(const Context& context, lab::Run run, MeasuredWhere where) {
  const Root oracle = SIBYL_TRY(OpenOracle(context));
  const std::string text = lab::FormatRun(run);
  const MadeHere made_here(context);
  KeptRun kept{
      .id = lab::RunId(text),
      .run = std::move(run),
      .is_measured_here = where == MeasuredWhere::kHere || made_here.Knows(kMadeLabs, text)};
  SIBYL_TRY(oracle.MakeFolders(kLabsFolder));
  SIBYL_TRY(oracle.Write(fs::path(kLabsFolder) / (kept.id + std::string(kSuffix)), text));
  if (where == MeasuredWhere::kHere) SIBYL_TRY(made_here.Remember(kMadeLabs, text));
  return kept;
}

Result<KeptRun> ReadKeptRun(const Context& context, std::string_view name) {
  if (!IsIdStart(name)) {
    const ArgumentFile file = SIBYL_TRY(ArgumentFile::Find(context, name));
    const std::string text = SIBYL_TRY(file.Read({.max_bytes = lab::kMaxRunBytes}));
    return ParseRunFile(file.path(), text, MadeHere(context));
  }
  const Root oracle = SIBYL_TRY(OpenOracle(context));
  const fs::path path = SIBYL_TRY(FindRun(oracle, name));
  return ReadNamedById(context, oracle, path);
}

Result<ResolvedLab> ResolveLab(const fs::path& oracle, const MadeHere& made_here,
                               const evidence::LabCitation& citation) {
  if (!IsId(citation.run)) {
    return Error{.kind = ErrorKind::kNotFound, .message = "no such run: " + citation.run};
  }
  const Root root = SIBYL_TRY(Root::Open(oracle));
  const KeptRun kept = SIBYL_TRY(
      ReadRunFile(root, fs::path(kLabsFolder) / (citation.run + std::string(kSuffix)), made_here));
  if (kept.id != citation.run) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("the run {} was changed", citation.run)};
  }
  const lab::Measurement* measurement = kept.run.Find(citation.metric);
  if (measurement == nullptr) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("the run {} has no {}", citation.run, citation.metric)};
  }
  return ResolvedLab{.words = lab::InWords(kept.run, *measurement),
                     .is_measured_here = kept.is_measured_here};
}

gate::OtherResolver ResolverOfLabs(fs::path oracle, MadeHere made_here) {
  return [oracle = std::move(oracle), made_here = std::move(made_here)](
             const evidence::Citation& citation) -> std::optional<gate::OtherAnswer> {
    const auto* measured = std::get_if<evidence::LabCitation>(&citation);
    if (measured == nullptr) return std::nullopt;
    const std::string file = fmt::format("{}/{}{}", kLabsFolder, measured->run, kSuffix);
    const Result<ResolvedLab> resolved = ResolveLab(oracle, made_here, *measured);
    if (resolved.ok()) {
      return gate::OtherAnswer{
          .verdict = statement::Verdict::kSupported,
          .text = resolved->words,
          .message = resolved->is_measured_here
                         ? "the kept run has the cited measurement, made on this machine"
                         : "the oracle's record has the cited measurement, but it was not made on "
                           "this machine",
          .where = file,
          .reason = "its content has the cited id"};
    }
    return gate::OtherAnswer{.verdict = resolved.error().kind == ErrorKind::kCorrupt
                                            ? statement::Verdict::kContradicted
                                            : statement::Verdict::kAbsent,
                             .message = resolved.error().message,
                             .where = file,
                             .reason = "measurements are cited from runs that the oracle keeps"};
  };
}

std::vector<RunFile> KeptRuns(const Context& context) {
  std::vector<RunFile> runs;
  if (!context.oracle) return runs;
  const Result<Root> oracle = Root::Open(*context.oracle);
  if (!oracle.ok()) return runs;
  for (const std::string& name : RunFiles(*oracle)) {
    std::string id = name.substr(0, name.size() - kSuffix.size());
    runs.push_back({.id = std::move(id),
                    .kept = ReadNamedById(context, *oracle, fs::path(kLabsFolder) / name)});
  }
  return runs;
}

}  // namespace sibyl::oracle
