// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_layers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "field/field.h"
#include "inspect/docker/docker_check.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

bool HasAny(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return Contains(text, part); });
}

bool Compiles(std::string_view script) {
  return HasAny(script, {"cmake --build", "ninja", "make -j", "make install", "setup.py",
                         "pip install .", "pip install -e", "pip wheel", "python -m build", "nvcc ",
                         "cargo build", "--no-build-isolation"});
}

bool CompilesCuda(std::string_view script) {
  // Only shows the compiler.
  if (HasAny(script, {"nvcc --version", "nvcc -V"}) && !HasAny(script, {".cu", "cmake"})) {
    return false;
  }
  return HasAny(script, {"flash-attn", "flash_attn", "nvcc ", "setup.py", "apex",
                         "--no-build-isolation", "transformer-engine", "xformers.git"}) ||
         std::ranges::any_of(CommandsOf(script), IsCudaBuildOfCMake);
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

void CheckCacheMounts(const DockerStage& stage, Artifact& artifact) {
  const bool compiles = std::ranges::any_of(stage.instructions, [](const DockerInstruction& run) {
    return run.keyword == "RUN" && Compiles(ExecutedScript(run));
  });
  // Without ccache, its folder stays empty.
  const bool has_ccache = std::ranges::any_of(stage.instructions, [](const DockerInstruction& at) {
    return at.keyword != "FROM" && Contains(ExecutedScript(at), "ccache");
  });
  for (const DockerInstruction& run : stage.instructions) {
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
    if (HasCacheMount(run) || !compiles || keeps_nothing) continue;
    for (const Cached& cached : kCached) {
      if (!Contains(script, cached.command)) continue;
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

// Two architectures that the toolkit of the image compiles for.
struct UsualArchitectures {
  int older = 80;
  int newer = 90;
};

UsualArchitectures UsualFor(const CudaImage& image) {
  const field::CudaVersion cuda{image.major, image.minor};
  if (image.major == 0 || cuda >= field::CudaVersion{11, 8}) return {};
  if (cuda >= field::CudaVersion{11, 0}) return {.older = 70, .newer = 80};
  if (cuda >= field::CudaVersion{9, 0}) return {.older = 60, .newer = 70};
  return {.older = 52, .newer = 60};
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

// nvcc and CMake take the architectures as options, extensions of PyTorch from a variable.
void CorrectUnset(const DockerInstruction& run, const UsualArchitectures& usual,
                  Artifact& artifact) {
  const std::string nvcc = fmt::format(
      "-gencode arch=compute_{0},code=sm_{0} -gencode arch=compute_{1},code=sm_{1} "
      "-gencode arch=compute_{1},code=compute_{1}",
      usual.older, usual.newer);
  const std::string cmake =
      fmt::format("-DCMAKE_CUDA_ARCHITECTURES=\"{};{}\"", usual.older, usual.newer);
  bool is_corrected = false;
  for (std::size_t i = 0; i < run.lines.size(); ++i) {
    if (Trim(run.lines[i]).starts_with('#')) continue;
    const std::string line = WithOptions(WithOptions(run.lines[i], "nvcc", nvcc), "cmake", cmake);
    if (line == run.lines[i]) continue;
    CorrectDockerLine(artifact, {.line = run.line + i}, {line});
    is_corrected = true;
  }
  if (is_corrected) return;
  CorrectDockerLine(artifact, run,
                    {fmt::format("ENV TORCH_CUDA_ARCH_LIST=\"{}.{};{}.{}+PTX\"", usual.older / 10,
                                 usual.older % 10, usual.newer / 10, usual.newer % 10),
                     run.text});
}

void CheckArchitectures(const Dockerfile& file, std::size_t number, ScriptBudget& budget,
                        Artifact& artifact) {
  const CudaImage image = DescribeImage(file.Root(number).image);
  if (image.variant != CudaVariant::kDevel) return;
  std::optional<std::size_t> at = number;
  while (at) {
    for (const DockerInstruction& instruction : file.stages[*at].instructions) {
      const std::string script = ExecutedScript(instruction);
      if (!budget.Spend(script.size()) || NamesArchitectures(script)) return;
    }
    at = file.stages[*at].base_stage;
  }
  for (const DockerInstruction& run : file.stages[number].instructions) {
    if (run.keyword != "RUN" || !CompilesCuda(ExecutedScript(run))) continue;
    AddDockerFinding(
        artifact, run, Severity::kWarning, "docker/arch-unset",
        "device code is compiled without a GPU to query, and no architecture is set: the "
        "compiler's default is used");
    CorrectUnset(run, UsualFor(image), artifact);
    return;
  }
}

}  // namespace

std::string CudaWheelIn(std::string_view script) {
  if (!HasAny(script, {"pip install", "pip3 install", "uv pip", "uv add", "poetry add"})) return {};
  if (HasAny(script, {"/whl/cpu", "+cpu"})) return {};
  constexpr std::string_view kWheels[] = {
      "torch", "tensorflow[and-cuda]", "jax[cuda12]",  "jax[cuda13]",
      "vllm",  "cupy-cuda12x[ctk]",    "tensorrt-llm", "sglang"};
  for (const std::string& word : ShellWords(script)) {
    std::string name = word.substr(0, word.find_first_of("=<>~!;@"));
    for (const std::string_view wheel : kWheels) {
      if (name == wheel) return name;
    }
    if (name.starts_with("nvidia-cu") || name.starts_with("nvidia-nccl")) return name;
  }
  return {};
}

void CheckLayers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  for (std::size_t i = 0; i < file.stages.size(); ++i) {
    CheckCacheMounts(file.stages[i], artifact);
    CheckArgPlacement(file.stages[i], budget, artifact);
    CheckArchitectures(file, i, budget, artifact);
  }
}

}  // namespace sibyl::inspect
