// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_frameworks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/docker/cuda/docker_final_cuda.h"
#include "inspect/docker/docker_compilers.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// Packages that require one release of torch, and install it.
bool BringsTorch(std::string_view name) {
  constexpr std::string_view kPackages[] = {"torchvision", "torchaudio", "xformers", "vllm",
                                            "sglang",      "torchtext",  "torchao"};
  return std::ranges::find(kPackages, name) != std::end(kPackages);
}

// Images with a framework that was built for the CUDA in them; not nvcr.io/nvidia/l4t-base.
bool IsFrameworkOfNvidia(std::string_view image) {
  constexpr std::string_view kRegistry = "nvcr.io/nvidia/";
  if (!image.starts_with(kRegistry)) return false;
  const std::string_view name = image.substr(kRegistry.size());
  constexpr std::string_view kFrameworks[] = {"pytorch",      "tensorflow", "jax",
                                              "tritonserver", "tensorrt",   "nemo",
                                              "cuda-dl-base", "mxnet",      "physicsnemo"};
  return std::ranges::find(kFrameworks, name.substr(0, name.find(':'))) != std::end(kFrameworks);
}

struct CpuBuild {
  std::string_view package;
  std::string_view instead;
};

constexpr CpuBuild kCpuBuilds[] = {{"tensorflow-cpu", "tensorflow[and-cuda]"},
                                   {"faiss-cpu", "faiss-gpu-cu12"},
                                   {"onnxruntime", "onnxruntime-gpu"},
                                   {"paddlepaddle", "paddlepaddle-gpu"}};

// "2.9.0" of "torch==2.9.0+cu130"; empty without a version.
std::string VersionIn(std::string_view requirement) {
  const std::size_t at = requirement.find("==");
  if (at == requirement.npos) return {};
  const std::string_view version = requirement.substr(at + 2);
  return std::string(version.substr(0, version.find_first_of("+,;")));
}

class Frameworks {
 public:
  Frameworks(const Dockerfile& file, const InspectOptions& options, ScriptBudget& budget,
             Artifact& artifact)
      : file_(file), wants_gpu_(!options.gpus.empty()), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      const DockerStage& root = file_.Root(i);
      if (!root.is_resolved) continue;
      image_view_ = root.image;
      about_ = DescribeImage(root.image);
      is_nvidias_ = IsFrameworkOfNvidia(root.image);
      installs_toolkit_ = false;
      torch_cuda_ = {};
      sets_extensions_ = overrides_conda_ = false;
      has_libraries_ = about_.variant != CudaVariant::kBase && about_.has_cudnn;
      for (const DockerInstruction& at : file_.stages[i].instructions) {
        const std::string script = ExecutedScript(at);
        if (!budget_.Spend(script.size())) return;
        if (at.keyword == "ENV") CheckToolkitFolder(at);
        sets_extensions_ = sets_extensions_ || Contains(script, "TORCH_CUDA_ARCH_LIST") ||
                           Contains(script, "FORCE_CUDA");
        overrides_conda_ = overrides_conda_ || Contains(script, "CONDA_OVERRIDE_CUDA");
        if (at.keyword != "RUN") continue;
        // Another toolkit may be put beside that of the image.
        installs_toolkit_ = installs_toolkit_ || Contains(script, "cuda-toolkit") ||
                            Contains(script, ".run") || Contains(script, "conda") ||
                            Contains(script, "/usr/local/cuda");
        has_libraries_ = has_libraries_ || Contains(script, "cudnn") || Contains(script, "conda");
        const std::size_t before = artifact_.findings.size();
        for (const ShellCommand& command : CommandsOf(script)) {
          if (artifact_.findings.size() > before) break;  // one for a RUN is enough
          CheckSystemPackages(at, command);
          CheckPythonPackages(at, command);
          CheckToolkitOfTorch(at, command);
          CheckConda(at, command);
        }
      }
    }
  }

 private:
  void Add(const DockerInstruction& at, Severity severity, std::string code, std::string message,
           std::string hint) {
    AddDockerFinding(artifact_, at, severity, std::move(code), std::move(message)).hint =
        std::move(hint);
  }

  // NVIDIA's images were tested with the cuDNN, NCCL and CUDA that they have.
  void CheckSystemPackages(const DockerInstruction& run, const ShellCommand& command) {
    if (AptVerb(command) != "install") return;
    for (const std::string& word : command) {
      const bool is_cudnn = word.starts_with("libcudnn") || word.starts_with("cudnn");
      const bool is_nccl = word.starts_with("libnccl");
      const bool is_cuda = word == "cuda" || word.starts_with("cuda-toolkit") ||
                           (word.starts_with("cuda-") && word.size() > 5 && IsDigit(word[5])) ||
                           word == "nvidia-cuda-toolkit";
      const bool is_there = is_nvidias_ ? is_cudnn || is_nccl || is_cuda
                                        : about_.has_cudnn && about_.is_known && is_cudnn;
      if (is_there && !word.ends_with("-dev")) {
        Add(run, Severity::kWarning, "docker/cuda-replaced",
            fmt::format("{} replaces what {} has and was built with", word, image_view_),
            "leave it out, or take an image with the version that you need");
        return;
      }
      // Ubuntu's own toolkit, of another release.
      if (word == "nvidia-cuda-toolkit" && about_.major != 0) {
        Add(run, Severity::kWarning, "docker/cuda-replaced",
            fmt::format("{} is the toolkit of the distribution, of another release than CUDA {}.{}",
                        word, about_.major, about_.minor),
            fmt::format("build on a devel image, or install cuda-toolkit-{}-{}", about_.major,
                        about_.minor));
        return;
      }
    }
  }

  void CheckPythonPackages(const DockerInstruction& run, const ShellCommand& command) {
    const bool keeps = HasWord(command, "--no-deps");
    const bool is_cpu_index = std::ranges::any_of(
        command, [](const std::string& word) { return word.ends_with("/whl/cpu"); });
    for (const std::string& package : PythonPackagesIn(command)) {
      const std::string name = PackageName(package);
      const bool is_torch = name == "torch" || (BringsTorch(name) && !keeps);
      const bool is_cpu = is_cpu_index || Contains(package, "+cpu");
      if (is_torch && is_cpu && HasCuda()) {
        SayCpu(run, command, name);
        return;
      }
      if (is_torch && CheckTorch(run, package, name)) return;
      if (is_nvidias_ && name.starts_with("nvidia-cudnn")) {
        Add(run, Severity::kWarning, "docker/cuda-replaced",
            fmt::format("{} is a second cuDNN beside that of {}", name, image_view_),
            "leave it out: the image has cuDNN");
        return;
      }
      const bool is_local =
          name == "jax" && Contains(package, "[cuda") && Contains(package, "_local]");
      if (is_local && about_.major != 0 && !about_.has_torch && !has_libraries_) {
        const bool is_base = about_.variant == CudaVariant::kBase;
        Add(run, Severity::kWarning, "docker/library-missing",
            fmt::format("{} uses the CUDA libraries of the image, and {} does not have {}", package,
                        image_view_, is_base ? "cuBLAS and cuDNN" : "cuDNN"),
            "build on a cudnn-runtime image, or install jax with the CUDA wheels: jax[cuda12]");
        return;
      }
      const auto cpu = std::ranges::find(kCpuBuilds, name, &CpuBuild::package);
      if (cpu != std::end(kCpuBuilds) && HasCuda()) {
        Add(run, Severity::kNote, "docker/cpu-wheel",
            fmt::format("{} does not use the GPU, and {} has CUDA", name, image_view_),
            fmt::format("install {}, or build on an image without CUDA", cpu->instead));
        return;
      }
    }
  }

  // torch.utils.cpp_extension compares the major versions and stops.
  void CheckToolkitOfTorch(const DockerInstruction& run, const ShellCommand& command) {
    const std::vector<std::string> packages = PythonPackagesIn(command);
    if (about_.major == 0 || installs_toolkit_) return;
    const field::CudaVersion named = CudaOfIndex(Join(command, " "));
    std::string compiled;
    for (const std::string& package : packages) {
      const std::string name = PackageName(package);
      if (name == "torch") torch_cuda_ = named;
      if (compiled.empty() && IsCompiledByPip(name)) compiled = name;
    }
    if (compiled.empty() && CompilesExtension(command)) compiled = "an extension";
    const bool differs = torch_cuda_.major != 0 && torch_cuda_.major != about_.major;
    if (!differs || about_.variant != CudaVariant::kDevel || compiled.empty()) return;
    Add(run, Severity::kWarning, "docker/torch-toolkit",
        fmt::format("{} is compiled with CUDA {}.{}, and the installed torch is for CUDA {}: "
                    "torch.utils.cpp_extension refuses that",
                    compiled, about_.major, about_.minor, Format(torch_cuda_)),
        fmt::format("install torch from .../whl/cu{}{}, or build on a devel image of CUDA {}",
                    about_.major, about_.minor, Format(torch_cuda_)));
  }

  // Sources in a folder, in a stage that sets what builds of extensions read.
  bool CompilesExtension(const ShellCommand& command) const {
    const bool is_script =
        HasPhrase(command, "setup.py install") || HasPhrase(command, "setup.py develop") ||
        HasPhrase(command, "setup.py build_ext") || HasPhrase(command, "setup.py bdist_wheel");
    const bool is_folder =
        IsPipInstall(command) && HasWord(command, "--no-build-isolation") &&
        std::ranges::any_of(command, [](const std::string& word) {
          return word == "." || word == "./" || word == "-e" || word.starts_with("git+");
        });
    const bool names_cuda = std::ranges::any_of(
        command, [](const std::string& word) { return Contains(word, "--cuda_ext"); });
    return names_cuda || (sets_extensions_ && (is_script || is_folder));
  }

  void CheckConda(const DockerInstruction& run, const ShellCommand& command) {
    const std::string program = ProgramOf(command);
    const bool is_conda = program == "conda" || program == "mamba" || program == "micromamba";
    if (!is_conda || !(HasCuda() || wants_gpu_)) return;
    CheckCondaForge(run, command, program);
    if (!HasWord(command, "cpuonly") || !HasCuda()) return;
    Add(run, Severity::kWarning, "docker/cpu-wheel",
        fmt::format("cpuonly makes {} install PyTorch without CUDA, and {} has CUDA", program,
                    image_view_),
        "leave cpuonly out, or build on an image without CUDA");
  }

  // Its solver takes a build with CUDA only where it sees a driver.
  void CheckCondaForge(const DockerInstruction& run, const ShellCommand& command,
                       const std::string& program) {
    const bool is_forge =
        HasWord(command, "conda-forge") || HasWord(command, "--channel=conda-forge");
    const bool names_other = std::ranges::any_of(command, [](const std::string& word) {
      return word == "pytorch-gpu" || word == "nvidia" || Contains(word, "cuda") ||
             word == "cpuonly" || word == "pytorch-cpu";
    });
    const auto torch = std::ranges::find_if(command, [](const std::string& word) {
      return word.substr(0, word.find_first_of("=<>")) == "pytorch";
    });
    if (!is_forge || names_other || overrides_conda_ || torch == command.end()) return;
    // "-c pytorch" is a channel.
    if (torch != command.begin() && (*std::prev(torch) == "-c" || *std::prev(torch) == "--channel"))
      return;
    Add(run, Severity::kWarning, "docker/cpu-wheel",
        fmt::format("conda-forge has {} with and without CUDA, and {} takes the one without: no "
                    "driver is visible while the image is built",
                    *torch, program),
        about_.major == 0 ? "put CONDA_OVERRIDE_CUDA=12.4 before the command, or name a build: "
                            "'pytorch=*=cuda*'"
                          : "");
    const std::string call = fmt::format("{} install", program);
    if (about_.major == 0) return;
    if (!CorrectDockerText(
            artifact_, run, call,
            fmt::format("CONDA_OVERRIDE_CUDA={}.{} {}", about_.major, about_.minor, call))) {
      artifact_.findings.back().hint = "put CONDA_OVERRIDE_CUDA=VERSION before the command";
    }
  }

  bool HasCuda() const { return about_.major != 0 || about_.has_torch; }

  void SayCpu(const DockerInstruction& run, const ShellCommand& command, std::string_view name) {
    Add(run, Severity::kWarning, "docker/cpu-wheel",
        fmt::format("a build of {} without CUDA is installed in {}", name, image_view_), "");
    Finding& finding = artifact_.findings.back();
    const auto index = std::ranges::find_if(
        command, [](const std::string& word) { return word.ends_with("/whl/cpu"); });
    if (about_.has_torch) {
      finding.hint = "leave it out: the image has PyTorch with CUDA";
      return;
    }
    finding.hint =
        fmt::format("take the index of its CUDA, .../whl/cu{}{}", about_.major, about_.minor);
    if (index == command.end()) return;
    for (std::size_t i = 0; i < run.lines.size(); ++i) {
      const std::size_t at = run.lines[i].find("/whl/cpu");
      if (at == std::string::npos) continue;
      std::string line = run.lines[i];
      line.replace(at, 8, fmt::format("/whl/cu{}{}", about_.major, about_.minor));
      CorrectDockerLine(artifact_, {.line = run.line + i}, {line});
    }
  }

  // The images of NVIDIA have builds of PyTorch that are not on PyPI; those of PyTorch have the one
  // that their tag names.
  bool CheckTorch(const DockerInstruction& run, std::string_view package, std::string_view name) {
    if (!about_.has_torch) return false;
    if (!is_nvidias_) {
      const std::string version = name == "torch" ? VersionIn(package) : std::string();
      const std::size_t colon = image_view_.rfind(':');
      const std::string_view tag = image_view_.substr(colon + 1);
      if (name != "torch" || (!version.empty() && tag.starts_with(version + "-"))) return false;
    }
    const std::string by = name == "torch" ? std::string("one from PyPI")
                                           : fmt::format("the one that {} requires", name);
    Add(run, Severity::kWarning, "docker/torch-replaced",
        fmt::format("the torch of {} is replaced by {}", image_view_, by),
        name == "torch" ? "leave torch out of the command"
                        : "the image may have it already; otherwise install it with --no-deps");
    return true;
  }

  // "ENV CUDA_HOME=/usr/local/cuda-11.8" in an image of CUDA 12.8.
  void CheckToolkitFolder(const DockerInstruction& env) {
    constexpr std::string_view kFolder = "/usr/local/cuda-";
    if (about_.major == 0 || installs_toolkit_) return;
    for (std::size_t i = 0; i < env.lines.size(); ++i) {
      const std::size_t at = env.lines[i].find(kFolder);
      if (at == std::string::npos) continue;
      const std::string_view rest = std::string_view(env.lines[i]).substr(at + kFolder.size());
      const std::string_view version = rest.substr(0, rest.find_first_not_of("0123456789."));
      const std::optional<field::CudaVersion> named =
          field::ParseCudaVersion(std::string(version) + (Contains(version, ".") ? "" : ".0"));
      if (!named || named->major == 0) continue;
      const bool is_same =
          named->major == about_.major && (!Contains(version, ".") || named->minor == about_.minor);
      if (is_same) continue;
      Add(env, Severity::kError, "docker/cuda-home",
          fmt::format("{}{} does not exist: {} has CUDA {}.{}", kFolder, version, image_view_,
                      about_.major, about_.minor),
          "");
      const std::string folder = fmt::format("{}{}", kFolder, version);
      CorrectDockerLine(artifact_, {.line = env.line + i},
                        {ReplacedText(env.lines[i], folder, "/usr/local/cuda")});
      return;
    }
  }

  const Dockerfile& file_;
  const bool wants_gpu_;  ///< --gpu was given.
  ScriptBudget& budget_;
  Artifact& artifact_;
  // Of the stage that is checked.
  std::string_view image_view_;  ///< Of file_.
  CudaImage about_;
  bool is_nvidias_ = false;  ///< An image of a framework from NVIDIA's registry.
  bool installs_toolkit_ = false;
  bool has_libraries_ = false;    ///< cuBLAS and cuDNN.
  bool sets_extensions_ = false;  ///< A line sets what builds of extensions read.
  bool overrides_conda_ = false;
  field::CudaVersion torch_cuda_;  ///< Of the torch that was installed; {0, 0}: unknown.
};

}  // namespace

void CheckFrameworks(const Dockerfile& file, const InspectOptions& options, ScriptBudget& budget,
                     Artifact& artifact) {
  Frameworks(file, options, budget, artifact).Check();
}

}  // namespace sibyl::inspect
