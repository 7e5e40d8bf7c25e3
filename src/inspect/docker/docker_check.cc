// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "inspect/docker/cuda/docker_cuda_twice.h"
#include "inspect/docker/cuda/docker_gpus.h"
#include "inspect/docker/docker_arch_check.h"
#include "inspect/docker/docker_compilers.h"
#include "inspect/docker/docker_copies.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_frameworks.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/docker_places.h"
#include "inspect/docker/docker_shipped.h"
#include "inspect/docker/docker_stages.h"
#include "inspect/docker/docker_tags.h"
#include "inspect/docker/pip/docker_pip.h"
#include "inspect/docker/rules/docker_commands.h"
#include "inspect/docker/rules/docker_habits.h"
#include "inspect/docker/rules/docker_mistakes.h"
#include "inspect/docker/rules/docker_rules.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

class Checker {
 public:
  Checker(const Dockerfile& file, const InspectOptions& options, Artifact& artifact)
      : file_(file), options_(options), artifact_(artifact) {}
  void Check();

 private:
  Finding& Add(const DockerInstruction& at, Severity severity, std::string code,
               std::string message) {
    return AddDockerFinding(artifact_, at, severity, std::move(code), std::move(message));
  }
  void Correct(const DockerInstruction& at, const std::vector<std::string>& lines) {
    CorrectDockerLine(artifact_, at, lines);
  }
  CudaImage ImageOf(std::size_t stage) const { return DescribeImage(file_.Root(stage).image); }
  void CheckLastStage();
  std::string CopyOfBuild(std::size_t last) const;
  void CheckPaths(std::size_t stage);
  void CheckCuptiInRuntime();

  const Dockerfile& file_;
  const InspectOptions& options_;
  Artifact& artifact_;
  ScriptBudget budget_;
};

// What the stage before built, unless this one copies from a stage already.
std::string Checker::CopyOfBuild(std::size_t last) const {
  for (const DockerInstruction& instruction : file_.stages[last].instructions) {
    if (instruction.Flag("from")) return {};
  }
  const DockerStage& builder = file_.stages[last - 1];
  const std::string name = builder.name.empty() ? std::to_string(last - 1) : builder.name;
  std::string built = "/path/to/what/was/built";
  for (const DockerInstruction& run : builder.instructions) {
    if (run.keyword != "RUN" || !Contains(run.arguments, "pip wheel")) continue;
    const std::vector<std::string> words = ShellWords(run.arguments);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const bool is_folder = words[i] == "-w" || words[i] == "--wheel-dir";
      if (is_folder && words[i + 1].starts_with('/')) built = words[i + 1];
    }
  }
  return fmt::format("COPY --from={} {} {}", name, built, built);
}

void Checker::CheckLastStage() {
  const std::size_t last = file_.stages.size() - 1;
  const DockerStage& stage = file_.stages[last];
  const CudaImage image = ImageOf(last);
  if (!file_.Root(last).is_resolved || image.variant != CudaVariant::kDevel) return;
  const std::string name = LowerCase(stage.name);
  if (Contains(name, "dev") || Contains(name, "build") || Contains(name, "test") ||
      Contains(name, "ci"))
    return;
  const std::string& root = file_.Root(last).image;
  Add(stage.instructions[0], Severity::kWarning, "docker/devel-last",
      fmt::format("the final stage ships a devel image, {}: compilers, headers and static "
                  "libraries add several gigabytes",
                  root));
  const std::string runtime = WithVariant(root, "runtime");
  if (runtime.empty()) {
    artifact_.findings.back().hint =
        "build in an earlier stage, and copy what it built to a runtime image";
    return;
  }
  // Where an earlier stage builds, only the base of this one has to change, and what was built
  // there is copied.
  if (last > 0 && !stage.base_stage) {
    const std::string as = stage.name.empty() ? "" : " AS " + stage.name;
    std::vector<std::string> lines = {fmt::format("FROM {}{}", runtime, as)};
    if (const std::string copy = CopyOfBuild(last); !copy.empty()) lines.push_back(copy);
    Correct(stage.instructions[0], lines);
    return;
  }
  Correct(stage.instructions[0],
          {fmt::format("FROM {} AS build", root), "# ... build steps ...",
           fmt::format("FROM {}", runtime),
           "COPY --from=build /path/to/what/was/built /path/to/what/was/built"});
}

void Checker::CheckPaths(std::size_t stage) {
  for (const DockerInstruction& instruction : file_.stages[stage].instructions) {
    if (instruction.keyword != "ENV" || !Contains(instruction.arguments, "LD_LIBRARY_PATH"))
      continue;
    if (Contains(instruction.arguments, "/stubs")) {
      Add(instruction, Severity::kError, "docker/stub-on-path",
          "the libcuda stub is found before the driver: every call fails with error 34")
          .hint = "stubs belong on LIBRARY_PATH while building, never on LD_LIBRARY_PATH";
    }
    if (!Contains(instruction.arguments, "/compat")) continue;
    const auto geforce = std::ranges::find_if(options_.gpus, &field::GpuTarget::is_geforce);
    const bool fails = geforce != options_.gpus.end();
    Add(instruction, fails ? Severity::kError : Severity::kWarning, "docker/compat-on-path",
        fails ? fmt::format("the compat libcuda does not run on a GeForce: every call on {} fails "
                            "with error 804",
                            geforce->name)
              : "the compat libcuda is used with any host driver: error 803 if the driver is as "
                "new or newer, 804 on GeForce")
        .hint = "leave it to the NVIDIA container runtime, which compares the versions";
  }
}

void Checker::CheckCuptiInRuntime() {
  const std::size_t last = file_.stages.size() - 1;
  const CudaImage image = ImageOf(last);
  const bool lacks = image.variant == CudaVariant::kRuntime || image.variant == CudaVariant::kBase;
  if (!lacks || image.has_torch || !file_.Root(last).is_resolved) return;
  const DockerInstruction* asks = nullptr;
  for (const DockerInstruction& instruction : file_.stages[last].instructions) {
    const std::string script = ExecutedScript(instruction);
    const bool names_it = Contains(LowerCase(script), "cupti");
    if (!names_it) {
      if (instruction.keyword == "RUN" && !CudaWheelIn(script).empty()) return;  // installs it
      continue;
    }
    if (instruction.keyword == "COPY" || instruction.keyword == "ADD") return;
    if (instruction.keyword == "RUN" && Contains(script, "install")) return;
    if (asks == nullptr) asks = &instruction;
  }
  if (asks == nullptr) return;
  Add(*asks, Severity::kError, "docker/cupti-in-runtime",
      fmt::format("CUPTI is expected here, but {} does not have it: only devel images do",
                  file_.Root(last).image));
  Correct(*asks, {"RUN apt-get update && apt-get install -y --no-install-recommends "
                  "cuda-cupti-" +
                  (image.major == 0 ? std::string("<major>-<minor>")
                                    : fmt::format("{}-{}", image.major, image.minor))});
}

void Checker::Check() {
  if (file_.stages.empty()) return;
  for (std::size_t i = 0; i < file_.stages.size(); ++i) {
    CheckPaths(i);
  }
  CheckCopies(file_, budget_, artifact_);
  CheckCudaTwice(file_, budget_, artifact_);
  CheckLastStage();
  CheckCuptiInRuntime();
  CheckTags(file_, artifact_);
  CheckStages(file_, budget_, artifact_);
  CheckLayers(file_, options_, budget_, artifact_);
  CheckShipped(file_, budget_, artifact_);
  CheckHabits(file_, budget_, artifact_);
  CheckMistakes(file_, budget_, artifact_);
  CheckCommands(file_, budget_, artifact_);
  CheckFrameworks(file_, options_, budget_, artifact_);
  CheckCompilers(file_, budget_, artifact_);
  CheckStructure(file_, budget_, artifact_);
  CheckArguments(file_, budget_, artifact_);
  CheckSecrets(file_, budget_, artifact_);
  CheckEnvironment(file_, budget_, artifact_);
  CheckCudaPackages(file_, budget_, artifact_);
  CheckLeftovers(file_, budget_, artifact_);
  CheckSources(file_, budget_, artifact_);
  CheckWheelIndexes(file_, budget_, artifact_);
  CheckHandedOver(file_, budget_, artifact_);
  CheckScripts(file_, budget_, artifact_);
  CheckHostCompilers(file_, budget_, artifact_);
  CheckGpus(file_, options_, CheckArchLists(file_, options_, budget_, artifact_), budget_,
            artifact_);
  CheckPython(file_, budget_, artifact_);
  CheckPip(file_, budget_, artifact_);
  CheckWheelFit(file_, budget_, artifact_);
  CheckCopiedPython(file_, budget_, artifact_);
  CheckUsers(file_, budget_, artifact_);
  CheckLateSettings(file_, budget_, artifact_);
  if (file_.is_cut) {
    artifact_.findings.push_back(LimitFinding(
        artifact_.path, fmt::format("it has more than {} instructions", kMostInstructions)));
  }
  if (budget_.is_spent()) {
    artifact_.findings.push_back(LimitFinding(
        artifact_.path, fmt::format("comparing its instructions takes more than {} bytes of work",
                                    ScriptBudget::kMost)));
  }
}

}  // namespace

void CheckDockerfile(const Dockerfile& file, const InspectOptions& options, Artifact& artifact) {
  artifact.detail["corrections"] = Json::array();
  Json stages = Json::array();
  for (std::size_t i = 0; i < file.stages.size(); ++i) {
    const DockerStage& stage = file.stages[i];
    const CudaImage image = DescribeImage(file.Root(i).image);
    stages.push_back(
        {{"name", stage.name},
         {"image", stage.image},
         {"root", file.Root(i).image},
         {"line", stage.instructions[0].line},
         {"cuda",
          image.major == 0 ? Json(nullptr) : Json(fmt::format("{}.{}", image.major, image.minor))},
         {"cupti", image.is_known ? Json(image.variant == CudaVariant::kDevel) : Json(nullptr)}});
    artifact.facts.push_back({"dockerfile", fmt::format("stage.{}.image", i), stage.image});
  }
  artifact.facts.push_back({"dockerfile", "stages", file.stages.size()});
  artifact.detail["stages"] = std::move(stages);
  const auto before = static_cast<std::ptrdiff_t>(artifact.findings.size());
  Checker(file, options, artifact).Check();
  DropCorrectionsOfTriggers(file, artifact.detail["corrections"]);
  PlaceInHereDocuments(file, artifact);
  DropRepeated(artifact);
  std::stable_sort(artifact.findings.begin() + before, artifact.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.place.line < b.place.line; });
}

}  // namespace sibyl::inspect
