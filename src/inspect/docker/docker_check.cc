// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/line_excerpt.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/docker/docker_arch_check.h"
#include "inspect/docker/docker_compilers.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_frameworks.h"
#include "inspect/docker/docker_gpus.h"
#include "inspect/docker/docker_layers.h"
#include "inspect/docker/docker_shipped.h"
#include "inspect/docker/docker_stages.h"
#include "inspect/docker/docker_tags.h"
#include "inspect/docker/rules/docker_commands.h"
#include "inspect/docker/rules/docker_habits.h"
#include "inspect/docker/rules/docker_mistakes.h"
#include "inspect/docker/rules/docker_rules.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// Files that people copy between stages, and the images that contain them.
struct Part {
  std::string_view what;
  std::string_view needle;
  bool in_base;
  bool in_runtime;
  bool in_devel;
  bool needs_cudnn_image;
  std::string_view package;
};

constexpr Part kParts[] = {
    {"CUPTI", "cupti", false, false, true, false, "cuda-cupti"},
    {"cuDNN", "libcudnn", false, false, false, true, "libcudnn9-cuda"},
    {"NCCL", "libnccl", false, true, true, false, "libnccl2"},
    {"cuBLAS", "libcublas", false, true, true, false, "libcublas"},
    {"cuFFT", "libcufft", false, true, true, false, "libcufft"},
    {"cuSPARSE", "libcusparse", false, true, true, false, "libcusparse"},
    {"cuSOLVER", "libcusolver", false, true, true, false, "libcusolver"},
    {"the CUDA compiler", "bin/nvcc", false, false, true, false, "cuda-nvcc"},
    {"Nsight Compute", "nsight-compute", false, false, true, false, "cuda-nsight-compute"},
};

bool Holds(const CudaImage& image, const Part& part) {
  if (part.needs_cudnn_image) return image.has_cudnn;
  switch (image.variant) {
    case CudaVariant::kNone:
      return false;
    case CudaVariant::kBase:
      return part.in_base;
    case CudaVariant::kRuntime:
      return part.in_runtime;
    case CudaVariant::kDevel:
      return part.in_devel;
  }
  return false;
}

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
  bool MayInstall(std::size_t stage, const Part& part);
  void CheckCopy(std::size_t stage, const DockerInstruction& copy);
  void CheckSiblings(const DockerInstruction& copy, const std::string& source,
                     const std::string& all);
  void CorrectSiblings(const DockerInstruction& copy, const std::string& source,
                       const std::string& pattern);
  void CheckLastStage();
  std::string CopyOfBuild(std::size_t last) const;
  std::vector<DockerInstruction> WithBases(std::size_t stage);
  void CheckDuplicateCuda(std::size_t stage);
  void CheckPaths(std::size_t stage);
  void CheckCuptiInRuntime();
  std::string Variant(std::string_view image, std::string_view variant) const;

  const Dockerfile& file_;
  const InspectOptions& options_;
  Artifact& artifact_;
  ScriptBudget budget_;
};

// The same tag with another variant: 13.0.1-cudnn-devel-ubuntu24.04 as runtime.
std::string Checker::Variant(std::string_view image, std::string_view variant) const {
  std::string text(image);
  for (const std::string_view old : {"-devel", "-runtime", "-base"}) {
    const std::size_t at = text.find(old);
    if (at == std::string::npos) continue;
    text.replace(at + 1, old.size() - 1, variant);
    if (variant == "base") {
      if (const std::size_t cudnn = text.find("-cudnn"); cudnn < at) text.erase(cudnn, at - cudnn);
    }
    return text;
  }
  return text;
}

// A package manager in this stage, or in one it is built on, may have installed anything that
// it names.
bool Checker::MayInstall(std::size_t stage, const Part& part) {
  std::optional<std::size_t> at = stage;
  while (at) {
    for (const DockerInstruction& instruction : file_.stages[*at].instructions) {
      const std::string script = LowerCase(instruction.Script());
      if (!budget_.Spend(script.size())) return true;  // reports nothing then
      if (instruction.keyword == "RUN" &&
          (Contains(script, "cuda") || Contains(script, "nvidia") || Contains(script, "torch") ||
           Contains(script, part.needle) || Contains(script, ".sh") || Contains(script, ".deb") ||
           Contains(script, "requirements") || Contains(script, "conda"))) {
        return true;
      }
      const bool is_copy = instruction.keyword == "COPY" || instruction.keyword == "ADD";
      if (is_copy && Contains(script, part.needle)) return true;
    }
    at = file_.stages[*at].base_stage;
  }
  return false;
}

// The pattern in the place of one library, and a folder as the destination.
void Checker::CorrectSiblings(const DockerInstruction& copy, const std::string& source,
                              const std::string& pattern) {
  const std::vector<std::string> words = ShellWords(copy.arguments);
  const std::string& destination = words.back();
  const bool is_folder = destination.ends_with('/') || destination.ends_with('.');
  const std::string folder =
      is_folder ? destination : destination.substr(0, destination.rfind('/') + 1);
  if (copy.lines.size() != 1 || copy.arguments.starts_with('[') || folder.empty() ||
      folder.find('$') != std::string::npos) {
    artifact_.findings.back().hint = fmt::format("copy {} to a folder", pattern);
    return;
  }
  std::string line = copy.lines[0];
  const std::size_t end = line.rfind(destination);
  const std::size_t begin = line.find(source);
  if (end == line.npos || begin == line.npos || begin + source.size() > end) return;
  line.replace(end, destination.size(), folder);
  Correct(copy, {line.replace(begin, source.size(), pattern)});
}

void Checker::CheckSiblings(const DockerInstruction& copy, const std::string& source,
                            const std::string& all) {
  const std::string folder = source.substr(0, source.rfind('/') + 1);
  const std::string name = source.substr(folder.size());
  if (name.starts_with("libcudnn.so") && !Contains(all, "libcudnn_") &&
      !Contains(all, "libcudnn*")) {
    const bool is_8 = name.starts_with("libcudnn.so.8");
    Add(copy, Severity::kError, "docker/missing-siblings",
        fmt::format("libcudnn.so only loads its sub-libraries: without {} beside it, every call "
                    "fails",
                    is_8 ? "libcudnn_ops_infer, _ops_train, _cnn_infer, _cnn_train, _adv_infer and "
                           "_adv_train"
                         : "libcudnn_graph, _ops, _cnn, _adv, _engines_* and _heuristic"));
    CorrectSiblings(copy, source, folder + "libcudnn*.so.*");
  }
  if (name.starts_with("libcublas.so") && !Contains(all, "libcublasLt") &&
      !Contains(all, "libcublas*")) {
    Add(copy, Severity::kError, "docker/missing-siblings", "libcublas.so needs libcublasLt.so");
    CorrectSiblings(copy, source, folder + "libcublas*.so.*");
  }
}

void Checker::CheckCopy(std::size_t stage, const DockerInstruction& copy) {
  const std::optional<std::string> from = copy.Flag("from");
  if (!from) return;
  std::vector<std::string> words = ShellWords(copy.arguments);
  if (words.size() < 2) return;
  words.pop_back();  // the destination
  const std::optional<std::size_t> source_stage = file_.FindStage(*from);
  if (source_stage && *source_stage >= stage) return;
  const CudaImage image = source_stage ? ImageOf(*source_stage) : DescribeImage(*from);
  const CudaImage own = ImageOf(stage);
  bool takes_cuda = false;
  const std::string all = copy.Script();
  for (const std::string& source : words) {
    if (!budget_.Spend(all.size())) return;
    bool is_there = true;
    for (const Part& part : kParts) {
      if (!Contains(LowerCase(source), part.needle)) continue;
      takes_cuda = true;
      if (!image.is_known || Holds(image, part)) continue;
      if (source_stage && MayInstall(*source_stage, part)) continue;
      is_there = false;
      const std::string where = source_stage ? file_.Root(*source_stage).image : *from;
      Add(copy, Severity::kError, "docker/copy-not-in-base",
          fmt::format("{} has no {}, and nothing in the stage installs it: this line fails", where,
                      part.what));
      if (image.variant != CudaVariant::kNone && !part.needs_cudnn_image) {
        const DockerStage* root = source_stage ? &file_.Root(*source_stage) : nullptr;
        Correct(root != nullptr ? root->instructions[0] : copy,
                {fmt::format("FROM {}{}", Variant(where, "devel"),
                             root != nullptr && !root->name.empty() ? " AS " + root->name : "")});
      } else {
        const bool is_8 = part.needs_cudnn_image && Contains(source, "libcudnn.so.8");
        const std::string major = part.needs_cudnn_image && !is_8 && image.major != 0
                                      ? fmt::format("-{}", image.major)
                                      : std::string();
        artifact_.findings.back().hint =
            fmt::format("install {}{} there, or copy from an image that has it",
                        is_8 ? "libcudnn8" : part.package, major);
      }
      break;
    }
    // What is for another CUDA is not to be copied at all.
    const bool fits = image.major == 0 || own.major == 0 || image.major == own.major;
    if (is_there && fits) CheckSiblings(copy, source, all);
    // Before CUDA 13, packages put it in another folder than the other libraries.
    if (Contains(source, "/lib64/libcupti") && !Contains(source, "CUPTI") && image.major == 12) {
      Add(copy, Severity::kWarning, "docker/cupti-path",
          "in CUDA 12 images CUPTI is in /usr/local/cuda/extras/CUPTI/lib64");
      Correct(copy, {fmt::format("COPY --from={} /usr/local/cuda/extras/CUPTI/lib64/libcupti.so* "
                                 "/usr/local/cuda/lib64/",
                                 *from)});
    }
  }
  if (takes_cuda && image.major != 0 && own.major != 0 && image.major != own.major) {
    Add(copy, Severity::kError, "docker/cuda-mismatch",
        fmt::format("a CUDA {} library is copied into a CUDA {} image", image.major, own.major))
        .hint = fmt::format("copy it from an image of CUDA {}", own.major);
  }
}

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
  // Where an earlier stage builds, only the base of this one has to change, and what was built
  // there is copied.
  if (last > 0 && !stage.base_stage) {
    const std::string as = stage.name.empty() ? "" : " AS " + stage.name;
    std::vector<std::string> lines = {fmt::format("FROM {}{}", Variant(root, "runtime"), as)};
    if (const std::string copy = CopyOfBuild(last); !copy.empty()) lines.push_back(copy);
    Correct(stage.instructions[0], lines);
    return;
  }
  Correct(stage.instructions[0],
          {fmt::format("FROM {} AS build", root), "# ... build steps ...",
           fmt::format("FROM {}", Variant(root, "runtime")),
           "COPY --from=build /path/to/what/was/built /path/to/what/was/built"});
}

// Packages whose wheels have no CUDA libraries and load those of the system.
bool LoadsSystemCuda(std::string_view requirement) {
  constexpr std::string_view kPackages[] = {
      "onnxruntime-gpu", "ctranslate2", "faster-whisper", "whisperx",   "tensorflow",
      "tensorflow-gpu",  "cupy",        "pycuda",         "numba",      "numba-cuda",
      "faiss-gpu",       "dgl",         "mxnet-cu112",    "insightface"};
  const std::string name = PackageName(requirement);
  // With "[cuda,cudnn]", "[ctk]" or "[and-cuda]" it requires wheels that have them.
  if (Contains(requirement, "[") && !Contains(requirement, "_local]")) return false;
  return name.starts_with("cupy-cuda") || name.starts_with("faiss-gpu-") || name == "jax" ||
         std::ranges::find(kPackages, name) != std::end(kPackages);
}

bool UsesCudaOfImage(const std::vector<DockerInstruction>& instructions) {
  return std::ranges::any_of(instructions, [](const DockerInstruction& run) {
    if (run.keyword != "RUN") return false;
    const std::vector<ShellCommand> commands = CommandsOf(ExecutedScript(run));
    return std::ranges::any_of(commands, [](const ShellCommand& command) {
      // An extension of PyTorch is compiled with the toolkit of the image.
      const bool is_extension =
          HasWord(command, "--no-build-isolation") || HasWord(command, "setup.py");
      return is_extension || std::ranges::any_of(PythonPackagesIn(command), LoadsSystemCuda);
    });
  });
}

// What a list of requirements or another stage brings may use the libraries of the image.
bool MayUseCudaOfImage(const std::vector<DockerInstruction>& instructions) {
  return std::ranges::any_of(instructions, [](const DockerInstruction& at) {
    if (at.keyword == "COPY" && at.Flag("from")) return true;
    if (at.keyword != "RUN") return false;
    const std::string script = ExecutedScript(at);
    if (Contains(script, " -r ") || Contains(script, "--requirement") || Contains(script, ".whl") ||
        Contains(script, "pip install .")) {
      return true;
    }
    for (const ShellCommand& command : CommandsOf(script)) {
      for (const std::string& package : PythonPackagesIn(command)) {
        const std::string name = PackageName(package);
        if (IsCompiledByPip(name)) return true;  // with the toolkit of the image
        if (package.starts_with('.') || package.starts_with('/')) return true;
        // If it is replaced by the one for GPUs, as docker/cpu-wheel says, that uses them.
        if (name == "onnxruntime") return true;
      }
    }
    const std::vector<std::string> words = ShellWords(script);
    return std::ranges::any_of(words, [](const std::string& word) {
      return word.ends_with(".sh") && !Contains(word, "://");
    });
  });
}

// The instructions of a stage, after those of the stages that it is built on.
std::vector<DockerInstruction> Checker::WithBases(std::size_t stage) {
  std::vector<DockerInstruction> all;
  for (std::optional<std::size_t> at = stage; at; at = file_.stages[*at].base_stage) {
    const std::vector<DockerInstruction>& own = file_.stages[*at].instructions;
    if (!budget_.Spend(own.size())) break;
    all.insert(all.begin(), own.begin(), own.end());
  }
  return all;
}

// Wheels of PyTorch and similar packages install all of CUDA.
void Checker::CheckDuplicateCuda(std::size_t stage) {
  const CudaImage image = ImageOf(stage);
  if (image.variant != CudaVariant::kRuntime && image.variant != CudaVariant::kDevel) return;
  if (image.has_torch || !file_.Root(stage).is_resolved) return;
  const bool is_last = stage + 1 == file_.stages.size();
  if (!is_last) return;
  const std::vector<DockerInstruction> all = WithBases(stage);
  if (UsesCudaOfImage(all)) return;
  for (const DockerInstruction& instruction : all) {
    if (instruction.keyword != "RUN") continue;
    const std::string wheel = CudaWheelIn(ExecutedScript(instruction));
    if (wheel.empty()) continue;
    if (MayUseCudaOfImage(all)) {
      Add(instruction, Severity::kNote, "docker/cuda-twice",
          fmt::format("the wheel {} brings its own CUDA libraries and does not use those of {}",
                      wheel, file_.Root(stage).image))
          .hint = fmt::format("if nothing else uses them, build on {}",
                              Variant(file_.Root(stage).image, "base"));
      return;
    }
    Add(instruction, Severity::kWarning, "docker/cuda-twice",
        fmt::format("the wheel {} brings its own CUDA libraries; those of {} are unused", wheel,
                    file_.Root(stage).image));
    if (image.variant == CudaVariant::kRuntime) {
      Correct(file_.Root(stage).instructions[0],
              {fmt::format("FROM {}", Variant(file_.Root(stage).image, "base"))});
    } else {
      artifact_.findings.back().hint =
          fmt::format("compile in an earlier stage, and build the last one on {}",
                      Variant(file_.Root(stage).image, "base"));
    }
    return;
  }
}

void Checker::CheckPaths(std::size_t stage) {
  for (const DockerInstruction& instruction : file_.stages[stage].instructions) {
    if (instruction.keyword != "ENV" || !Contains(instruction.arguments, "LD_LIBRARY_PATH"))
      continue;
    if (Contains(instruction.arguments, "/stubs")) {
      Add(instruction, Severity::kError, "docker/stub-on-path",
          "the libcuda stub is found before the driver: every call fails with error 34")
          .hint = "stubs belong on LIBRARY_PATH while building, never on LD_LIBRARY_PATH";
    } else if (Contains(instruction.arguments, "/compat")) {
      Add(instruction, Severity::kWarning, "docker/compat-on-path",
          "the compat libcuda is used with any host driver: error 803 if the driver is as new or "
          "newer, 804 on GeForce")
          .hint = "leave it to the NVIDIA container runtime, which compares the versions";
    }
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
    for (const DockerInstruction& instruction : file_.stages[i].instructions) {
      if (instruction.keyword == "COPY") CheckCopy(i, instruction);
    }
    CheckPaths(i);
    CheckDuplicateCuda(i);
  }
  CheckLastStage();
  CheckCuptiInRuntime();
  CheckTags(file_, artifact_);
  CheckStages(file_, budget_, artifact_);
  CheckLayers(file_, options_, budget_, artifact_);
  CheckShipped(file_, budget_, artifact_);
  CheckHabits(file_, budget_, artifact_);
  CheckMistakes(file_, budget_, artifact_);
  CheckCommands(file_, budget_, artifact_);
  CheckFrameworks(file_, budget_, artifact_);
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
  CheckGpus(file_, options_, CheckArchLists(file_, options_, budget_, artifact_), budget_,
            artifact_);
  CheckPython(file_, budget_, artifact_);
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

// What the command of a finding begins with, to find its line in a here-document.
std::string_view CommandOf(std::string_view code) {
  constexpr std::pair<std::string_view, std::string_view> kCommands[] = {
      {"docker/download-unchecked", "http"}, {"docker/pipefail", " | "},
      {"docker/curl-no-fail", "curl"},       {"docker/nvcc-in-runtime", "nvcc"},
      {"docker/unpinned-source", "git"},     {"docker/unpinned-wheel", "pip"},
      {"docker/cuda-twice", "pip"},          {"docker/pip-cache", "pip"},
      {"docker/wheel-needs-nvcc", "pip"},    {"docker/torch-replaced", "pip"},
      {"docker/cpu-wheel", "pip"},           {"docker/sudo", "sudo"},
      {"docker/gpu-at-build", "cuda"},       {"docker/apt-lists", "update"},
      {"docker/unpinned-package", "cuda"},   {"docker/secret", "token"}};
  for (const auto& [each, command] : kCommands) {
    if (each == code) return command;
  }
  return {};
}

// The line of a here-document that a finding is about: that of its correction, or the first one
// with its command.
const DockerLine* LineOfFinding(const DockerInstruction& run, const Finding& finding,
                                const Json& corrections) {
  for (const Json& correction : corrections) {
    if (correction["code"] != finding.code || correction["finding_line"] != finding.place.line) {
      continue;
    }
    const auto line = std::ranges::find(run.here_lines, correction["line"].get<std::size_t>(),
                                        &DockerLine::number);
    return line == run.here_lines.end() ? nullptr : &*line;
  }
  const std::string_view command = CommandOf(finding.code);
  if (command.empty()) return nullptr;
  const auto line = std::ranges::find_if(
      run.here_lines, [&](const DockerLine& each) { return Contains(each.text, command); });
  return line == run.here_lines.end() ? nullptr : &*line;
}

// Findings are made for instructions; a script may be a hundred lines long.
void PlaceInHereDocuments(const Dockerfile& file, Artifact& artifact) {
  std::map<std::size_t, const DockerInstruction*> runs;
  for (const DockerStage& stage : file.stages) {
    for (const DockerInstruction& run : stage.instructions) {
      if (!run.here_lines.empty()) runs.emplace(run.line, &run);
    }
  }
  if (runs.empty()) return;
  Json& corrections = artifact.detail["corrections"];
  for (Finding& finding : artifact.findings) {
    const auto run = runs.find(finding.place.line);
    if (run == runs.end()) continue;
    const DockerLine* line = LineOfFinding(*run->second, finding, corrections);
    if (line == nullptr) continue;
    for (Json& correction : corrections) {
      const bool is_its =
          correction["code"] == finding.code && correction["finding_line"] == finding.place.line;
      if (is_its) correction["finding_line"] = line->number;
    }
    finding.place.line = line->number;
    finding.place.text = LineExcerpt(line->text, 0);
  }
}

// A correction that makes an instruction of what an ONBUILD triggers would do it at once.
void DropCorrectionsOfTriggers(const Dockerfile& file, Json& corrections) {
  std::set<std::size_t> triggers;
  for (const DockerStage& stage : file.stages) {
    for (const DockerInstruction& at : stage.instructions) {
      if (at.is_trigger) triggers.insert(at.line);
    }
  }
  Json kept = Json::array();
  for (Json& correction : corrections) {
    const std::string first = correction["lines"][0].get<std::string>();
    const bool is_lost = triggers.contains(correction["line"].get<std::size_t>()) &&
                         !StartsWithIgnoringCase(Trim(first), "ONBUILD");
    if (!is_lost) kept.push_back(std::move(correction));
  }
  corrections = std::move(kept);
}

bool StartsWithAny(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [&](std::string_view s) { return text.starts_with(s); });
}

// "2.9.0-cuda13.0-cudnn9-runtime": the tags of many images have it.
void AddCudaOfTag(std::string_view tag, CudaImage& about) {
  constexpr std::string_view kCuda = "cuda";
  const std::size_t at = tag.find(kCuda);
  if (at == tag.npos) return;
  const std::string_view version = tag.substr(at + kCuda.size());
  if (const auto cuda = field::ParseCudaVersion(version.substr(0, version.find('-')))) {
    about.major = cuda->major;
    about.minor = cuda->minor;
  }
}

// Images of Docker Hub that have no CUDA.
bool IsPlain(std::string_view name) {
  constexpr std::string_view kPlain[] = {"node",  "golang",   "rust",   "gcc",
                                         "nginx", "ruby",     "php",    "maven",
                                         "redis", "postgres", "centos", "busybox"};
  return std::ranges::find(kPlain, name) != std::end(kPlain);
}

}  // namespace

CudaImage DescribeImage(std::string_view image) {
  CudaImage about;
  std::string_view name = image.substr(0, image.find('@'));
  const std::size_t colon = name.rfind(':');
  const std::string_view tag = colon == std::string_view::npos || Contains(name.substr(colon), "/")
                                   ? std::string_view()
                                   : name.substr(colon + 1);
  name = name.substr(0, tag.empty() ? name.size() : colon);
  for (const std::string_view registry : {"docker.io/", "nvcr.io/", "library/"}) {
    if (name.starts_with(registry)) name.remove_prefix(registry.size());
  }
  about.has_cudnn = Contains(tag, "cudnn");
  if (Contains(tag, "devel")) about.variant = CudaVariant::kDevel;
  if (Contains(tag, "runtime")) about.variant = CudaVariant::kRuntime;
  if (Contains(tag, "-base")) about.variant = CudaVariant::kBase;
  if (name == "nvidia/cuda") {
    about.is_known = about.variant != CudaVariant::kNone;
    const std::string_view version = tag.substr(0, tag.find('-'));
    if (const auto cuda = field::ParseCudaVersion(version)) {
      about.major = cuda->major;
      about.minor = cuda->minor;
    }
    return about;
  }
  if (name == "pytorch/pytorch") {
    about.has_torch = true;  // includes most of CUDA: not judged by packages
    AddCudaOfTag(tag, about);
    return about;
  }
  if (const field::ImageRelease* release = field::FindImageRelease(name, tag)) {
    return {.has_torch = name == "nvidia/pytorch",
            .major = release->cuda.major,
            .minor = release->cuda.minor,
            .has_compat = true};
  }
  about.variant = CudaVariant::kNone;
  about.has_cudnn = false;
  about.is_known = StartsWithAny(name, {"ubuntu", "debian", "python", "alpine", "busybox", "fedora",
                                        "rockylinux", "scratch", "gcr.io/distroless"}) ||
                   IsPlain(name);
  if (!about.is_known) AddCudaOfTag(tag, about);
  return about;
}

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
  std::stable_sort(artifact.findings.begin() + before, artifact.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.place.line < b.place.line; });
}

}  // namespace sibyl::inspect
