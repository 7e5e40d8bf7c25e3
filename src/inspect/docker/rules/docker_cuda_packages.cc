// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/numbers.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/docker/cuda/docker_installed_cuda.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/rules/docker_rules.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

std::optional<std::uint32_t> NumberAt(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  return ParseNumber<std::uint32_t>(text.substr(0, end));
}

// "cupy-cuda12x", "jax[cuda12_local]": wheels that load the libraries of the image.
std::optional<std::uint32_t> CudaOfWheel(std::string_view requirement) {
  for (const std::string_view begin : {"cupy-cuda", "jax[cuda"}) {
    if (!requirement.starts_with(begin)) continue;
    const std::string_view rest = requirement.substr(begin.size());
    if (begin.starts_with("jax") && !Contains(rest, "_local")) return std::nullopt;
    if (begin.starts_with("cupy") && Contains(rest, "[ctk]")) return std::nullopt;
    const auto number = NumberAt(rest);
    return number && *number > 100 ? *number / 10 : number;  // cupy-cuda116
  }
  constexpr std::string_view kOnnx = "onnxruntime-gpu==";
  if (!requirement.starts_with(kOnnx)) return std::nullopt;
  // PyPI has builds for CUDA 12 since 1.19.
  return field::CompareVersions(requirement.substr(kOnnx.size()), "1.19") < 0 ? 11 : 12;
}

// Their wheels load cuDNN, and do not bring it.
bool LoadsCudnn(std::string_view requirement) {
  constexpr std::array<std::string_view, 4> kNames = {"onnxruntime-gpu", "faster-whisper",
                                                      "ctranslate2", "whisperx"};
  return IsOneOf(PackageName(requirement), kNames) && !Contains(requirement, "[");
}

class Packages {
 public:
  Packages(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      const DockerStage& root = file_.Root(i);
      const CudaImage image = DescribeImage(root.image);
      const DockerInstruction* needs_cudnn = nullptr;
      std::string package;
      bool has_cudnn = image.has_cudnn || !image.is_known || image.major == 0;
      for (const DockerInstruction& at : file_.stages[i].instructions) {
        const std::string script = ExecutedScript(at);
        if (!budget_.Spend(4 * script.size())) return;
        has_cudnn = has_cudnn || Contains(script, "cudnn") || Contains(script, "torch") ||
                    Contains(script, "conda") || at.Flag("from").has_value();
        if (at.keyword != "RUN") continue;
        CheckKey(at, script);
        for (const ShellCommand& command : CommandsOf(script)) CheckConda(at, command);
        if (!image.is_known || image.major == 0 || !root.is_resolved) continue;
        for (const ShellCommand& command : CommandsOf(script)) {
          if (AptVerb(command) == "install") CheckApt(at, command, image, root.image);
          for (const std::string& each : PythonPackagesIn(command)) {
            CheckWheel(at, each, image, root.image);
            if (needs_cudnn != nullptr || !LoadsCudnn(each)) continue;
            needs_cudnn = &at;
            package = PackageName(each);
          }
        }
      }
      if (needs_cudnn != nullptr && !has_cudnn && !file_.stages[i].base_stage) {
        SayCudnn(*needs_cudnn, package, image, root);
      }
    }
  }

 private:
  Finding& Add(const DockerInstruction& at, Severity severity, std::string code,
               std::string message) {
    return AddDockerFinding(artifact_, at, severity, std::move(code), std::move(message));
  }

  void CheckApt(const DockerInstruction& run, const ShellCommand& command, const CudaImage& image,
                const std::string& name) {
    for (const std::string& word : command) {
      const std::optional<NamedCuda> cuda = CudaOfPackage(word);
      if (!cuda) continue;
      const bool is_other = cuda->major != image.major;
      const bool is_same = !is_other && (!cuda->minor || *cuda->minor == image.minor);
      if (is_same) continue;
      const std::string release = cuda->minor ? fmt::format("{}.{}", cuda->major, *cuda->minor)
                                              : std::to_string(cuda->major);
      Add(run, is_other ? Severity::kError : Severity::kNote, "docker/cuda-mismatch",
          fmt::format("{} is for CUDA {}, and {} has CUDA {}.{}", word.substr(0, word.find('=')),
                      release, name, image.major, image.minor));
      const std::string right = cuda->minor ? fmt::format("-{}-{}", image.major, image.minor)
                                            : fmt::format("-cuda-{}", image.major);
      if (Contains(word, "+cuda")) {
        artifact_.findings.back().hint =
            fmt::format("install the build that ends with +cuda{}.{}", image.major, image.minor);
      } else if (Contains(word, "=")) {
        artifact_.findings.back().hint =
            fmt::format("install the package that ends with {}", right);
      } else {
        Replace(run, std::string(cuda->text), right);
      }
    }
  }

  // Two packages of one environment that are for different CUDA.
  void CheckConda(const DockerInstruction& run, const ShellCommand& command) {
    const std::string program = ProgramOf(command);
    if (program != "conda" && program != "mamba" && program != "micromamba") return;
    std::string first;
    field::CudaVersion cuda;
    for (const std::string& word : command) {
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const bool is_cuda = name == "pytorch-cuda" || name == "cudatoolkit" ||
                           name == "cuda-version" || name == "cuda-toolkit" || name == "cuda";
      if (!is_cuda || equals == std::string::npos) continue;
      const std::size_t number = word.find_first_not_of('=', equals);
      const auto version = number == std::string::npos
                               ? std::nullopt
                               : field::ParseCudaVersion(std::string_view(word).substr(number));
      if (!version) continue;
      if (first.empty()) {
        first = word;
        cuda = *version;
      } else if (version->major != cuda.major) {
        Add(run, Severity::kError, "docker/cuda-mismatch",
            fmt::format("{} and {} are for different CUDA: one environment has one", first, word))
            .hint = "leave one of them out";
        return;
      }
    }
  }

  // On every line, at the end of every package that has it.
  void Replace(const DockerInstruction& run, const std::string& from, const std::string& to) {
    for (const DockerLine& line : run.AllLines()) {
      const std::string text = ReplacedText(line.text, from, to);
      if (!text.empty()) CorrectDockerLine(artifact_, {.line = line.number}, {text});
    }
  }

  void CheckWheel(const DockerInstruction& run, const std::string& package, const CudaImage& image,
                  const std::string& name) {
    const std::optional<std::uint32_t> cuda = CudaOfWheel(package);
    if (!cuda || *cuda == image.major) return;
    Add(run, Severity::kWarning, "docker/cuda-mismatch",
        fmt::format("{} loads the libraries of CUDA {}, and {} has those of CUDA {}", package,
                    *cuda, name, image.major));
    const std::string from = fmt::format("cupy-cuda{}x", *cuda);
    if (!package.starts_with(from) ||
        !CorrectDockerText(artifact_, run, from, fmt::format("cupy-cuda{}x", image.major))) {
      artifact_.findings.back().hint = fmt::format(
          "install a build for CUDA {}, or take an image of CUDA {}", image.major, *cuda);
    }
  }

  void SayCudnn(const DockerInstruction& run, const std::string& package, const CudaImage& image,
                const DockerStage& root) {
    Add(run, Severity::kWarning, "docker/library-missing",
        fmt::format("{} loads cuDNN, which {} does not have: it falls back to the CPU or fails",
                    package, root.image));
    const field::CudaVersion cuda{image.major, image.minor};
    for (const std::string_view flavour : {"-runtime", "-devel", "-base"}) {
      const bool is_known = !WithVariant(root.image, "runtime").empty();
      if (cuda <= field::CudaVersion{12, 4} || !Contains(root.image, flavour) || !is_known)
        continue;
      const std::string with =
          flavour == "-base" ? "-cudnn-runtime" : fmt::format("-cudnn{}", flavour);
      CorrectDockerText(artifact_, root.instructions[0], std::string(flavour), with);
      return;
    }
    artifact_.findings.back().hint = "build on the cudnn variant of the image";
  }

  // NVIDIA signs its repositories with another key since April 2022.
  void CheckKey(const DockerInstruction& run, std::string_view script) {
    constexpr std::string_view kOld = "7fa2af80";
    if (!Contains(script, kOld) || Contains(script, "del 7fa2af80")) return;
    Add(run, Severity::kError, "docker/cuda-key",
        "NVIDIA withdrew the key 7fa2af80 in 2022: apt refuses the repository");
    if (!CorrectDockerText(artifact_, run, "7fa2af80.pub", "3bf863cc.pub")) {
      artifact_.findings.back().hint = "use 3bf863cc, or the package cuda-keyring";
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

}  // namespace

void CheckCudaPackages(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Packages(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
