// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/rules/docker_mistakes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

bool IsOperator(std::string_view word) {
  return word == "&&" || word == "||" || word == ";" || word == "|" || word == "&";
}

constexpr std::string_view kAtStart = "check it when the container starts, or leave it out";

bool IsOneLine(const DockerInstruction& at) { return !at.text.ends_with('\\') && at.here.empty(); }

class Mistakes {
 public:
  Mistakes(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      CheckIgnoredCommand(file_.stages[i]);
      for (const DockerInstruction& at : file_.stages[i].instructions) {
        const std::string script = ExecutedScript(at);
        if (!budget_.Spend(script.size())) return;
        if (at.keyword == "CMD" || at.keyword == "ENTRYPOINT") CheckQuotes(at);
        if (at.keyword == "EXPOSE") CheckPorts(at);
        if (at.keyword != "RUN") continue;
        const std::vector<std::string> words = ShellWords(script);
        CheckLost(at, words);
        CheckDriver(at, words);
        CheckGpuUse(at, script);
        CheckNative(at, words);
        if (i + 1 == file_.stages.size()) CheckRemoval(i, at, script);
      }
    }
  }

 private:
  Finding& Add(const DockerInstruction& at, Severity severity, std::string code,
               std::string message) {
    return AddDockerFinding(artifact_, at, severity, std::move(code), std::move(message));
  }

  // CMD ['python', 'x.py'] is not JSON, and a shell looks for a program "[python,".
  void CheckQuotes(const DockerInstruction& at) {
    const std::string_view arguments = Trim(at.arguments);
    if (!arguments.starts_with('[') || !arguments.ends_with(']')) return;
    const std::string_view inside = Trim(arguments.substr(1));
    if (!inside.starts_with('\'')) return;
    Add(at, Severity::kError, "docker/json-quotes",
        fmt::format("JSON needs double quotes: this {} is run by a shell, which does not find '['",
                    at.keyword));
    if (!IsOneLine(at) || Contains(at.text, "\"")) return;
    std::string line = at.text;
    std::ranges::replace(line, '\'', '"');
    CorrectDockerLine(artifact_, at, {line});
  }

  void CheckPorts(const DockerInstruction& at) {
    for (const std::string& word : ShellWords(at.arguments)) {
      const std::string port = word.substr(0, word.find_first_of("/-"));
      const bool is_number =
          !port.empty() && std::ranges::all_of(port, [](char c) { return IsDigit(c); });
      if (!is_number || (port.size() <= 5 && std::stoul(port) <= 65535)) continue;
      Add(at, Severity::kError, "docker/port",
          fmt::format("{} is not a valid port: the largest is 65535", port))
          .hint = "write the port on which the program listens";
    }
  }

  // A shell runs it, without the arguments of CMD.
  void CheckIgnoredCommand(const DockerStage& stage) {
    const DockerInstruction* entry = nullptr;
    const DockerInstruction* command = nullptr;
    for (const DockerInstruction& at : stage.instructions) {
      if (at.keyword == "ENTRYPOINT") entry = &at;
      if (at.keyword == "CMD") command = &at;
    }
    if (entry == nullptr || command == nullptr || entry->arguments.empty()) return;
    if (Trim(entry->arguments).starts_with('[')) return;
    Add(*command, Severity::kWarning, "docker/no-effect",
        fmt::format("the ENTRYPOINT of line {} is run by a shell, which ignores this CMD",
                    entry->line))
        .hint = "write the ENTRYPOINT as a JSON list";
  }

  // "RUN cd /x" and "RUN export A=b" alone: the next line starts anew.
  void CheckLost(const DockerInstruction& run, const std::vector<std::string>& words) {
    if (words.size() < 2 || !run.here.empty()) return;
    if (std::ranges::any_of(words, [](const std::string& w) {
          return IsOperator(w) || w.find_first_of(";&|<>") != std::string::npos;
        })) {
      return;
    }
    if (words[0] == "cd" && words.size() == 2) {
      Add(run, Severity::kWarning, "docker/lost-after-run",
          "the next instruction does not start in this folder");
      if (IsOneLine(run)) CorrectDockerLine(artifact_, run, {"WORKDIR " + words[1]});
    }
    const bool is_export = words[0] == "export" && words[1].find('=') != std::string::npos;
    if (!is_export) return;
    Add(run, Severity::kWarning, "docker/lost-after-run",
        "the next instruction does not have this variable");
    const std::size_t at = run.text.find("export ");
    const bool has_command = Contains(run.text, "$(") || Contains(run.text, "`");
    if (IsOneLine(run) && at != std::string::npos && !has_command) {
      CorrectDockerLine(artifact_, run, {"ENV " + run.text.substr(at + 7)});
    }
  }

  void CheckDriver(const DockerInstruction& run, const std::vector<std::string>& words) {
    if (std::ranges::find(words, "install") == words.end()) return;
    for (const std::string& word : words) {
      const bool is_driver =
          word == "nvidia-driver" || word == "cuda-drivers" || word.starts_with("nvidia-driver-") ||
          word.starts_with("cuda-drivers-") || word.starts_with("nvidia-dkms-") ||
          word.starts_with("libnvidia-compute-");
      if (!is_driver) continue;
      Add(run, Severity::kWarning, "docker/driver-in-image",
          fmt::format("{} is a part of the driver, which containers get from the host", word))
          .hint = "leave it out, and start the container with --gpus all";
      return;
    }
  }

  void CheckNative(const DockerInstruction& run, const std::vector<std::string>& words) {
    bool calls = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      calls = calls || word == "nvcc" || word.ends_with("/nvcc");
      const bool is_pair = (word == "-arch" || word == "--gpu-architecture") &&
                           i + 1 < words.size() && words[i + 1] == "native";
      const bool is_nvcc =
          calls && (is_pair || word == "-arch=native" || word == "--gpu-architecture=native");
      const bool is_cmake =
          word.starts_with("-DCMAKE_CUDA_ARCHITECTURES") && word.ends_with("=native");
      if (!is_nvcc && !is_cmake) continue;
      Add(run, Severity::kWarning, "docker/gpu-at-build",
          "'native' means the GPU of this machine, and there is none while an image is built")
          .hint = "name the architectures of the GPUs that it will run on";
      return;
    }
  }

  // A layer cannot take anything out of those below it.
  void CheckRemoval(std::size_t stage, const DockerInstruction& run, std::string_view script) {
    constexpr std::string_view kToolkit = "/usr/local/cuda";
    const std::string& image = file_.Root(stage).image;
    if (DescribeImage(image).major == 0 || Contains(script, "install") ||
        Contains(script, "curl") || Contains(script, "wget") || Contains(script, ".run")) {
      return;
    }
    for (const ShellCommand& command : CommandsOf(script)) {
      if (ProgramOf(command) != "rm") continue;
      const auto path = std::ranges::find_if(
          command, [&](const std::string& word) { return word.starts_with(kToolkit); });
      if (path == command.end()) continue;
      Add(run, Severity::kWarning, "docker/removed-too-late",
          fmt::format("removing {} does not make the image smaller: the layers of {} keep it",
                      *path, image))
          .hint = "build on a smaller variant of the image (base or runtime)";
      return;
    }
  }

  // A build sees no GPU unless the daemon was set up for it.
  void CheckGpuUse(const DockerInstruction& run, std::string_view script) {
    const std::vector<ShellCommand> commands = CommandsOf(script);
    if (Contains(script, "||")) return;
    for (const ShellCommand& command : commands) {
      if (ProgramOf(command) != "nvidia-smi") continue;
      Add(run, Severity::kWarning, "docker/gpu-at-build",
          "nvidia-smi fails while an image is built: there is no GPU and no driver")
          .hint = kAtStart;
      return;
    }
    std::string python;  // what is run by it
    for (const ShellCommand& command : commands) {
      if (!ProgramOf(command).starts_with("python")) continue;
      const auto option = std::ranges::find(command, "-c");
      if (option != command.end() && std::next(option) != command.end()) {
        python += *std::next(option);
      } else if (!run.here.empty()) {
        for (const std::string& body : run.here) python += body;
      }
    }
    for (const std::string_view use :
         {"torch.cuda.is_available()", "torch.cuda.get_device", "torch.cuda.current_device",
          ".cuda()", "device='cuda'", "device=\"cuda\"", "device(\"cuda\")", "device('cuda')",
          ".to('cuda", ".to(\"cuda", "list_physical_devices('GPU')",
          "list_physical_devices(\"GPU\")", "jax.devices('gpu')", "jax.devices(\"gpu\")"}) {
      if (!Contains(python, use)) continue;
      const bool only_asks = use == "torch.cuda.is_available()" || use.starts_with("list_");
      Add(run, Severity::kWarning, "docker/gpu-at-build",
          only_asks ? fmt::format("{} finds no GPU while an image is built: there is none", use)
                    : fmt::format("{} needs a GPU, and there is none while an image is built", use))
          .hint = kAtStart;
      return;
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

}  // namespace

void CheckMistakes(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Mistakes(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
