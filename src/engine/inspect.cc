// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.h"
#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/field/known_gpus.h"
#include "engine/inspect_json.h"
#include "engine/inspect_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "inspect/cuda/code_summary.h"
#include "inspect/rules.h"
#include "oracle/argument_file.h"
#include "oracle/context.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

// "L4", or "L4,H100": no GPU has a comma in its name.
Status AddGpus(std::string_view given, inspect::InspectOptions& options) {
  while (true) {
    const std::size_t comma = given.find(',');
    const std::string_view name = Trim(given.substr(0, comma));
    if (name.empty()) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = "--gpu has an empty name",
                   .hint = "for example: --gpu L4 --gpu H100, or --gpu L4,H100"};
    }
    field::GpuTarget gpu = SIBYL_TRY(field::FindGpu(name));
    const bool is_new = std::ranges::none_of(
        options.gpus, [&](const field::GpuTarget& each) { return each.name == gpu.name; });
    if (is_new) options.gpus.push_back(std::move(gpu));
    if (comma == given.npos) return {};
    given.remove_prefix(comma + 1);
  }
}

Result<inspect::InspectOptions> ReadOptions(const oracle::Context& context,
                                            const Arguments& arguments) {
  inspect::InspectOptions options{.kernels = arguments.Has("kernels"), .threads = MachineThreads()};
  if (arguments.Has("quick")) {
    options.depth = inspect::CodeDepth::kSections;
    options.hashes = false;
  }
  for (const std::string& given : arguments.All("gpu")) SIBYL_TRY(AddGpus(given, options));
  if (arguments.Has("driver")) {
    options.driver = field::ParseDriverVersion(arguments.Text("driver"));
    if (!options.driver) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("'{}' is not a driver version", arguments.Text("driver")),
                   .hint = "for example: --driver 580.65.06 or --driver 580"};
    }
  }
  options.reads_named_files = context.roots.empty();
  options.shown = [&context](const fs::path& path) {
    return oracle::ShownPath(context, path).string();
  };
  options.progress = [&context](std::string_view path) {
    if (context.progress) context.progress(fmt::format("inspected {}", path));
  };
  return options;
}

Status CheckTogether(const Arguments& arguments) {
  const auto refuse = [](std::string message, std::string hint) {
    return Error{.kind = ErrorKind::kUsage, .message = std::move(message), .hint = std::move(hint)};
  };
  if (arguments.Has("gpus") && arguments.Has("path")) {
    return refuse("--gpus lists the known GPUs and inspects nothing",
                  "leave out the paths, or give one of the GPUs with --gpu");
  }
  if (!arguments.Has("gpus") && !arguments.Has("path")) {
    return refuse("inspect needs a PATH: a file or a folder",
                  "'sibyl help inspect' shows what it reads; --gpus lists the known GPUs");
  }
  if (arguments.Has("compare") && arguments.All("path").size() != 2) {
    return refuse("--compare needs two paths, the old one first", "");
  }
  if (arguments.Has("prune-report") && !arguments.Has("gpu")) {
    return refuse("--prune-report needs --gpu", "give --gpu once for each kind of GPU");
  }
  if (arguments.Has("quick") && arguments.Has("prune-report")) {
    return refuse("--prune-report cannot be combined with --quick",
                  "it needs to know which images contain code; drop --quick");
  }
  return {};
}

// The rules that decided, in the order in which CUDA decides.
std::vector<std::string> ExplainVerdict(const inspect::GpuVerdict& verdict,
                                        const inspect::InspectOptions& options) {
  const std::uint32_t number = verdict.gpu.number;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{} is sm_{}", verdict.gpu.name, number));
  if (options.driver) {
    const auto cuda = field::CudaOfDriver(*options.driver);
    const auto isa = cuda ? field::PtxOfCuda(*cuda) : std::nullopt;
    lines.push_back(fmt::format("driver {} supports CUDA up to {} and PTX up to {}",
                                options.driver->text, cuda ? field::Format(*cuda) : "9",
                                isa ? field::Format(*isa) : "6.2"));
  }
  if (verdict.runs == inspect::Runs::kNoCode) {
    lines.push_back(verdict.why);
    return lines;
  }
  lines.push_back(fmt::format(
      "a cubin runs on GPUs of its major version with the same or a higher minor version: {}",
      number % 10 == 0
          ? fmt::format("of those, only that of sm_{0} runs on sm_{0}", number)
          : fmt::format("those of sm_{0}0 to sm_{1} run on sm_{1}", number / 10, number)));
  if (field::LifeOf(field::Architecture{.number = number, .suffix = 'a'}) != nullptr) {
    lines.push_back(
        fmt::format("of the cubins with suffix a, only sm_{0}a runs on sm_{0}", number));
  }
  lines.push_back(
      fmt::format("PTX for compute_{} and older is compiled when the program starts, or when it "
                  "first calls the kernel; the driver keeps the result in ~/.nv/ComputeCache",
                  number));
  lines.push_back("cubins without a kernel are not counted: the device linker leaves them behind");
  lines.push_back("each unit of device code is a translation unit and needs its own image");
  lines.push_back(fmt::format("{}: {} native, {} by JIT, {} without a usable image",
                              inspect::UnitsOfCode(verdict.containers), verdict.native, verdict.jit,
                              verdict.none));
  const bool fits = verdict.native + verdict.jit + verdict.hidden_fitting > 0;
  if (verdict.runs == inspect::Runs::kNot && fits) {
    lines.push_back(fmt::format("but nothing is loaded: {}", verdict.why));
  }
  return lines;
}

void AddExplanations(const std::vector<inspect::Artifact>& artifacts,
                     const inspect::InspectOptions& options, Outcome& outcome) {
  Json explanations = Json::array();
  for (const inspect::Artifact& artifact : artifacts) {
    for (const inspect::GpuVerdict& verdict : artifact.verdicts) {
      explanations.push_back({{"path", artifact.path},
                              {"about", verdict.gpu.name},
                              {"lines", ExplainVerdict(verdict, options)}});
    }
  }
  std::vector<std::string> codes;
  for (const Finding& finding : outcome.findings) {
    if (std::ranges::find(codes, finding.code) == codes.end()) codes.push_back(finding.code);
  }
  for (const std::string& code : codes) {
    for (const Rule& rule : inspect::FindingRules()) {
      if (rule.code != code) continue;
      explanations.push_back({{"path", nullptr}, {"about", code}, {"lines", {rule.meaning}}});
    }
  }
  outcome.data["explanations"] = std::move(explanations);
}

// For reports: fixes of all artifacts, each with its file.
void AddFixes(const std::vector<inspect::Artifact>& artifacts, Outcome& outcome) {
  Json fixes = Json::array();
  for (const inspect::Artifact& artifact : artifacts) {
    if (!artifact.detail.contains("fixes")) continue;
    for (Json fix : artifact.detail["fixes"]) {
      fix["file"] = artifact.path;
      fixes.push_back(std::move(fix));
    }
  }
  if (!fixes.empty()) outcome.data["fixes"] = std::move(fixes);
}

// Dockerfiles and CMake caches say which CUDA they use, and so do most libraries; that of other
// code is only known with a GPU. One file of a folder that says it is enough, unless code is
// beside it that does not.
Status CheckDriverIsUsed(const std::vector<inspect::Artifact>& artifacts,
                         const inspect::InspectOptions& options) {
  if (!options.driver || !options.gpus.empty()) return {};
  const inspect::Artifact* other = nullptr;
  bool is_used = artifacts.empty();
  for (const inspect::Artifact& artifact : artifacts) {
    if (artifact.kind == "dockerfile" || artifact.kind == "cmake-cache" ||
        !field::DriverFloor(inspect::FindCudaLink(artifact).major).empty()) {
      is_used = true;
    } else if (other == nullptr || (other->code.empty() && !artifact.code.empty())) {
      other = &artifact;
    }
  }
  if (other == nullptr || (is_used && other->code.empty())) return {};
  return Error{
      .kind = ErrorKind::kUsage,
      .message = "a driver alone is not enough here: name a GPU too (--gpu)",
      .hint = fmt::format("{} does not say which CUDA it was built with, and whether its code runs "
                          "with a driver depends on the GPU",
                          std::filesystem::path(other->path).filename().string())};
}

Result<Outcome> RunInspect(const oracle::Context& context, const Arguments& arguments) {
  SIBYL_TRY(CheckTogether(arguments));
  if (arguments.Has("gpus")) return Outcome{.data = KnownGpusAsJson()};
  const inspect::InspectOptions options = SIBYL_TRY(ReadOptions(context, arguments));
  std::vector<fs::path> paths;
  for (const std::string& argument : arguments.All("path")) {
    const oracle::ArgumentFile file = SIBYL_TRY(oracle::ArgumentFile::Find(context, argument));
    paths.push_back(SIBYL_TRY(file.CheckedPath()));
  }
  const inspect::Inspected inspected = SIBYL_TRY(inspect::Inspect(paths, options));
  if (inspected.files_seen == 0) {
    return Error{.kind = ErrorKind::kNotFound, .message = "there is no file to inspect"};
  }
  SIBYL_TRY(CheckDriverIsUsed(inspected.artifacts, options));
  Outcome outcome;
  Json artifacts = Json::array();
  for (const inspect::Artifact& artifact : inspected.artifacts) {
    Json json = ArtifactAsJson(artifact);
    if (arguments.Has("prune-report") && !artifact.code.empty()) {
      json["prune"] = PruneAsJson(artifact, options.gpus);
    }
    artifacts.push_back(std::move(json));
    outcome.findings.insert(outcome.findings.end(), artifact.findings.begin(),
                            artifact.findings.end());
  }
  AddFixes(inspected.artifacts, outcome);
  outcome.data["files_seen"] = inspected.files_seen;
  outcome.data["artifacts"] = std::move(artifacts);
  if (arguments.Has("compare")) {
    if (inspected.artifacts.size() != 2) {
      return Error{.kind = ErrorKind::kUsage, .message = "--compare needs two files, not folders"};
    }
    outcome.data["comparison"] = ComparisonAsJson(inspected.artifacts[0], inspected.artifacts[1]);
  }
  if (arguments.Has("explain")) AddExplanations(inspected.artifacts, options, outcome);
  outcome.holds = CountFindings(outcome.findings).errors == 0;
  return outcome;
}

constexpr Parameter kInspectParameters[] = {
    {.name = "path",
     .value_name = "PATH",
     .help = "a file or a folder to inspect",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .repeated = true},
    {.name = "gpu",
     .value_name = "GPU",
     .help = "report whether it runs on this GPU, such as H200, 'RTX 4090', sm_90 or 9.0; "
             "several: L4,H100",
     .repeated = true},
    {.name = "driver", .value_name = "VERSION", .help = "with this driver, such as 580.65.06"},
    {.name = "gpus",
     .help = "list the known GPUs, their architectures, toolkits and drivers, with receipts",
     .kind = ParameterKind::kFlag},
    {.name = "prune-report",
     .help = "show how much device code the GPUs do not need",
     .kind = ParameterKind::kFlag},
    {.name = "compare",
     .help = "show the differences between two files, the old one first",
     .kind = ParameterKind::kFlag},
    {.name = "kernels",
     .help = "list every kernel with its registers, shared memory and stack; decodes all cubins",
     .kind = ParameterKind::kFlag},
    {.name = "quick",
     .help =
         "read section headers only: no hash, no search, no citations; with --gpu, no hash and no "
         "citations",
     .kind = ParameterKind::kFlag},
    {.name = "diff",
     .help = "print the fixes of Dockerfiles as a unified diff, for 'patch -p1', and nothing else",
     .kind = ParameterKind::kFlag},
    {.name = "explain",
     .help = "show the rules behind each verdict and finding",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kInspect = {
    .name = "inspect",
    .summary = "report what an artifact contains",
    .description =
        R"(Reports what built artifacts contain, based on their bytes and not on their names. Nothing is
executed; no GPU, no driver and no NVIDIA tool is needed. Images are never unpacked to disk; a wheel
is unpacked one library at a time, into a temporary folder.

Device code is found in programs, shared libraries, object files, static archives, cubins, fatbins
and PTX: for each section and architecture the number of images, how many of them contain code,
stored and unpacked bytes, and which toolkits made them. Code outside CUDA's sections, which
`cuobjdump` does not see, is listed as hidden. A folder is searched recursively, and files with
nothing to report are not shown.

A `CMakeCache.txt` is checked against the files on disk: a header without its library, paths that no
longer exist, toolkits that disagree, architectures that were requested and not built, switches of
PyTorch's build. A Dockerfile is checked against what its base images can contain, and corrected
lines are suggested; `--diff` prints them as a diff, without those that you have to complete. Wheels and folders of installed packages are checked against their RECORD and
their requirements. Images (OCI layouts, `docker save` archives) are streamed layer by layer:
components by content, duplicates, bytes that a later layer deletes.

With `--gpu`, reports whether the code runs on that GPU: natively, by JIT compilation at startup, or
not, and with which error. This is decided for each unit of device code, since every translation
unit needs its own image. Exit status 1 means that something does not run, or that a file is damaged.
`--driver` without `--gpu` is compared with the CUDA of Dockerfiles and CMake caches, and with the
CUDA that a library, wheel or image was built for, if it says so.
`--gpus` lists the GPUs that are known, with the CUDA releases and drivers that support them and the
document where each row was read.

  sibyl inspect libtorch_cuda.so --gpu H200 --gpu T4 --driver 580.65
  sibyl inspect --prune-report --gpu A100 --gpu H100 site-packages/
  sibyl inspect --compare old/libkernels.so new/libkernels.so

Every fact in the JSON answer has a citation: the sha256 of the file, the inspector, the key. `sibyl
cite PATH#INSPECTOR:KEY` turns one into a footnote.)",
    .parameters = kInspectParameters,
    .effects = {.reads = true},
    .rules = inspect::FindingRules,
    .reports_findings = true,
    .tool = {.name = "inspect", .is_read_only = true, .is_idempotent = true},
    .run = RunInspect,
    .render = RenderInspect,
};

}  // namespace sibyl::engine
