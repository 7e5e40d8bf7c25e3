// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <optional>

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

// 15 of "gcc-15", "/usr/bin/g++-15" and "gcc-toolset-15-gcc-c++".
std::optional<std::uint32_t> GccIn(std::string_view word) {
  word = word.substr(word.rfind('/') + 1);
  for (const std::string_view name : {"g++-", "gcc-toolset-", "gcc-"}) {
    if (!word.starts_with(name)) continue;
    const std::string_view number = word.substr(name.size());
    const std::size_t end = number.find_first_not_of("0123456789");
    const bool is_package = end == number.npos || number[end] == '-' || number[end] == '=';
    return is_package ? ParseNumber<std::uint32_t>(number.substr(0, end)) : std::nullopt;
  }
  return std::nullopt;
}

// "-ccbin=g++-15", "CUDAHOSTCXX=g++-15", "-DCMAKE_CUDA_HOST_COMPILER=/usr/bin/g++-15"
std::optional<std::uint32_t> GccForNvcc(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == word.npos) return std::nullopt;
  const std::string_view name = word.substr(0, equals);
  const bool is_host = name == "CUDAHOSTCXX" || name == "NVCC_CCBIN" || name == "-ccbin" ||
                       name == "--compiler-bindir" ||
                       name.starts_with("-DCMAKE_CUDA_HOST_COMPILER");
  return is_host ? GccIn(word.substr(equals + 1)) : std::nullopt;
}

class HostCompilers {
 public:
  HostCompilers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) CheckStage(i);
  }

 private:
  struct Named {
    const DockerInstruction* at = nullptr;
    std::uint32_t gcc = 0;
  };

  // The toolkit of the image, or the one that the stage installs.
  field::CudaVersion ToolkitOf(std::size_t number, const std::vector<std::string>& scripts) const {
    const std::string& image = file_.Root(number).image;
    const CudaImage about = DescribeImage(image);
    if (about.variant == CudaVariant::kDevel) return {about.major, about.minor};
    for (const std::string& script : scripts) {
      const std::optional<InstalledCuda> installed = InstalledCudaIn(script, image);
      if (installed && installed->cuda.major != 0) return installed->cuda;
    }
    return {};
  }

  void CheckStage(std::size_t number) {
    const std::vector<DockerInstruction>& instructions = file_.stages[number].instructions;
    std::vector<std::string> scripts;
    Named installed;
    Named given;  // to nvcc
    for (const DockerInstruction& at : instructions) {
      scripts.push_back(ExecutedScript(at));
      if (!budget_.Spend(3 * scripts.back().size())) return;
      if (Contains(scripts.back(), "allow-unsupported-compiler")) return;
      if (at.keyword != "RUN" && at.keyword != "ENV") continue;
      for (const ShellCommand& command : CommandsOf(scripts.back()))
        Read(at, command, installed, given);
    }
    const Named& used = given.at != nullptr ? given : installed;
    if (used.at == nullptr) return;
    const field::CudaVersion cuda = ToolkitOf(number, scripts);
    const field::HostCompiler* newest = field::FindHostCompiler(cuda);
    if (newest == nullptr || used.gcc <= newest->gcc) return;
    const bool is_sure = given.at != nullptr && newest->receipts.is_confirmed;
    AddDockerFinding(artifact_, *used.at, is_sure ? Severity::kError : Severity::kWarning,
                     "docker/host-compiler",
                     fmt::format("nvcc of CUDA {} refuses GCC {}: the newest that it accepts is {}",
                                 Format(cuda), used.gcc, newest->gcc))
        .hint =
        fmt::format("install g++-{0}, and give it to nvcc: ENV NVCC_CCBIN=g++-{0}", newest->gcc);
  }

  static void Read(const DockerInstruction& at, const ShellCommand& command, Named& installed,
                   Named& given) {
    constexpr std::array<std::string_view, 6> kManagers = {"apt-get",  "apt", "dnf",
                                                           "microdnf", "yum", "zypper"};
    const bool installs = IsOneOf(ProgramOf(command), kManagers) && HasWord(command, "install");
    for (std::size_t i = 0; i < command.size(); ++i) {
      std::optional<std::uint32_t> gcc = GccForNvcc(command[i]);
      const bool is_option = command[i] == "-ccbin" || command[i] == "--compiler-bindir";
      if (is_option && i + 1 < command.size()) gcc = GccIn(command[i + 1]);
      if (gcc) given = {&at, *gcc};
      const auto package = installs ? GccIn(command[i]) : std::nullopt;
      // Of several, nvcc may be given the oldest.
      if (package && (installed.at == nullptr || *package < installed.gcc)) {
        installed = {&at, *package};
      }
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

}  // namespace

void CheckHostCompilers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  HostCompilers(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
