// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/rules/docker_rules.h"

namespace sibyl::inspect {
namespace {

struct Setting {
  std::string name;
  std::string value;
};

// "A=1 B=2" or "A 1".
std::vector<Setting> SettingsOf(const DockerInstruction& env) {
  std::vector<Setting> settings;
  for (const std::string& word : ShellWords(env.arguments)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      const std::size_t space = env.arguments.find_first_of(" \t");
      if (!settings.empty() || space == std::string::npos) return settings;
      return {{.name = env.arguments.substr(0, space),
               .value = std::string(Trim(std::string_view(env.arguments).substr(space)))}};
    }
    settings.push_back({.name = word.substr(0, equals), .value = word.substr(equals + 1)});
  }
  return settings;
}

class Environment {
 public:
  Environment(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      const CudaImage image = DescribeImage(file_.Root(i).image);
      const bool has_cuda = image.major != 0 || image.has_torch;
      for (const DockerInstruction& at : file_.stages[i].instructions) {
        if (at.keyword != "ENV" || !budget_.Spend(at.arguments.size())) continue;
        for (const Setting& setting : SettingsOf(at)) {
          CheckPath(at, setting, has_cuda);
          CheckVisible(at, setting);
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

  // Without the old value, the folders that the image needs are not searched.
  void CheckPath(const DockerInstruction& env, const Setting& setting, bool has_cuda) {
    const bool is_path = setting.name == "PATH";
    if (!is_path && (setting.name != "LD_LIBRARY_PATH" || !has_cuda)) return;
    if (setting.value.empty() || Contains(setting.value, "$")) return;
    // A list that has the folders of the system is meant to be the whole.
    if (is_path && (setting.value.starts_with("/bin") || Contains(setting.value, ":/bin")) &&
        Contains(setting.value, "/usr/bin")) {
      return;
    }
    if (!is_path && (Contains(setting.value, "/usr/local/nvidia") ||
                     Contains(setting.value, "/usr/local/cuda"))) {
      return;
    }
    Add(env, is_path ? Severity::kError : Severity::kWarning, "docker/path-lost",
        is_path ? "PATH loses what it had: not even a shell is found after this line"
                : "LD_LIBRARY_PATH loses what the image set: the folders of CUDA and of the driver",
        "");
    if (!CorrectDockerText(artifact_, env, setting.value,
                           fmt::format("{}:${}", setting.value, setting.name))) {
      artifact_.findings.back().hint = fmt::format("end it with :${}", setting.name);
    }
  }

  void CheckVisible(const DockerInstruction& env, const Setting& setting) {
    const std::string value = LowerCase(setting.value);
    if (setting.name == "NVIDIA_VISIBLE_DEVICES" && (value == "none" || value == "void")) {
      Add(env, Severity::kWarning, "docker/gpu-hidden",
          fmt::format("NVIDIA_VISIBLE_DEVICES={} hides every GPU from the container", value), "");
      CorrectDockerText(artifact_, env, "VISIBLE_DEVICES=" + setting.value, "VISIBLE_DEVICES=all");
    } else if (setting.name == "CUDA_VISIBLE_DEVICES") {
      const bool is_none = value.empty() || value[0] == '-' || value == "none";
      Add(env, is_none ? Severity::kError : Severity::kNote, "docker/gpu-hidden",
          is_none ? std::string("CUDA_VISIBLE_DEVICES without a GPU hides all of them")
                  : fmt::format("CUDA_VISIBLE_DEVICES={} is in the image, whatever GPUs the "
                                "container is given",
                                setting.value),
          "choose GPUs when the container starts: docker run --gpus");
    } else if (setting.name == "NVIDIA_DRIVER_CAPABILITIES" && !value.empty() &&
               !Contains(value, "compute") && !Contains(value, "all") && !Contains(value, "$")) {
      Add(env, Severity::kWarning, "docker/gpu-hidden",
          "without 'compute', the container does not get libcuda, and CUDA finds no device", "");
      CorrectDockerText(artifact_, env, "CAPABILITIES=" + setting.value,
                        "CAPABILITIES=compute," + setting.value);
    } else if (setting.name == "NVIDIA_DISABLE_REQUIRE" && (value == "1" || value == "true")) {
      Add(env, Severity::kNote, "docker/require-disabled",
          "the container starts with drivers that are too old for it, and fails later",
          "leave it out: the runtime compares the driver with NVIDIA_REQUIRE_CUDA");
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

}  // namespace

void CheckEnvironment(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Environment(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
