// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "field/field.h"
#include "inspect/docker/docker_compilers.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/rules/docker_users.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

bool HasAny(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return Contains(text, part); });
}

bool AnyCommand(std::string_view script, bool (*is_it)(const ShellCommand&)) {
  return std::ranges::any_of(CommandsOf(script), is_it);
}

bool HasAnyPhrase(const ShellCommand& command, std::initializer_list<std::string_view> phrases) {
  return std::ranges::any_of(phrases, [&](auto phrase) { return HasPhrase(command, phrase); });
}

bool Compiles(const ShellCommand& command) {
  const std::string program = ProgramOf(command);
  if (program == "nvcc" || program == "ninja" || program == "make") return true;
  return HasAnyPhrase(command, {"cmake --build", "setup.py", "pip install .", "pip install -e",
                                "pip wheel", "-m build", "cargo build", "--no-build-isolation"});
}

struct Cached {
  std::string_view command;
  std::string_view mount;
};

constexpr Cached kCached[] = {
    {"uv pip", "--mount=type=cache,target=/root/.cache/uv"},
    {"uv sync", "--mount=type=cache,target=/root/.cache/uv"},
    {"pip install", "--mount=type=cache,target=/root/.cache/pip"},
    {"pip3 install", "--mount=type=cache,target=/root/.cache/pip"},
    {"pip wheel", "--mount=type=cache,target=/root/.cache/pip"},
    {"conda install", "--mount=type=cache,target=/opt/conda/pkgs"},
    {"cmake --build", "--mount=type=cache,target=/root/.cache/ccache"},
    {"setup.py", "--mount=type=cache,target=/root/.cache/ccache"},
};

bool HasCacheMount(const DockerInstruction& run) {
  return std::ranges::any_of(run.flags, [](const std::string& flag) {
    return flag.starts_with("--mount=") && Contains(flag, "type=cache");
  });
}

void CheckCacheMounts(const DockerStage& stage, bool is_root, Artifact& artifact) {
  const bool compiles = std::ranges::any_of(stage.instructions, [](const DockerInstruction& run) {
    return run.keyword == "RUN" && AnyCommand(ExecutedScript(run), Compiles);
  });
  // Without ccache, its folder stays empty.
  const bool has_ccache = std::ranges::any_of(stage.instructions, [](const DockerInstruction& at) {
    return at.keyword != "FROM" && Contains(ExecutedScript(at), "ccache");
  });
  for (const DockerInstruction& run : stage.instructions) {
    is_root = MakesRoot(run).value_or(is_root);
    if (run.keyword != "RUN") continue;
    const std::string script = ExecutedScript(run);
    const bool keeps_nothing = HasAny(script, {"--no-cache-dir", "--no-cache ", "conda clean"});
    if (HasCacheMount(run) && keeps_nothing) {
      AddDockerFinding(artifact, run, Severity::kWarning, "docker/cache-defeated",
                       "a cache mount beside an option that does not use it");
      std::string line = run.text;
      for (const std::string_view option : {" --no-cache-dir", " --no-cache"}) {
        if (const std::size_t found = line.find(option); found != std::string::npos) {
          line.erase(found, option.size());
        }
      }
      if (line != run.text) CorrectDockerLine(artifact, run, {line});
      continue;
    }
    // Downloads that are thrown away on purpose are not cached either.
    // The folders are those of root.
    if (HasCacheMount(run) || !compiles || keeps_nothing || !is_root) continue;
    const std::vector<ShellCommand> commands = CommandsOf(script);
    for (const Cached& cached : kCached) {
      const bool is_called = std::ranges::any_of(commands, [&](const ShellCommand& command) {
        return HasPhrase(command, cached.command);
      });
      if (!is_called) continue;
      if (Contains(cached.mount, "ccache") && !has_ccache) continue;
      AddDockerFinding(
          artifact, run, Severity::kNote, "docker/no-cache-mount",
          fmt::format(
              "'{}' downloads or compiles everything again whenever an earlier line changes",
              cached.command));
      CorrectDockerLine(artifact, run, {fmt::format("RUN {} {}", cached.mount, run.arguments)});
      break;
    }
  }
}

bool ChangesWithEveryBuild(std::string_view name) {
  const std::string upper = LowerCase(name);
  return HasAny(upper,
                {"git_sha", "git_commit", "commit_sha", "git_rev", "revision", "build_date",
                 "build_id", "build_number", "timestamp", "buildtime", "vcs_ref", "git_hash"}) ||
         upper == "commit" || upper == "sha" || upper == "version" || upper == "date";
}

// Every RUN after an ARG gets it as a variable, and is run again when it changes, whether it
// uses it or not.
void CheckArgPlacement(const DockerStage& stage, ScriptBudget& budget, Artifact& artifact) {
  for (std::size_t i = 0; i < stage.instructions.size(); ++i) {
    const DockerInstruction& arg = stage.instructions[i];
    if (arg.keyword != "ARG") continue;
    const std::string name = arg.arguments.substr(0, arg.arguments.find_first_of("= "));
    if (name.empty() || !ChangesWithEveryBuild(name)) continue;
    const DockerInstruction* spoiled = nullptr;
    const DockerInstruction* use = nullptr;
    for (std::size_t j = i + 1; j < stage.instructions.size() && use == nullptr; ++j) {
      const DockerInstruction& later = stage.instructions[j];
      const std::string script = later.Script();
      if (!budget.Spend(script.size())) return;
      if (FindWholeWord(script, name)) {
        use = &later;
      } else if (later.keyword == "RUN" && spoiled == nullptr) {
        spoiled = &later;
      }
    }
    if (spoiled == nullptr) continue;
    AddDockerFinding(
        artifact, arg, Severity::kWarning, "docker/arg-spoils-cache",
        fmt::format(
            "{} changes with every build, so line {} is run again although it does not use it",
            name, spoiled->line));
    if (use != nullptr) {
      CorrectDockerLine(
          artifact, arg,
          {fmt::format("# move down to line {}, its first use:", use->line), arg.text, use->text});
    } else {
      CorrectDockerLine(artifact, arg,
                        {"# nothing in this stage uses it: move it to the end, or remove it"});
    }
  }
}

// Architectures that the toolkit of the image compiles for, in ascending order; at least one.
using Architectures = std::vector<std::uint32_t>;

Architectures UsualFor(const CudaImage& image) {
  const field::CudaVersion cuda{image.major, image.minor};
  if (image.major == 0 || cuda >= field::CudaVersion{11, 8}) return {80, 90};
  if (cuda >= field::CudaVersion{11, 0}) return {70, 80};
  if (cuda >= field::CudaVersion{9, 0}) return {60, 70};
  return {52, 60};
}

// Those of the GPUs that were asked for, as far as the toolkit compiles for them.
Architectures WantedFor(const CudaImage& image, const InspectOptions& options) {
  const field::CudaVersion cuda{image.major, image.minor};
  Architectures wanted;
  for (const field::GpuTarget& gpu : options.gpus) {
    const field::ArchitectureLife* life = field::LifeOf(gpu.number);
    const bool compiles = life != nullptr && (image.major == 0 || cuda >= life->first) &&
                          (life->last == field::CudaVersion{} || cuda <= life->last);
    if (compiles) wanted.push_back(gpu.number);
  }
  if (wanted.empty()) return UsualFor(image);
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return wanted;
}

bool NamesArchitectures(std::string_view script) {
  return HasAny(script, {"TORCH_CUDA_ARCH_LIST", "CMAKE_CUDA_ARCHITECTURES", "CUDAARCHS",
                         "NVTE_CUDA_ARCHS", "FLASH_ATTN_CUDA_ARCHS", "-gencode", "--generate-code",
                         "-arch=", "-arch ", "--gpu-architecture"});
}

// Where the call of a program on a line ends; npos if there is none after `from`.
std::size_t EndOfCall(std::string_view line, std::string_view program, std::size_t from) {
  for (std::size_t at = line.find(program, from); at != line.npos;
       at = line.find(program, at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    const std::size_t end = at + program.size();
    const bool begins = before == ' ' || before == '\t' || before == '/' || before == ';' ||
                        before == '&' || before == '(';
    if (begins && line.substr(end).starts_with(' ')) return end;
  }
  return line.npos;
}

// Adds options to each call of a program that compiles.
std::string WithOptions(std::string_view text, std::string_view program, std::string_view options) {
  std::string line(text);
  std::size_t at = EndOfCall(line, program, 0);
  while (at != line.npos) {
    const std::string_view rest = std::string_view(line).substr(at);
    const bool only_shows = rest.starts_with(" --version") || rest.starts_with(" -V");
    const bool only_builds = rest.starts_with(" --build") || rest.starts_with(" --install");
    if (!only_shows && !only_builds) {
      line.insert(at, fmt::format(" {}", options));
      at += options.size() + 1;
    }
    at = EndOfCall(line, program, at);
  }
  return line;
}

std::string OptionsOfNvcc(const Architectures& wanted) {
  std::vector<std::string> options;
  for (const std::uint32_t number : wanted) {
    options.push_back(fmt::format("-gencode arch=compute_{0},code=sm_{0}", number));
  }
  options.push_back(fmt::format("-gencode arch=compute_{0},code=compute_{0}", wanted.back()));
  return Join(options, " ");
}

std::string ListOfTorch(const Architectures& wanted) {
  std::vector<std::string> numbers;
  for (const std::uint32_t number : wanted) {
    numbers.push_back(fmt::format("{}.{}", number / 10, number % 10));
  }
  return Join(numbers, ";") + "+PTX";
}

// nvcc and CMake take the architectures as options, extensions of PyTorch from a variable.
void CorrectUnset(const DockerInstruction& run, const Architectures& wanted, bool is_of_torch,
                  Artifact& artifact) {
  std::vector<std::string> numbers;
  for (const std::uint32_t number : wanted) numbers.push_back(std::to_string(number));
  const std::string nvcc = OptionsOfNvcc(wanted);
  const std::string cmake = fmt::format("-DCMAKE_CUDA_ARCHITECTURES=\"{}\"", Join(numbers, ";"));
  bool is_corrected = false;
  for (const DockerLine& each : run.AllLines()) {
    if (Trim(each.text).starts_with('#')) continue;
    const std::string line = WithOptions(WithOptions(each.text, "nvcc", nvcc), "cmake", cmake);
    if (line == each.text) continue;
    CorrectDockerLine(artifact, {.line = each.number}, {line});
    is_corrected = true;
  }
  if (is_corrected) return;
  if (!is_of_torch) {
    artifact.findings.back().hint = fmt::format("compile with {}", nvcc);
    return;
  }
  CorrectDockerLine(
      artifact, run,
      {fmt::format("ENV TORCH_CUDA_ARCH_LIST=\"{}\"", ListOfTorch(wanted)), run.text});
}

// The stages that a stage is built on, the first one first, and itself.
std::vector<std::size_t> ChainOf(const Dockerfile& file, std::size_t stage) {
  std::vector<std::size_t> chain;
  for (std::optional<std::size_t> at = stage; at; at = file.stages[*at].base_stage) {
    chain.insert(chain.begin(), *at);
  }
  return chain;
}

// What sets them after the compiler has run is too late.
const DockerInstruction* NamedLater(const DockerStage& stage, const DockerInstruction& run) {
  for (const DockerInstruction& at : stage.instructions) {
    if (at.line > run.line && at.keyword == "ENV" && NamesArchitectures(at.arguments)) return &at;
  }
  return nullptr;
}

void CheckArchitectures(const Dockerfile& file, std::size_t number, const InspectOptions& options,
                        ScriptBudget& budget, Artifact& artifact) {
  const CudaImage image = DescribeImage(file.Root(number).image);
  if (image.variant != CudaVariant::kDevel) return;
  for (const std::size_t stage : ChainOf(file, number)) {
    for (const DockerInstruction& run : file.stages[stage].instructions) {
      const std::string script = ExecutedScript(run);
      if (!budget.Spend(script.size()) || NamesArchitectures(script)) return;
      if (stage != number || run.keyword != "RUN" || !AnyCommand(script, CompilesCuda)) continue;
      const DockerInstruction* later = NamedLater(file.stages[stage], run);
      AddDockerFinding(
          artifact, run, Severity::kWarning, "docker/arch-unset",
          later == nullptr
              ? "device code is compiled without a GPU to query, and no architecture is set: the "
                "compiler's default is used"
              : fmt::format("device code is compiled before line {} sets the architectures: the "
                            "compiler's default is used",
                            later->line));
      const bool is_of_torch = std::ranges::none_of(CommandsOf(script), [](const auto& command) {
        return ProgramOf(command) == "nvcc" || IsCudaBuildOfCMake(command);
      });
      CorrectUnset(run, WantedFor(image, options), is_of_torch, artifact);
      return;
    }
  }
}

}  // namespace

bool CompilesCuda(const ShellCommand& command) {
  if (ProgramOf(command) == "nvcc") {
    return !HasWord(command, "--version") && !HasWord(command, "-V") && command.size() > 1;
  }
  if (HasAnyPhrase(command, {"setup.py install", "setup.py develop", "setup.py build",
                             "setup.py build_ext", "setup.py bdist_wheel"}) ||
      HasWord(command, "--no-build-isolation") || IsCudaBuildOfCMake(command)) {
    return true;
  }
  return std::ranges::any_of(PythonPackagesIn(command), CompilesDeviceCode);
}

std::string CudaWheelIn(std::string_view script) {
  constexpr std::string_view kWheels[] = {
      "torch", "tensorflow[and-cuda]", "jax[cuda12]",  "jax[cuda13]",
      "vllm",  "cupy-cuda12x[ctk]",    "tensorrt-llm", "sglang"};
  for (const ShellCommand& command : CommandsOf(script)) {
    const bool is_of_cpu = std::ranges::any_of(command, [](const std::string& word) {
      return Contains(word, "/whl/cpu") || Contains(word, "+cpu");
    });
    if (is_of_cpu) continue;
    for (const std::string& package : PythonPackagesIn(command)) {
      std::string name = package.substr(0, package.find_first_of("=<>~!;@ "));
      for (const std::string_view wheel : kWheels) {
        if (name == wheel) return name;
      }
      if (name.starts_with("nvidia-cu") || name.starts_with("nvidia-nccl")) return name;
    }
  }
  return {};
}

void CheckLayers(const Dockerfile& file, const InspectOptions& options, ScriptBudget& budget,
                 Artifact& artifact) {
  const std::vector<bool> starts_as_root = StartsAsRoot(file);
  for (std::size_t i = 0; i < file.stages.size(); ++i) {
    CheckCacheMounts(file.stages[i], starts_as_root[i], artifact);
    CheckArgPlacement(file.stages[i], budget, artifact);
    CheckArchitectures(file, i, options, budget, artifact);
  }
}

}  // namespace sibyl::inspect
