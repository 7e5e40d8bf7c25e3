// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_compilers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// Projects that are compiled when they are installed from their repository, though their wheels on
// PyPI are not.
bool IsCompiledFromGit(std::string_view name) {
  constexpr std::string_view kProjects[] = {
      "xformers",     "transformerengine", "flash-attention", "vllm",         "apex", "flashinfer",
      "bitsandbytes", "auto-gptq",         "autoawq-kernels", "tiny-cuda-nn", "mmcv", "deepspeed"};
  return std::ranges::find(kProjects, name) != std::end(kProjects);
}

// Settings with which a package compiles its kernels when it is installed: "DS_BUILD_OPS=1".
bool RequestsKernels(std::string_view word) {
  if (word.starts_with("DS_BUILD_")) return word.ends_with("=1");
  return word == "FORCE_CUDA=1" || word == "FLASH_ATTENTION_FORCE_BUILD=TRUE" ||
         word == "HOROVOD_GPU_OPERATIONS=NCCL" || word == "MMCV_WITH_OPS=1" ||
         word == "BUILD_CUDA_EXT=1" || word.ends_with("--cuda_ext") ||
         Contains(word, "-DGGML_CUDA=on") || Contains(word, "-DGGML_CUDA=ON") ||
         Contains(word, "-DLLAMA_CUBLAS=on");
}

// "python3 setup.py install"
bool RunsSetup(const ShellCommand& command) {
  const bool is_python = ProgramOf(command).starts_with("python");
  const bool builds = HasWord(command, "install") || HasWord(command, "develop") ||
                      HasWord(command, "build") || HasWord(command, "build_ext") ||
                      HasWord(command, "bdist_wheel");
  return is_python && builds && HasWord(command, "setup.py");
}

class Compilers {
 public:
  Compilers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      const DockerStage& root = file_.Root(i);
      const CudaImage image = DescribeImage(root.image);
      const bool is_runtime =
          image.variant == CudaVariant::kRuntime || image.variant == CudaVariant::kBase;
      const bool lacks = (image.is_known && image.variant != CudaVariant::kDevel) ||
                         (image.has_torch && is_runtime);
      if (lacks && root.is_resolved) CheckStage(i, image.major != 0 || image.has_torch);
    }
  }

 private:
  void CheckStage(std::size_t number, bool has_cuda) {
    const std::string& image = file_.Root(number).image;
    bool uses_kernels = false;  // an ENV asks for them
    for (const DockerInstruction& at : file_.stages[number].instructions) {
      const std::string script = ExecutedScript(at);
      if (!budget_.Spend(script.size())) return;
      if (at.keyword == "ENV") {
        for (const std::string& word : ShellWords(script)) {
          uses_kernels = uses_kernels || RequestsKernels(word);
        }
      }
      if (at.keyword != "RUN") continue;
      const bool installs = Contains(script, "cuda-nvcc") || Contains(script, "cuda-toolkit") ||
                            Contains(script, "conda") || Contains(script, "cuda-compiler") ||
                            Contains(script, ".run") || Contains(script, "nvidia-cuda-toolkit");
      if (installs) return;
      for (const ShellCommand& command : CommandsOf(script)) {
        if (CheckCommand(at, command, image, has_cuda, uses_kernels)) break;
      }
    }
  }

  bool CheckCommand(const DockerInstruction& run, const ShellCommand& command,
                    const std::string& image, bool has_cuda, bool uses_kernels) {
    const std::string program = ProgramOf(command);
    if (has_cuda && program == "nvcc") {
      Say(run, Severity::kError, "docker/nvcc-in-runtime",
          fmt::format("{} does not have nvcc", image));
      return true;
    }
    if (has_cuda && IsCudaBuildOfCMake(command)) {
      Say(run, Severity::kError, "docker/nvcc-in-runtime",
          fmt::format("cmake looks for a CUDA compiler, and {} does not have nvcc", image));
      return true;
    }
    const bool asks = uses_kernels || std::ranges::any_of(command, RequestsKernels);
    if (has_cuda && RunsSetup(command) && asks) {
      Say(run, Severity::kError, "docker/nvcc-in-runtime",
          fmt::format("setup.py compiles device code, and {} does not have nvcc", image));
      return true;
    }
    if (has_cuda && RunsSetup(command)) {
      Say(run, Severity::kWarning, "docker/wheel-needs-nvcc",
          fmt::format("if setup.py has an extension with device code "
                      "(torch.utils.cpp_extension), it needs nvcc, which {} does not have",
                      image));
      return true;
    }
    const std::string script = Join(command, " ");
    if (has_cuda && Contains(script, "torch.utils.cpp_extension")) {
      Say(run, Severity::kError, "docker/nvcc-in-runtime",
          fmt::format("torch.utils.cpp_extension compiles with nvcc, which {} does not have",
                      image));
      return true;
    }
    return CheckPackages(run, command, image, asks);
  }

  bool CheckPackages(const DockerInstruction& run, const ShellCommand& command,
                     const std::string& image, bool asks) {
    for (const std::string& package : PythonPackagesIn(command)) {
      if (package.ends_with(".whl")) continue;
      const std::string name = PackageName(package);
      const bool is_git = package.starts_with("git+") || Contains(package, "@ git+");
      const bool with_kernels =
          asks && (name == "deepspeed" || name == "llama-cpp-python" || name == "horovod" ||
                   name == "mmcv" || package == "." || package.starts_with("./"));
      if (!IsCompiledByPip(name) && !(is_git && IsCompiledFromGit(name)) && !with_kernels) continue;
      Say(run, Severity::kWarning, "docker/wheel-needs-nvcc",
          is_git || with_kernels
              ? fmt::format("{} is compiled, and {} does not have nvcc", name, image)
              : fmt::format("{} is compiled unless a wheel for this PyTorch, CUDA and Python is "
                            "published, and {} does not have nvcc",
                            name, image));
      artifact_.findings.back().hint =
          "build its wheel in a stage on a devel image and copy it, or install the wheel by its "
          "address";
      return true;
    }
    return false;
  }

  void Say(const DockerInstruction& run, Severity severity, std::string code, std::string message) {
    AddDockerFinding(artifact_, run, severity, std::move(code), std::move(message)).hint =
        "compile in a stage that is built on the devel image";
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

}  // namespace

bool IsCompiledByPip(std::string_view name) {
  constexpr std::string_view kPackages[] = {"flash-attn",
                                            "mamba-ssm",
                                            "causal-conv1d",
                                            "apex",
                                            "torch-scatter",
                                            "torch-sparse",
                                            "torch-cluster",
                                            "torch-spline-conv",
                                            "pytorch3d",
                                            "tinycudann",
                                            "nvdiffrast",
                                            "diff-gaussian-rasterization",
                                            "detectron2",
                                            "deepspeed-kernels",
                                            "transformer-engine-torch",
                                            "grouped-gemm",
                                            "natten",
                                            "cupy",
                                            "pycuda",
                                            "sageattention",
                                            "flash-mla",
                                            "deep-gemm",
                                            "deep-ep",
                                            "exllamav2"};
  return std::ranges::find(kPackages, name) != std::end(kPackages);
}

bool CompilesDeviceCode(std::string_view requirement) {
  if (requirement.ends_with(".whl")) return false;
  const std::string name = PackageName(requirement);
  const bool is_git = requirement.starts_with("git+") || Contains(requirement, "@ git+");
  return IsCompiledByPip(name) || name == "transformer-engine" ||
         (is_git && IsCompiledFromGit(name));
}

void CheckCompilers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Compilers(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
