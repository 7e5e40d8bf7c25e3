// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/docker/cuda/docker_torch_wheel.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/pip/docker_pip.h"
#include "inspect/docker/pip/image_python.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// "2.15.0" of "tensorflow[and-cuda]==2.15.0+x"; empty if it is not one whole version.
std::string WholeVersionIn(std::string_view requirement) {
  const std::size_t at = requirement.find("==");
  if (at == requirement.npos) return {};
  std::string_view version = requirement.substr(at + 2);
  version = version.substr(0, version.find_first_of("+;"));
  const bool is_whole = std::ranges::count(version, '.') == 2 &&
                        std::ranges::all_of(version, [](char c) { return IsDigit(c) || c == '.'; });
  return is_whole && IsDigit(version.back()) ? std::string(version) : std::string();
}

// "2.4" of "flash_attn-2.6.3+cu123torch2.4cxx11abiFALSE-cp311-cp311-linux_x86_64.whl".
std::string TorchOfWheelName(std::string_view name) {
  constexpr std::string_view kTorch = "torch";
  for (std::size_t at = name.find(kTorch); at != name.npos; at = name.find(kTorch, at + 1)) {
    const std::string_view rest = name.substr(at + kTorch.size());
    std::size_t end = rest.find_first_not_of("0123456789.");
    if (end == rest.npos) end = rest.size();
    std::string_view version = rest.substr(0, end);
    while (version.ends_with('.')) version.remove_suffix(1);
    if (Contains(version, ".")) return std::string(version);
  }
  return {};
}

struct WheelTag {
  std::string python;      ///< "3.11"; empty: any.
  bool is_oldest = false;  ///< A wheel with the stable ABI: newer Pythons take it too.
};

WheelTag TagOfWheel(std::string_view name) {
  constexpr std::string_view kTag = "-cp3";
  const std::size_t at = name.find(kTag);
  if (at == name.npos) return {};
  std::size_t end = at + kTag.size();
  while (end < name.size() && IsDigit(name[end])) ++end;
  if (end == at + kTag.size() || end == name.size() || name[end] != '-') return {};
  return {.python = fmt::format("3.{}", name.substr(at + kTag.size(), end - at - kTag.size())),
          .is_oldest = name.substr(end).starts_with("-abi3")};
}

// What may replace torch, or bring one that is not seen here.
bool MayReplaceTorch(const ShellCommand& command) {
  const bool is_file = std::ranges::any_of(command, [](const std::string& word) {
    return word.starts_with("-r") || word.starts_with("--requirement") || word == "-e" ||
           word == "." || word.starts_with("./") || word.starts_with(".[") ||
           word.starts_with('/') || word.starts_with("git+");
  });
  if (is_file && !HasWord(command, "--no-deps")) return true;
  return std::ranges::any_of(PythonPackagesIn(command), [](const std::string& package) {
    const std::string name = PackageName(package);
    return name == "vllm" || name == "xformers" || name == "sglang" || name == "torchtext" ||
           name == "fastai" || name == "lmdeploy" || name == "auto-gptq" || name == "unsloth";
  });
}

class WheelFit {
 public:
  WheelFit(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      const DockerStage& stage = file_.stages[i];
      const DockerStage& root = file_.Root(i);
      about_ = root.is_resolved ? DescribeImage(root.image) : CudaImage();
      image_view_ = root.image;
      python_ = PythonOfStage(file_, i, budget_);
      brings_cuda_ = BringsCuda(i);
      if (stage.base_stage && *stage.base_stage < i) {
        torch_ = torch_at_end_[*stage.base_stage];
      } else {
        torch_ = about_.has_torch && root.is_resolved ? TorchOfImage(root.image).version : "";
      }
      for (const DockerInstruction& run : stage.instructions) {
        if (run.keyword != "RUN") continue;
        const std::string script = ExecutedScript(run);
        if (!budget_.Spend(6 * script.size())) return;
        for (const ShellCommand& command : CommandsOf(script)) CheckCommand(run, command);
      }
      torch_at_end_[i] = torch_;
    }
  }

 private:
  Finding& Add(const DockerInstruction& at, Severity severity, std::string code,
               std::string message) {
    return AddDockerFinding(artifact_, at, severity, std::move(code), std::move(message));
  }

  // Libraries of CUDA that the image did not have: TensorFlow may find them.
  bool BringsCuda(std::size_t stage) {
    for (std::optional<std::size_t> at = stage; at; at = file_.stages[*at].base_stage) {
      for (const DockerInstruction& each : file_.stages[*at].instructions) {
        if (each.keyword != "RUN" && each.keyword != "COPY") continue;
        const std::string script = each.Script();
        if (!budget_.Spend(8 * script.size())) return true;
        for (const std::string_view sign :
             {"torch", "nvidia-c", "conda", "mamba", "and-cuda", "cudatoolkit", "cuda-toolkit",
              "cuda-libraries", "cuda-runtime", "cudnn", "/usr/local/cuda"}) {
          if (Contains(script, sign)) return true;
        }
      }
    }
    return false;
  }

  void CheckCommand(const DockerInstruction& run, const ShellCommand& command) {
    const std::string program = ProgramOf(command);
    if (program == "conda" || program == "mamba" || program == "micromamba") {
      torch_.clear();
      return;
    }
    const std::vector<std::string> packages = PythonPackagesIn(command);
    if (packages.empty() && !IsPipInstall(command)) return;
    const std::string python = PythonOfPip(command, python_);
    const bool installs_torch = std::ranges::any_of(
        packages, [](const std::string& package) { return PackageName(package) == "torch"; });
    if (installs_torch) torch_ = TorchVersionIn(command);
    for (const std::string& package : packages) {
      CheckCompanion(run, command, package, installs_torch);
      CheckWheelName(run, package, python);
      if (!python.empty()) CheckPython(run, package, python);
      CheckCuda(run, package);
    }
    if (MayReplaceTorch(command)) torch_.clear();
  }

  // torchvision 0.15.2 requires torch 2.0.1, and no other.
  void CheckCompanion(const DockerInstruction& run, const ShellCommand& command,
                      const std::string& package, bool installs_torch) {
    const std::string name = PackageName(package);
    const std::string version = WholeVersionIn(package);
    if ((name != "torchvision" && name != "torchaudio") || version.empty()) return;
    const auto list = [&](const field::TorchCompanions& row) -> const auto& {
      return name == "torchvision" ? row.torchvision : row.torchaudio;
    };
    const auto has = [&](const field::TorchCompanions& row) {
      return std::ranges::find(list(row), version) != list(row).end();
    };
    const field::TorchCompanions* own = field::FindTorchCompanions(torch_);
    const auto rows = field::TorchCompanionRows();
    const auto other = std::ranges::find_if(rows, has);
    if (own == nullptr || other == rows.end() || has(*own)) return;
    const std::string there(torch_);
    Add(run, Severity::kError, "docker/torch-companion",
        installs_torch
            ? fmt::format("{} {} requires torch {}, and the command installs torch {}: the build "
                          "fails",
                          name, version, other->torch, there)
        : HasWord(command, "--no-deps")
            ? fmt::format("{} {} is for torch {}, and torch {} is installed: it does not load",
                          name, version, other->torch, there)
            : fmt::format("{} {} requires torch {}, and replaces the torch {} that is installed",
                          name, version, other->torch, there));
    const std::string right(list(*own).back());
    if (!CorrectDockerText(artifact_, run, fmt::format("{}=={}", name, version),
                           fmt::format("{}=={}", name, right))) {
      artifact_.findings.back().hint = fmt::format("torch {} goes with {} {}", there, name, right);
    }
  }

  void CheckWheelName(const DockerInstruction& run, const std::string& package,
                      const std::string& python) {
    if (!Contains(package, ".whl")) return;
    const std::string_view name = std::string_view(package).substr(package.rfind('/') + 1);
    const std::string torch = TorchOfWheelName(name);
    if (!torch.empty() && !torch_.empty() && field::CompareVersions(torch, torch_) != 0) {
      Add(run, Severity::kError, "docker/torch-companion",
          fmt::format("the wheel was compiled for torch {}, and torch {} is installed: it does not "
                      "load",
                      torch, torch_))
          .hint = fmt::format("take the wheel for torch {}, or install torch {}",
                              torch_.substr(0, torch_.rfind('.')), torch);
    }
    const WheelTag tag = TagOfWheel(name);
    if (tag.python.empty() || python.empty()) return;
    const int order = field::CompareVersions(python, tag.python);
    if (order == 0 || (tag.is_oldest && order > 0)) return;
    Add(run, Severity::kError, "docker/wheel-python",
        fmt::format("the wheel is for Python {}, and pip installs into Python {}: the build fails",
                    tag.python, python))
        .hint =
        fmt::format("take the wheel for Python {}, or an image with Python {}", python, tag.python);
  }

  void CheckPython(const DockerInstruction& run, const std::string& package,
                   const std::string& python) {
    std::string name = PackageName(package);
    if (name == "tensorflow-gpu" || name == "tensorflow-cpu") name = "tensorflow";
    if (name == "jaxlib") name = "jax";
    const std::string version = WholeVersionIn(package);
    if (version.empty() || Contains(package, "://")) return;
    const field::Framework* row = field::FindFramework(name, version);
    if (row == nullptr) return;
    const bool is_old = field::CompareVersions(python, row->first_python) < 0;
    if (!is_old && field::CompareVersions(python, row->last_python) <= 0) return;
    Add(run, Severity::kError, "docker/wheel-python",
        fmt::format("{} {} has no wheels for Python {}, only for {} to {}: the build fails", name,
                    version, python, row->first_python, row->last_python))
        .hint = fmt::format("take an image with Python {}, or {} release of {}",
                            is_old ? row->first_python : row->last_python,
                            is_old ? "an older" : "a newer", name);
  }

  // TensorFlow loads the CUDA of its build by name, and goes on without a GPU if it is not there.
  void CheckCuda(const DockerInstruction& run, const std::string& package) {
    const std::string name = PackageName(package);
    const bool is_it = name == "tensorflow" || name == "tensorflow-gpu";
    if (!is_it || Contains(package, "[") || brings_cuda_ || about_.major == 0 || !about_.is_known) {
      return;
    }
    const std::string version = WholeVersionIn(package);
    const field::Framework* row = field::FindFramework("tensorflow", version);
    if (version.empty() || row == nullptr || row->cuda.major == about_.major) return;
    Add(run, Severity::kWarning, "docker/cuda-mismatch",
        fmt::format("tensorflow {} loads the libraries of CUDA {}, and {} has those of CUDA {}.{}: "
                    "it does not use the GPU",
                    version, row->cuda.major, image_view_, about_.major, about_.minor))
        .hint = field::CompareVersions(version, "2.14") >= 0
                    ? fmt::format("install tensorflow[and-cuda]=={}, which brings them", version)
                    : fmt::format("take an image of CUDA {}", Format(row->cuda));
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
  std::map<std::size_t, std::string> torch_at_end_;  ///< By stage.
  // Of the stage that is checked.
  std::string_view image_view_;  ///< Of file_.
  CudaImage about_;
  std::string python_;
  std::string torch_;  ///< "2.5.1", that is installed; empty: unknown.
  bool brings_cuda_ = false;
};

}  // namespace

void CheckWheelFit(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  WheelFit(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
