// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.h"
#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/inspect_json.h"
#include "engine/inspect_operations.h"
#include "engine/outcome.h"
#include "inspect/rules.h"
#include "oracle/argument_file.h"
#include "oracle/context.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

Result<inspect::InspectOptions> ReadOptions(const oracle::Context& context,
                                            const Arguments& arguments) {
  inspect::InspectOptions options{.kernels = arguments.Has("kernels"), .threads = MachineThreads()};
  if (arguments.Has("quick")) {
    options.depth = inspect::CodeDepth::kSections;
    options.hashes = false;
  }
  for (const std::string& gpu : arguments.All("gpu")) {
    options.gpus.push_back(SIBYL_TRY(inspect::FindGpu(gpu)));
  }
  if (arguments.Has("driver")) {
    options.driver = inspect::ParseDriverVersion(arguments.Text("driver"));
    if (!options.driver) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("'{}' is not a driver version", arguments.Text("driver")),
                   .hint = "such as 580.65.06 or 580"};
    }
  }
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
  if (arguments.Has("compare") && arguments.All("path").size() != 2) {
    return refuse("--compare needs two paths, the old one first", "");
  }
  if (arguments.Has("prune-report") && !arguments.Has("gpu")) {
    return refuse("--prune-report needs the GPUs that are to be served",
                  "add --gpu, as often as there are kinds of them");
  }
  if (arguments.Has("driver") && !arguments.Has("gpu")) {
    return refuse("--driver says nothing without a GPU", "add --gpu");
  }
  if (arguments.Has("quick") && arguments.Has("prune-report")) {
    return refuse("--prune-report needs to know which images have code", "leave out --quick");
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
    const auto cuda = inspect::CudaOfDriver(*options.driver);
    const auto isa = cuda ? inspect::PtxOfCuda(*cuda) : std::nullopt;
    lines.push_back(fmt::format("driver {} knows CUDA up to {} and PTX up to {}",
                                options.driver->text, cuda ? inspect::Format(*cuda) : "9",
                                isa ? inspect::Format(*isa) : "6.2"));
  }
  lines.push_back(fmt::format(
      "a cubin runs on its own major from its minor upwards: sm_{0}0 to sm_{1} run on sm_{1}",
      number / 10, number));
  lines.push_back(fmt::format("with suffix a it runs on sm_{0} only as sm_{0}a", number));
  lines.push_back(
      fmt::format("PTX of compute_{} and older is compiled when the program starts", number));
  lines.push_back("cubins without a kernel are not counted: the device linker leaves such shells");
  lines.push_back("each container stands for one translation unit and needs an image of its own");
  lines.push_back(fmt::format("{} containers: {} native, {} by JIT, {} with nothing that fits",
                              verdict.containers, verdict.native, verdict.jit, verdict.none));
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
    for (const inspect::FindingRule& rule : inspect::FindingRules()) {
      if (rule.code != code) continue;
      explanations.push_back({{"path", nullptr}, {"about", code}, {"lines", {rule.meaning}}});
    }
  }
  outcome.data["explanations"] = std::move(explanations);
}

Result<Outcome> RunInspect(const oracle::Context& context, const Arguments& arguments) {
  SIBYL_TRY(CheckTogether(arguments));
  const inspect::InspectOptions options = SIBYL_TRY(ReadOptions(context, arguments));
  std::vector<fs::path> paths;
  for (const std::string& argument : arguments.All("path")) {
    const oracle::ArgumentFile file = SIBYL_TRY(oracle::ArgumentFile::Find(context, argument));
    paths.push_back(SIBYL_TRY(file.CheckedPath()));
  }
  const inspect::Inspected inspected = SIBYL_TRY(inspect::Inspect(paths, options));
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
  outcome.data["files_seen"] = inspected.files_seen;
  outcome.data["artifacts"] = std::move(artifacts);
  if (arguments.Has("compare")) {
    if (inspected.artifacts.size() != 2) {
      return Error{.kind = ErrorKind::kUsage, .message = "--compare compares two files"};
    }
    outcome.data["comparison"] = ComparisonAsJson(inspected.artifacts[0], inspected.artifacts[1]);
  }
  if (arguments.Has("explain")) AddExplanations(inspected.artifacts, options, outcome);
  outcome.holds = CountFindings(outcome.findings).errors == 0;
  return outcome;
}

std::vector<Rule> InspectRules() {
  std::vector<Rule> rules;
  for (const inspect::FindingRule& rule : inspect::FindingRules()) {
    rules.push_back({.code = rule.code, .meaning = rule.meaning});
  }
  return rules;
}

constexpr Parameter kInspectParameters[] = {
    {.name = "path",
     .value_name = "PATH",
     .help = "a file or a folder to look into",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true,
     .repeated = true},
    {.name = "gpu",
     .value_name = "GPU",
     .help = "say whether it runs on this GPU, such as H200, 'RTX 4090', sm_90 or 9.0",
     .repeated = true},
    {.name = "driver", .value_name = "VERSION", .help = "with this driver, such as 580.65.06"},
    {.name = "prune-report",
     .help = "the bytes of device code that the GPUs do not need",
     .kind = ParameterKind::kFlag},
    {.name = "compare",
     .help = "what differs between two files, the old one first",
     .kind = ParameterKind::kFlag},
    {.name = "kernels",
     .help = "every kernel with its registers, shared memory and stack; decodes all cubins",
     .kind = ParameterKind::kFlag},
    {.name = "quick",
     .help = "only what the sections announce: no hash, no search, no citations",
     .kind = ParameterKind::kFlag},
    {.name = "explain",
     .help = "the rules behind each verdict and each finding",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kInspect = {
    .name = "inspect",
    .summary = "say what an artifact really holds",
    .description =
        R"(Looks into built things and says what they hold, by their bytes and not by their names. Nothing is
executed; no GPU, no driver and no tool of NVIDIA is needed. Images are never unpacked to the disk; of
a wheel one library at a time is, in a temporary folder.

Device code is found in programs, shared libraries, object files, static archives, cubins, fatbins
and PTX: per section and architecture how many images, how many of them with code, stored and
unpacked bytes, and which toolkits made them. Code that stands in no section of CUDA's, which
`cuobjdump` does not see, is listed as hidden. A folder is walked, and what holds nothing is left
out.

A `CMakeCache.txt` is held against what exists: a header without its library, paths that are gone,
toolkits that disagree, architectures that were asked for and not built, switches of PyTorch's build.
A Dockerfile is held against what its bases can hold, and answered with corrected lines. Wheels and
folders of installed packages are held to their RECORD and their requirements. Images (OCI layouts,
archives of `docker save`) are read layer by layer as a stream: components by content, duplicates,
bytes that a later layer deletes.

With `--gpu` it says whether the code runs there: natively, by JIT compilation when it starts, or
not, and with which error; per container, since every translation unit needs an image of its own.
Exit status 1 means that something does not run, or that a file is damaged.

  sibyl inspect libtorch_cuda.so --gpu H200 --gpu T4 --driver 580.65
  sibyl inspect --prune-report --gpu A100 --gpu H100 site-packages/
  sibyl inspect --compare old/libkernels.so new/libkernels.so

Every fact in the JSON answer has a citation: the sha256 of the file, the inspector, the key.
`sibyl cite PATH#INSPECTOR:KEY` makes a footnote of one.)",
    .parameters = kInspectParameters,
    .effects = {.reads = true},
    .rules = InspectRules,
    .answers_sarif = true,
    .tool = {.name = "inspect", .is_read_only = true, .is_idempotent = true},
    .run = RunInspect,
};

}  // namespace sibyl::engine
