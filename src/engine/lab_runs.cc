// SPDX-License-Identifier: Apache-2.0
#include "engine/lab_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <variant>

#include "base/environment.h"
#include "base/root.h"
#include "base/root_links.h"
#include "engine/argument_file.h"
#include "engine/oracle.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".jsonl";

bool IsId(std::string_view name) {
  return name.size() >= 4 && name.size() <= 16 &&
         name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
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
               .message = found.empty() ? fmt::format("no run {} is kept in {}", begin, kLabsFolder)
                                        : fmt::format("several runs begin with {}", begin),
               .hint = "'sibyl lab list' shows the runs that are kept"};
}

}  // namespace

Result<std::vector<lab::Program>> LabPrograms() {
  std::vector<fs::path> folders;
  if (const auto chosen = EnvironmentVariable("SIBYL_LABS")) {
    folders = {fs::path(*chosen)};
  } else {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    // Never a folder below the one we are in: it may be a clone, and labs are run.
    folders = {program / "../libexec/sibyl/labs",
               program / "../labs"};  // build/release beside build/labs
  }
  std::vector<lab::Program> programs = lab::FindPrograms(folders);
  if (!programs.empty()) return programs;
  return Error{.kind = ErrorKind::kNotFound,
               .message = "no labs are installed",
               .hint = "build them with 'make labs', or name their folder in SIBYL_LABS"};
}

Result<KeptRun> KeepRun(const Context& context, lab::Run run) {
  const Root oracle = SIBYL_TRY(OpenOracle(context));
  const std::string text = lab::FormatRun(run);
  KeptRun kept{.id = lab::RunId(text), .run = std::move(run), .is_measured_here = true};
  SIBYL_TRY(oracle.MakeFolders(kLabsFolder));
  SIBYL_TRY(oracle.Write(fs::path(kLabsFolder) / (kept.id + std::string(kSuffix)), text));
  SIBYL_TRY(MadeHere(context).Remember(kMadeLabs, text));
  return kept;
}

Result<KeptRun> ReadKeptRun(const Context& context, std::string_view name) {
  const MadeHere made_here(context);
  if (!IsId(name)) {
    const ArgumentFile file = SIBYL_TRY(ArgumentFile::Find(context, name));
    const std::string text = SIBYL_TRY(file.Read({.max_bytes = lab::kMaxRunBytes}));
    return ParseRunFile(file.path(), text, made_here);
  }
  const Root oracle = SIBYL_TRY(OpenOracle(context));
  const fs::path path = SIBYL_TRY(FindRun(oracle, name));
  KeptRun kept = SIBYL_TRY(ReadRunFile(oracle, path, made_here));
  if (path.filename().string() == kept.id + std::string(kSuffix)) return kept;
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("{}: its bytes are those of the run {}",
                                      ShownPath(context, oracle.Shown(path)).string(), kept.id),
               .hint = "somebody changed it; take it from git, or run the lab again"};
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

verify::OtherResolver ResolverOfLabs(fs::path oracle, MadeHere made_here,
                                     verify::OtherResolver next) {
  return [oracle = std::move(oracle), made_here = std::move(made_here), next = std::move(next)](
             const evidence::Citation& citation) -> std::optional<verify::OtherAnswer> {
    const auto* measured = std::get_if<evidence::LabCitation>(&citation);
    if (measured == nullptr && next) return next(citation);
    if (measured == nullptr) return std::nullopt;
    const std::string file = fmt::format("{}/{}{}", kLabsFolder, measured->run, kSuffix);
    const Result<ResolvedLab> resolved = ResolveLab(oracle, made_here, *measured);
    if (resolved.ok()) {
      return verify::OtherAnswer{
          .verdict = verify::Verdict::kSupported,
          .text = resolved->words,
          .message = resolved->is_measured_here
                         ? "the kept run has the cited measurement; it was measured on this machine"
                         : "the oracle's record has the cited measurement; it was not measured on "
                           "this machine",
          .where = file,
          .reason = "its bytes have the cited id"};
    }
    return verify::OtherAnswer{.verdict = resolved.error().kind == ErrorKind::kCorrupt
                                              ? verify::Verdict::kContradicted
                                              : verify::Verdict::kAbsent,
                               .message = resolved.error().message,
                               .where = file,
                               .reason =
                                   "a measurement is cited by the run that is kept with the "
                                   "oracle"};
  };
}

Json MeasurementAsJson(const lab::Measurement& measurement, std::string_view run_id) {
  const auto number = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  Json json = {{"lab", measurement.lab},
               {"variant", measurement.variant},
               {"params", lab::ParamsText(measurement)}};
  if (!measurement.skip.empty()) json["skip"] = measurement.skip;
  if (!measurement.failure.empty()) json["failure"] = measurement.failure;
  if (!measurement.is_measured()) return json;
  json["metric"] = measurement.metric;
  json["value"] = measurement.value;
  json["unit"] = measurement.unit;
  json["floor"] = number(measurement.floor);
  json["x_floor"] = number(measurement.x_floor);
  json["samples"] = measurement.samples;
  json["noise"] = measurement.noise;
  json["max_rel_err"] = number(measurement.max_rel_err);
  json["device"] = measurement.device;
  json["driver"] = measurement.driver;
  json["toolkit"] = measurement.toolkit;
  if (!run_id.empty()) {
    json["citation"] = evidence::FormatCitation(
        evidence::LabCitation{.run = std::string(run_id), .metric = lab::MetricKey(measurement)});
  }
  return json;
}

Json RunAsJson(const KeptRun& kept) {
  Json json = {{"run", kept.id.empty() ? Json(nullptr) : Json(kept.id)},
               {"command", kept.run.command},
               {"time", kept.run.time},
               {"measured_here", kept.is_measured_here},
               {"measurements", Json::array()}};
  for (const lab::Measurement& measurement : kept.run.measurements) {
    json["measurements"].push_back(MeasurementAsJson(measurement, kept.id));
  }
  return json;
}

Json KeptRuns(const Context& context) {
  Json runs = Json::array();
  if (!context.oracle) return runs;
  const Result<Root> oracle = Root::Open(*context.oracle);
  if (!oracle.ok()) return runs;
  for (const std::string& name : RunFiles(*oracle)) {
    const std::string id = name.substr(0, name.size() - kSuffix.size());
    const Result<KeptRun> kept = ReadKeptRun(context, id);
    if (!kept.ok()) {
      runs.push_back({{"run", id}, {"error", kept.error().message}});
      continue;
    }
    const auto& measurements = kept->run.measurements;
    runs.push_back({{"run", id},
                    {"command", kept->run.command},
                    {"time", kept->run.time},
                    {"measured_here", kept->is_measured_here},
                    {"device", measurements.empty() ? "" : measurements.front().device},
                    {"measurements", measurements.size()}});
  }
  return runs;
}

}  // namespace sibyl::engine
