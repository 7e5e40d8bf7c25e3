// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/cuda/docker_cuda_twice.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"
#include "inspect/docker/docker_compilers.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

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
std::vector<DockerInstruction> WithBases(const Dockerfile& file, std::size_t stage,
                                         ScriptBudget& budget) {
  std::vector<DockerInstruction> all;
  for (std::optional<std::size_t> at = stage; at; at = file.stages[*at].base_stage) {
    const std::vector<DockerInstruction>& own = file.stages[*at].instructions;
    if (!budget.Spend(own.size())) break;
    all.insert(all.begin(), own.begin(), own.end());
  }
  return all;
}

}  // namespace

void CheckCudaTwice(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  const std::size_t stage = file.stages.size() - 1;
  const DockerStage& root = file.Root(stage);
  const CudaImage image = DescribeImage(root.image);
  if (image.variant != CudaVariant::kRuntime && image.variant != CudaVariant::kDevel) return;
  if (image.has_torch || !root.is_resolved) return;
  const std::vector<DockerInstruction> all = WithBases(file, stage, budget);
  if (UsesCudaOfImage(all)) return;
  const std::string other = WithVariant(root.image, "base");
  const std::string base = other.empty() ? std::string("a base image") : other;
  for (const DockerInstruction& instruction : all) {
    if (instruction.keyword != "RUN") continue;
    const std::string wheel = CudaWheelIn(ExecutedScript(instruction));
    if (wheel.empty()) continue;
    if (MayUseCudaOfImage(all)) {
      AddDockerFinding(
          artifact, instruction, Severity::kNote, "docker/cuda-twice",
          fmt::format("the wheel {} brings its own CUDA libraries and does not use those of {}",
                      wheel, root.image))
          .hint = fmt::format("if nothing else uses them, build on {}", base);
      return;
    }
    AddDockerFinding(
        artifact, instruction, Severity::kWarning, "docker/cuda-twice",
        fmt::format("the wheel {} brings its own CUDA libraries; those of {} are unused", wheel,
                    root.image));
    if (image.variant == CudaVariant::kRuntime && !other.empty()) {
      CorrectDockerLine(artifact, root.instructions[0], {fmt::format("FROM {}", base)});
    } else {
      artifact.findings.back().hint =
          fmt::format("compile in an earlier stage, and build the last one on {}", base);
    }
    return;
  }
}

}  // namespace sibyl::inspect
