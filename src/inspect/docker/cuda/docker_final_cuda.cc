// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/cuda/docker_final_cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/ascii.h"
#include "base/strings.h"
#include "inspect/docker/cuda/docker_installed_cuda.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// Installs what a file names, or what a folder contains: "pip install -r x", "uv sync", "x.sh".
bool InstallsUnknown(const ShellCommand& command) {
  const std::string program = ProgramOf(command);
  for (const std::string_view manager :
       {"poetry", "pipenv", "pdm", "pixi", "conda", "mamba", "micromamba"}) {
    if (program == manager) return true;
  }
  if (program == "uv" && HasWord(command, "sync")) return true;
  if (std::ranges::any_of(command, [](const auto& word) { return word.ends_with(".sh"); })) {
    return true;
  }
  const bool is_pip = IsPipInstall(command) || (program == "uv" && HasWord(command, "pip"));
  return is_pip && std::ranges::any_of(command, [](const std::string& word) {
           return word.starts_with("-r") || word.starts_with("--requirement") || word == "-e" ||
                  word.ends_with(".whl") || word.starts_with('.') || word.starts_with('/');
         });
}

class FinalSearch {
 public:
  FinalSearch(const Dockerfile& file, ScriptBudget& budget) : file_(file), budget_(budget) {}

  FinalCuda Find() {
    const std::size_t last = file_.stages.size() - 1;
    const DockerStage& root = file_.Root(last);
    const CudaImage image = DescribeImage(root.image);
    const FinalCuda wheel = FindWheel(last);
    FinalCuda found;
    const bool is_plain = image.is_known && image.variant == CudaVariant::kNone && image.major == 0;
    if (wheel.cuda.major != 0 || (is_plain && wheel.at != nullptr)) {
      found = wheel;
    } else if (image.major == 0) {
      found = FindInstalled(last);
      if (found.at == nullptr && is_plain) found = FindCopied(last);
    }
    if (found.at == nullptr && is_plain) {
      found.unknown = FindUnknown(last);
    } else if (found.at == nullptr) {
      found = {.at = &root.instructions[0],
               .name = root.image,
               .cuda = {image.major, image.minor},
               .is_resolved = root.is_resolved,
               .torch = image.has_torch ? TorchOfImage(root.image) : TorchWheel()};
    }
    if (image.major != 0 && image.major >= found.cuda.major) {
      found.starts_compat = image.has_compat;
      if (image.has_compat || image.is_known)
        found.compat =
            fmt::format("cuda-compat-{}-{}, which the image has,", image.major, image.minor);
    }
    if (found.compat.empty()) found.compat = InstalledCompat(last, found.cuda.major);
    return found;
  }

 private:
  // Every instruction of a stage and of those that it is built on, until one is taken.
  template <typename Takes>
  void ForEach(std::size_t last, Takes takes) {
    std::optional<std::size_t> at = last;
    while (at) {
      for (const DockerInstruction& each : file_.stages[*at].instructions) {
        const std::string script = ExecutedScript(each);
        if (!budget_.Spend(script.size()) || takes(*at, each, script)) return;
      }
      at = file_.stages[*at].base_stage;
    }
  }

  // A package that brings its own CUDA libraries, and their version if the command has it.
  FinalCuda FindWheel(std::size_t last) {
    FinalCuda found;
    ForEach(last,
            [&](std::size_t /*stage*/, const DockerInstruction& run, const std::string& script) {
              const std::string name = run.keyword == "RUN" ? CudaWheelIn(script) : std::string();
              if (name.empty()) return false;
              found = {.at = &run, .name = name, .cuda = CudaOfIndex(script), .is_wheel = true};
              if (found.cuda.major == 0) found.cuda = CudaOfNvidiaWheel(script);
              if (name == "torch") found.torch = TorchWheelIn(script);
              return true;
            });
    return found;
  }

  // Packages of the system or of conda, one with a known version if there is one.
  const FinalCuda& FindInstalled(std::size_t last) {
    const auto [known, is_new] = installed_.try_emplace(last);
    FinalCuda& found = known->second;
    if (!is_new) return found;
    const std::string& image = file_.Root(last).image;
    ForEach(last,
            [&](std::size_t /*stage*/, const DockerInstruction& run, const std::string& script) {
              if (run.keyword != "RUN") return false;
              const std::optional<InstalledCuda> cuda = InstalledCudaIn(script, image);
              if (!cuda || (found.at != nullptr && cuda->cuda.major == 0)) return false;
              found = {.at = &run, .name = cuda->name, .cuda = cuda->cuda, .is_package = true};
              if (cuda->name == "pytorch-cuda") found.torch = TorchWheelIn(script);
              return cuda->cuda.major != 0;
            });
    return found;
  }

  // What an image without CUDA gets from one with it.
  FinalCuda FindCopied(std::size_t last) {
    FinalCuda found;
    ForEach(last, [&](std::size_t stage, const DockerInstruction& copy,
                      const std::string& /*script*/) {
      const std::optional<std::string> from = copy.Flag("from");
      if (copy.keyword != "COPY" || !from || !budget_.Spend(file_.stages.size())) return false;
      const std::optional<std::size_t> source = file_.FindStage(*from);
      const std::string& name = source && *source < stage ? file_.Root(*source).image : *from;
      const CudaImage image = DescribeImage(name);
      if (image.major != 0) {
        found = {.at = &copy, .name = name, .cuda = {image.major, image.minor}};
        return true;
      }
      const FinalCuda installed = source && *source < stage ? FindInstalled(*source) : FinalCuda();
      if (installed.cuda.major == 0) return false;
      found = {.at = &copy,
               .name = installed.name,
               .cuda = installed.cuda,
               .is_package = true,
               .torch = installed.torch};
      return true;
    });
    return found;
  }

  // Where nothing is known to bring CUDA, this may: in the image, or in a stage that it copies
  // from.
  const DockerInstruction* FindUnknown(std::size_t last) {
    const DockerInstruction* found = nullptr;
    std::set<std::size_t> seen = {last};
    std::vector<std::size_t> left = {last};
    while (!left.empty() && found == nullptr) {
      const std::size_t next = left.back();
      left.pop_back();
      const DockerStage& root = file_.Root(next);
      if (!DescribeImage(root.image).is_known) return &root.instructions[0];
      ForEach(
          next, [&](std::size_t stage, const DockerInstruction& each, const std::string& script) {
            const std::optional<std::string> from = each.Flag("from");
            if (from && !budget_.Spend(file_.stages.size())) return true;
            const std::optional<std::size_t> source = from ? file_.FindStage(*from) : std::nullopt;
            if (source && *source < stage && seen.insert(*source).second) left.push_back(*source);
            const bool is_taken =
                MayBring(each, script, from && !source) ||
                (next != last && each.keyword == "RUN" && !CudaWheelIn(script).empty());
            if (is_taken) found = &each;
            return is_taken;
          });
    }
    return found;
  }

  static bool MayBring(const DockerInstruction& each, std::string_view script, bool is_of_image) {
    if (each.keyword == "RUN") return std::ranges::any_of(CommandsOf(script), InstallsUnknown);
    if (each.keyword != "COPY" && each.keyword != "ADD") return false;
    if (is_of_image) return !DescribeImage(*each.Flag("from")).is_known;
    return Contains(script, ".whl") || Contains(script, "wheels") ||
           Contains(script, "environment.y");
  }

  std::string InstalledCompat(std::size_t last, std::uint32_t major) {
    std::string found;
    const std::string package = fmt::format("cuda-compat-{}-", major);
    ForEach(last,
            [&](std::size_t /*stage*/, const DockerInstruction& run, const std::string& script) {
              if (run.keyword != "RUN" || !Contains(script, package)) return false;
              for (const std::string& word : ShellWords(script)) {
                if (!word.starts_with(package)) continue;
                found = fmt::format("{}, which line {} installs,", word.substr(0, word.find('=')),
                                    run.line);
              }
              return !found.empty();
            });
    return found;
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  std::map<std::size_t, FinalCuda> installed_;  // by stage; many lines may copy from one
};

}  // namespace

field::CudaVersion CudaOfIndex(std::string_view script) {
  for (const std::string_view before : {"/whl/cu", "/nightly/cu", "+cu"}) {
    const std::size_t at = script.find(before);
    if (at == script.npos) continue;
    const std::string_view digits = script.substr(at + before.size(), 3);
    const bool is_version =
        digits.size() == 3 && std::ranges::all_of(digits, [](char c) { return IsDigit(c); });
    if (!is_version) continue;
    return {static_cast<std::uint32_t>((digits[0] - '0') * 10 + (digits[1] - '0')),
            static_cast<std::uint32_t>(digits[2] - '0')};
  }
  return {};
}

FinalCuda FindFinalCuda(const Dockerfile& file, ScriptBudget& budget) {
  return FinalSearch(file, budget).Find();
}

}  // namespace sibyl::inspect
