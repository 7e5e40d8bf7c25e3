// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_gpus.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/cuda/verdict.h"
#include "inspect/docker/docker_check.h"
#include "inspect/docker/docker_finding.h"

namespace sibyl::inspect {
namespace {

constexpr const char* kInspectImage =
    "inspect the image itself: docker save IMAGE -o image.tar, then 'sibyl inspect image.tar'";

class Gpus {
 public:
  Gpus(const Dockerfile& file, const InspectOptions& options, ScriptBudget& budget,
       Artifact& artifact)
      : file_(file), options_(options), budget_(budget), artifact_(artifact) {}

  void Check() {
    const auto before = artifact_.findings.size();
    CheckDriver();
    CheckImage();
    const bool is_said = artifact_.findings.size() > before ||
                         std::ranges::any_of(artifact_.findings, [](const Finding& finding) {
                           return finding.code == "docker/arch-not-gpu";
                         });
    if (!is_said) SayCompared();
  }

 private:
  // Silence would leave open whether anything was compared.
  void SayCompared() {
    if (options_.gpus.empty() || file_.stages.empty()) return;
    const std::size_t last = file_.stages.size() - 1;
    const DockerStage& root = file_.Root(last);
    const CudaImage image = DescribeImage(root.image);
    const Wheel wheel = FindWheel(last);
    const Copied copied = FindCopied(last);
    const field::CudaVersion cuda = wheel.cuda.major != 0 ? wheel.cuda
                                    : image.major != 0
                                        ? field::CudaVersion{image.major, image.minor}
                                        : copied.cuda;
    const std::string& name = wheel.cuda.major != 0 ? wheel.name
                              : image.major != 0    ? root.image
                                                    : copied.image;
    Json compared = Json::array();
    for (const field::GpuTarget& gpu : options_.gpus) {
      if (cuda.major == 0) {
        compared.push_back(fmt::format("{}: nothing in it brings CUDA, so there is nothing to run",
                                       ShownGpu(gpu)));
        continue;
      }
      const std::string driver =
          options_.driver ? fmt::format(", and driver {} is enough", options_.driver->text) : "";
      compared.push_back(fmt::format("{}: {} has CUDA {}, which supports it{}", ShownGpu(gpu), name,
                                     Format(cuda), driver));
    }
    artifact_.detail["compared"] = std::move(compared);
  }

  // An image for x86 machines, and a GPU that is only in others.
  void CheckPlatform(const DockerInstruction& from) {
    const std::string platform = from.Flag("platform").value_or("");
    const std::string_view machine = platform.starts_with("linux/amd64")   ? "x86_64"
                                     : platform.starts_with("linux/arm64") ? "aarch64"
                                                                           : "";
    for (const field::GpuTarget& gpu : options_.gpus) {
      if (machine.empty() || gpu.host.empty() || gpu.host == machine) continue;
      AddDockerFinding(artifact_, from, Severity::kError, "docker/platform-not-gpu",
                       fmt::format("does not run on {}: the image is for {}, and it is only in {} "
                                   "machines",
                                   gpu.name, platform, gpu.host));
      std::string line = from.text;
      const std::size_t at = line.find(platform);
      if (at == line.npos) continue;
      CorrectDockerLine(artifact_, from,
                        {line.replace(at, platform.size(),
                                      gpu.host == "aarch64" ? "linux/arm64" : "linux/amd64")});
    }
  }

  // The driver of the host decides about the final image.
  void CheckDriver() {
    if (!options_.driver || file_.stages.empty()) return;
    const std::size_t last = file_.stages.size() - 1;
    const DockerStage& root = file_.Root(last);
    const CudaImage image = DescribeImage(root.image);
    const Wheel wheel = FindWheel(last);
    const bool has_no_cuda = image.is_known && image.major == 0 && wheel.run == nullptr;
    if (has_no_cuda) {
      if (const Copied copied = FindCopied(last); copied.copy != nullptr) {
        CheckDriverOfGpus(*copied.copy);
        CompareDriver(*copied.copy, copied.cuda, {});
      }
      return;
    }
    CheckDriverOfGpus(root.instructions[0]);
    if (wheel.cuda.major != 0) CompareDriver(*wheel.run, wheel.cuda, image);
    if (image.major != 0) {
      // What the wheel brings is used, not what the image has.
      const field::CudaVersion cuda{image.major, image.minor};
      if (wheel.cuda.major == 0) CompareDriver(root.instructions[0], cuda, image);
      return;
    }
    if (wheel.cuda.major != 0) return;
    if (!root.is_resolved) {
      AddDockerFinding(artifact_, root.instructions[0], Severity::kNote,
                       "docker/driver-not-compared",
                       fmt::format("the base image depends on a variable without a default, so "
                                   "driver {} was not compared with its CUDA",
                                   options_.driver->text));
      artifact_.findings.back().hint = "give the ARG a default";
      return;
    }
    const bool is_wheel = image.is_known;
    AddDockerFinding(artifact_, is_wheel ? *wheel.run : root.instructions[0], Severity::kNote,
                     "docker/driver-not-compared",
                     fmt::format("unknown which CUDA {} has, so driver {} was not compared with it",
                                 is_wheel ? wheel.name : root.image, options_.driver->text));
    artifact_.findings.back().hint =
        is_wheel ? "name the index of its CUDA, such as --index-url .../whl/cu128" : kInspectImage;
  }

  // What the final image brings must have code for the GPU.
  void CheckImage() {
    if (options_.gpus.empty() || file_.stages.empty()) return;
    const std::size_t last = file_.stages.size() - 1;
    const DockerStage& root = file_.Root(last);
    const CudaImage image = DescribeImage(root.image);
    const Wheel wheel = FindWheel(last);
    const bool has_wheel = wheel.cuda.major != 0;
    CheckPlatform(root.instructions[0]);
    if (image.is_known && image.major == 0 && wheel.run == nullptr) {
      const Copied copied = FindCopied(last);
      for (const field::GpuTarget& gpu : options_.gpus) {
        if (copied.copy != nullptr) CompareGpu(*copied.copy, copied.cuda, gpu);
      }
      return;
    }
    const field::CudaVersion cuda =
        has_wheel ? wheel.cuda : field::CudaVersion{image.major, image.minor};
    const DockerInstruction& at = has_wheel ? *wheel.run : root.instructions[0];
    for (const field::GpuTarget& gpu : options_.gpus) CompareGpu(at, cuda, gpu);
  }

  // Code for sm_80 runs on sm_89.
  static bool HasOlderOfFamily(const field::CudaVersion& cuda, const field::Architecture& gpu) {
    return std::ranges::any_of(field::Architectures(), [&](const auto& life) {
      return life.architecture.major() == gpu.major() && life.architecture.minor() <= gpu.minor() &&
             cuda >= life.first;
    });
  }

  void CompareGpu(const DockerInstruction& at, const field::CudaVersion& cuda,
                  const field::GpuTarget& gpu) {
    const field::ArchitectureLife* life = field::LifeOf(gpu.number);
    if (life == nullptr) return;
    if (cuda.major == 0) {
      // The finding about the driver says it already.
      if (options_.driver) return;
      AddDockerFinding(
          artifact_, at, Severity::kNote, "docker/gpu-not-compared",
          fmt::format("unknown which CUDA it has, so {} was not compared with it", gpu.name));
      artifact_.findings.back().hint =
          "inspect the image itself: docker save IMAGE -o image.tar, then 'sibyl inspect "
          "image.tar'";
      return;
    }
    const bool is_dropped = life->last != field::CudaVersion{} && cuda > life->last;
    if (is_dropped) {
      AddDockerFinding(
          artifact_, at, Severity::kError, "docker/cuda-not-gpu",
          fmt::format("does not run on {}: CUDA {} has nothing for sm_{}; CUDA {} was the last",
                      gpu.name, Format(cuda), gpu.number, Format(life->last)));
      artifact_.findings.back().hint =
          fmt::format("use an image of CUDA {} or older", Format(life->last));
    } else if (cuda < life->first && !HasOlderOfFamily(cuda, life->architecture)) {
      AddDockerFinding(artifact_, at, Severity::kWarning, "docker/cuda-not-gpu",
                       fmt::format("the libraries of CUDA {} have no machine code for {}: CUDA {} "
                                   "is the first with sm_{}",
                                   Format(cuda), gpu.name, Format(life->first), gpu.number));
      artifact_.findings.back().hint =
          fmt::format("use an image of CUDA {} or newer", Format(life->first));
    }
  }

  void CheckDriverOfGpus(const DockerInstruction& from) {
    for (const field::GpuTarget& gpu : options_.gpus) {
      const std::string why = WhyDriverLacks(gpu, *options_.driver);
      if (why.empty()) continue;
      AddDockerFinding(artifact_, from, Severity::kError, "docker/driver-not-gpu",
                       fmt::format("does not run on {}: {}", gpu.name, why));
      const field::ArchitectureLife* life = field::LifeOf(gpu.number);
      const field::Toolkit* first = life == nullptr ? nullptr : field::FindToolkit(life->first);
      if (first != nullptr && field::Compare(*options_.driver, first->driver) < 0) {
        artifact_.findings.back().hint =
            fmt::format("update the driver to {} or newer", first->driver);
      } else if (life != nullptr && life->last_driver_branch != 0) {
        artifact_.findings.back().hint =
            fmt::format("use a driver of branch {}", life->last_driver_branch);
      }
    }
  }

  void CompareDriver(const DockerInstruction& at, const field::CudaVersion& cuda,
                     const CudaImage& image) {
    const std::string_view floor = field::DriverFloor(cuda.major);
    if (floor.empty() || field::Compare(*options_.driver, floor) >= 0) return;
    // Images of NVIDIA's frameworks come with the compat package, which their start-up uses.
    AddDockerFinding(artifact_, at, image.has_compat ? Severity::kWarning : Severity::kError,
                     "docker/driver-too-old",
                     fmt::format("CUDA {}.x needs driver {} or newer, not {}", cuda.major, floor,
                                 options_.driver->text));
    if (image.has_compat) {
      artifact_.findings.back().hint =
          "the compat package of the image may be enough on data center GPUs; elsewhere update the "
          "driver";
      return;
    }
    if (const auto known = field::CudaOfDriver(*options_.driver)) {
      artifact_.findings.back().hint = fmt::format(
          "use an image of CUDA {}.x, or update the driver; on data center GPUs the "
          "package cuda-compat-{}-{} may be enough",
          known->major, cuda.major, cuda.minor);
    }
  }

  // What an image without CUDA gets from one with it.
  struct Copied {
    const DockerInstruction* copy = nullptr;
    std::string image;
    field::CudaVersion cuda;
  };

  Copied FindCopied(std::size_t last) {
    std::optional<std::size_t> at = last;
    while (at) {
      for (const DockerInstruction& copy : file_.stages[*at].instructions) {
        const std::optional<std::string> from = copy.Flag("from");
        if (copy.keyword != "COPY" || !from || !budget_.Spend(file_.stages.size())) continue;
        const std::optional<std::size_t> stage = file_.FindStage(*from);
        const std::string& name = stage && *stage < *at ? file_.Root(*stage).image : *from;
        const CudaImage image = DescribeImage(name);
        if (image.major != 0) {
          return {.copy = &copy, .image = name, .cuda = {image.major, image.minor}};
        }
      }
      at = file_.stages[*at].base_stage;
    }
    return {};
  }

  // A package that brings its own CUDA libraries, and their version if the command has it.
  struct Wheel {
    const DockerInstruction* run = nullptr;
    std::string name;
    field::CudaVersion cuda;
  };

  Wheel FindWheel(std::size_t last) {
    std::optional<std::size_t> at = last;
    while (at) {
      for (const DockerInstruction& run : file_.stages[*at].instructions) {
        const std::string script = run.Script();
        if (run.keyword != "RUN" || !budget_.Spend(script.size())) continue;
        const std::string name = CudaWheelIn(script);
        if (!name.empty()) return {.run = &run, .name = name, .cuda = CudaOfIndex(script)};
      }
      at = file_.stages[*at].base_stage;
    }
    return {};
  }

  // "https://download.pytorch.org/whl/cu130", "torch==2.9.0+cu130".
  static field::CudaVersion CudaOfIndex(std::string_view script) {
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

  const Dockerfile& file_;
  const InspectOptions& options_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

}  // namespace

void CheckGpus(const Dockerfile& file, const InspectOptions& options, ScriptBudget& budget,
               Artifact& artifact) {
  Gpus(file, options, budget, artifact).Check();
}

}  // namespace sibyl::inspect
