// SPDX-License-Identifier: Apache-2.0
#include "engine/lab_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <variant>

#include "base/environment.h"
#include "base/files.h"
#include "engine/oracle.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".jsonl";

bool IsId(std::string_view name) {
  return name.size() >= 4 && name.size() <= 16 &&
         name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<KeptRun> ReadRunFile(const fs::path& path) {
  const std::string text = SIBYL_TRY(ReadFile(path, {.max_bytes = lab::kMaxRunBytes}));
  KeptRun kept{.id = lab::RunId(text)};
  Result<lab::Run> run = lab::ParseRun(text);
  if (!run.ok()) return While(path.string(), std::move(run).error());
  kept.run = *std::move(run);
  return kept;
}

// The file of the run whose id begins so, when there is exactly one.
Result<fs::path> FindRun(const fs::path& oracle, std::string_view begin) {
  std::vector<fs::path> found;
  std::error_code failure;
  for (fs::directory_iterator entry(oracle / kLabsFolder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(begin) && name.ends_with(kSuffix)) found.push_back(entry->path());
  }
  if (found.size() == 1) return found.front();
  return Error{.kind = ErrorKind::kNotFound,
               .message = found.empty() ? fmt::format("no run {} is kept in {}", begin, kLabsFolder)
                                        : fmt::format("several runs begin with {}", begin),
               .hint = "'sibyl lab list' shows the runs that are kept"};
}

}  // namespace

Result<std::vector<lab::Program>> LabPrograms(const Context& context) {
  std::vector<fs::path> folders;
  if (const auto chosen = EnvironmentVariable("SIBYL_LABS")) {
    folders = {fs::path(*chosen)};
  } else {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    folders = {program / "../libexec/sibyl/labs",
               program / "../labs",  // build/release beside build/labs
               context.working_folder / "build/labs"};
  }
  std::vector<lab::Program> programs = lab::FindPrograms(folders);
  if (!programs.empty()) return programs;
  return Error{.kind = ErrorKind::kNotFound,
               .message = "looking for labs: no program lab_* was found",
               .hint =
                   "build them: cmake -S labs -B build/labs && cmake --build build/labs; or name "
                   "their folder in SIBYL_LABS"};
}

Result<KeptRun> KeepRun(const fs::path& oracle, lab::Run run) {
  const std::string text = lab::FormatRun(run);
  KeptRun kept{.id = lab::RunId(text), .run = std::move(run)};
  const fs::path path = oracle / kLabsFolder / (kept.id + std::string(kSuffix));
  SIBYL_TRY(CreateFolders(path.parent_path()));
  SIBYL_TRY(WriteFileAtomically(path, text));
  return kept;
}

Result<KeptRun> ReadKeptRun(const Context& context, std::string_view name) {
  if (!IsId(name)) {
    const fs::path path = ResolvePath(context, name);
    SIBYL_TRY(CheckAllowed(context, path));
    return ReadRunFile(path);
  }
  const fs::path oracle = SIBYL_TRY(RequireOracle(context));
  const fs::path path = SIBYL_TRY(FindRun(oracle, name));
  KeptRun kept = SIBYL_TRY(ReadRunFile(path));
  if (path.filename().string() == kept.id + std::string(kSuffix)) return kept;
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("{}: its bytes are those of the run {}",
                                      ShownPath(context, path).string(), kept.id),
               .hint = "somebody changed it; take it from git, or run the lab again"};
}

Result<std::string> ResolveLab(const fs::path& oracle, const evidence::LabCitation& citation) {
  if (!IsId(citation.run)) {
    return Error{.kind = ErrorKind::kNotFound, .message = "no such run: " + citation.run};
  }
  const KeptRun kept =
      SIBYL_TRY(ReadRunFile(oracle / kLabsFolder / (citation.run + std::string(kSuffix))));
  if (kept.id != citation.run) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("the run {} was changed", citation.run)};
  }
  const lab::Measurement* measurement = kept.run.Find(citation.metric);
  if (measurement == nullptr) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("the run {} has no {}", citation.run, citation.metric)};
  }
  return lab::InWords(kept.run, *measurement);
}

verify::OtherResolver ResolverOfLabs(fs::path oracle, verify::OtherResolver next) {
  return [oracle = std::move(oracle), next = std::move(next)](
             const evidence::Citation& citation) -> std::optional<verify::OtherAnswer> {
    const auto* measured = std::get_if<evidence::LabCitation>(&citation);
    if (measured == nullptr && next) return next(citation);
    if (measured == nullptr) return std::nullopt;
    const std::string file = fmt::format("{}/{}{}", kLabsFolder, measured->run, kSuffix);
    const Result<std::string> words = ResolveLab(oracle, *measured);
    if (words.ok()) {
      return verify::OtherAnswer{.verdict = verify::Verdict::kSupported,
                                 .text = *words,
                                 .message = "the kept run has the cited measurement",
                                 .where = file,
                                 .reason = "its bytes have the cited id"};
    }
    return verify::OtherAnswer{.verdict = words.error().kind == ErrorKind::kCorrupt
                                              ? verify::Verdict::kContradicted
                                              : verify::Verdict::kAbsent,
                               .message = words.error().message,
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
               {"measurements", Json::array()}};
  for (const lab::Measurement& measurement : kept.run.measurements) {
    json["measurements"].push_back(MeasurementAsJson(measurement, kept.id));
  }
  return json;
}

Json KeptRuns(const Context& context) {
  Json runs = Json::array();
  if (!context.oracle) return runs;
  std::vector<std::string> ids;
  std::error_code failure;
  for (fs::directory_iterator entry(*context.oracle / kLabsFolder, failure), end;
       !failure && entry != end; entry.increment(failure)) {
    if (entry->path().extension() == ".jsonl") ids.push_back(entry->path().stem().string());
  }
  std::sort(ids.begin(), ids.end());
  for (const std::string& id : ids) {
    const Result<KeptRun> kept = ReadKeptRun(context, id);
    if (!kept.ok()) {
      runs.push_back({{"run", id}, {"error", kept.error().message}});
      continue;
    }
    const auto& measurements = kept->run.measurements;
    runs.push_back({{"run", id},
                    {"command", kept->run.command},
                    {"time", kept->run.time},
                    {"device", measurements.empty() ? "" : measurements.front().device},
                    {"measurements", measurements.size()}});
  }
  return runs;
}

}  // namespace sibyl::engine
