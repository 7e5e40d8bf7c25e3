// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "field/field.h"
#include "inspect/cuda/verdict.h"
#include "inspect/docker/docker_final_cuda.h"
#include "inspect/docker/docker_finding.h"

namespace sibyl::inspect {
namespace {

constexpr const char* kInspectImage =
    "inspect the image itself: docker save IMAGE -o image.tar, then 'sibyl inspect image.tar'";

// The oldest driver that runs programs of this CUDA; empty for a release that is not in the table.
std::string_view OldestDriver(const field::CudaVersion& cuda) {
  const std::string_view floor = field::DriverFloor(cuda.major);
  const field::Toolkit* release = field::FindToolkit(cuda);
  return floor.empty() && release != nullptr ? release->driver : floor;
}

class Gpus {
 public:
  Gpus(const Dockerfile& file, const InspectOptions& options, RefusedGpus refused,
       ScriptBudget& budget, Artifact& artifact)
      : file_(file),
        options_(options),
        artifact_(artifact),
        final_(FindFinalCuda(file, budget)),
        refused_(std::move(refused)) {}

  void Check() {
    const bool is_driver_enough = CheckDriver();
    CheckImage();
    if (is_driver_enough) SayCompared();
  }

 private:
  // Silence would leave open whether anything was compared.
  void SayCompared() {
    Json compared = Json::array();
    for (const field::GpuTarget& gpu : options_.gpus) {
      const auto refused = refused_.find(gpu.name);
      if (refused != refused_.end()) {
        if (options_.gpus.size() == 1) return;  // the finding says it
        compared.push_back(fmt::format("{}: does not run, see {}", ShownGpu(gpu), refused->second));
      } else if (final_.at == nullptr) {
        compared.push_back(fmt::format("{}: {}", ShownGpu(gpu), WithoutCuda()));
      } else {
        const std::string driver =
            options_.driver ? fmt::format(", and driver {} is enough", options_.driver->text) : "";
        compared.push_back(fmt::format("{}: {} has CUDA {}, which supports it{}", ShownGpu(gpu),
                                       final_.name, Format(final_.cuda), driver));
      }
    }
    if (!compared.empty()) artifact_.detail["compared"] = std::move(compared);
  }

  std::string WithoutCuda() const {
    if (final_.unknown == nullptr) return "nothing in it brings CUDA, so there is nothing to run";
    return fmt::format("not known whether it brings CUDA: that depends on '{}' of line {}",
                       Trim(final_.unknown->text), final_.unknown->line);
  }

  // An image for x86 machines, and a GPU that is only in others.
  void CheckPlatform(const DockerInstruction& from) {
    const std::string platform = from.Flag("platform").value_or("");
    const std::string_view machine = platform.starts_with("linux/amd64")   ? "x86_64"
                                     : platform.starts_with("linux/arm64") ? "aarch64"
                                                                           : "";
    for (const field::GpuTarget& gpu : options_.gpus) {
      if (machine.empty() || gpu.host.empty() || gpu.host == machine) continue;
      refused_[gpu.name] = "docker/platform-not-gpu";
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

  // The driver of the host decides about the final image. False if it is too old, or nothing is
  // known to compare it with.
  bool CheckDriver() {
    if (final_.at == nullptr) return true;
    const std::string_view oldest = OldestDriver(final_.cuda);
    if (!options_.driver) return !oldest.empty();
    CheckDriverOfGpus(final_.is_wheel ? file_.Root(file_.stages.size() - 1).instructions[0]
                                      : *final_.at);
    if (!oldest.empty()) return CompareDriver(oldest);
    Finding& finding = AddDockerFinding(artifact_, *final_.at, Severity::kNote,
                                        "docker/driver-not-compared", WhyNotCompared());
    if (final_.cuda.major != 0) {
      finding.hint = "NVIDIA's release notes of that CUDA name the oldest driver";
    } else if (!final_.is_resolved) {
      finding.hint = "give the ARG a default";
    } else {
      finding.hint = final_.is_wheel
                         ? "name the index of its CUDA, such as --index-url .../whl/cu128"
                         : kInspectImage;
    }
    return false;
  }

  std::string WhyNotCompared() const {
    if (final_.cuda.major != 0) {
      return fmt::format(
          "CUDA {} is not in the table of known releases, so driver {} was not "
          "compared with it",
          Format(final_.cuda), options_.driver->text);
    }
    if (!final_.is_resolved) {
      return fmt::format(
          "the base image depends on a variable without a default, so driver {} was "
          "not compared with its CUDA",
          options_.driver->text);
    }
    return fmt::format("unknown which CUDA {} has, so driver {} was not compared with it",
                       final_.name, options_.driver->text);
  }

  // What the final image brings must have code for the GPU.
  void CheckImage() {
    if (options_.gpus.empty()) return;
    CheckPlatform(file_.Root(file_.stages.size() - 1).instructions[0]);
    if (final_.at == nullptr) return;
    for (const field::GpuTarget& gpu : options_.gpus) CompareGpu(*final_.at, final_.cuda, gpu);
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
    const bool is_dropped = life->last != field::CudaVersion{} && cuda > life->last;
    if (!is_dropped && OldestDriver(cuda).empty()) {
      // The finding about the driver says it already.
      if (options_.driver) return;
      AddDockerFinding(
          artifact_, at, Severity::kNote, "docker/gpu-not-compared",
          cuda.major == 0
              ? fmt::format("unknown which CUDA it has, so {} was not compared with it", gpu.name)
              : fmt::format("CUDA {} is not in the table of known releases, so {} was "
                            "not compared with it",
                            Format(cuda), gpu.name));
      artifact_.findings.back().hint = kInspectImage;
      return;
    }
    if (is_dropped) {
      refused_[gpu.name] = "docker/cuda-not-gpu";
      AddDockerFinding(
          artifact_, at, Severity::kError, "docker/cuda-not-gpu",
          fmt::format("does not run on {}: CUDA {} has nothing for sm_{}; CUDA {} was the last",
                      gpu.name, Format(cuda), gpu.number, Format(life->last)));
      artifact_.findings.back().hint =
          fmt::format("use an image of CUDA {} or older", Format(life->last));
    } else if (cuda < life->first && !HasOlderOfFamily(cuda, life->architecture)) {
      refused_[gpu.name] = "docker/cuda-not-gpu";
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
      refused_[gpu.name] = "docker/driver-not-gpu";
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

  // False if the driver is too old.
  bool CompareDriver(std::string_view oldest) {
    if (field::Compare(*options_.driver, oldest) >= 0) return true;
    const bool has_other =
        options_.gpus.empty() || !std::ranges::all_of(options_.gpus, &field::GpuTarget::is_geforce);
    AddDockerFinding(artifact_, *final_.at,
                     final_.starts_compat && has_other ? Severity::kWarning : Severity::kError,
                     "docker/driver-too-old",
                     fmt::format("CUDA {}.x needs driver {} or newer, not {}", final_.cuda.major,
                                 oldest, options_.driver->text));
    artifact_.findings.back().hint = DriverHint(has_other);
    return false;
  }

  // There are no compat packages for GeForce.
  std::string DriverHint(bool has_other) const {
    if (has_other && !final_.compat.empty()) {
      return final_.compat + " may be enough on data center GPUs; elsewhere update the driver";
    }
    const std::optional<field::CudaVersion> known = field::CudaOfDriver(*options_.driver);
    std::string hint =
        known ? fmt::format("use an image of CUDA {}.x, or update the driver", known->major)
              : std::string("update the driver");
    if (has_other) {
      hint += fmt::format("; on data center GPUs the package cuda-compat-{}-{} may be enough",
                          final_.cuda.major, final_.cuda.minor);
    } else if (!final_.compat.empty()) {
      hint += "; the compat package does not support GeForce";
    }
    return hint;
  }

  const Dockerfile& file_;
  const InspectOptions& options_;
  Artifact& artifact_;
  FinalCuda final_;
  RefusedGpus refused_;
};

}  // namespace

void CheckGpus(const Dockerfile& file, const InspectOptions& options, RefusedGpus refused,
               ScriptBudget& budget, Artifact& artifact) {
  if (file.stages.empty()) return;
  Gpus(file, options, std::move(refused), budget, artifact).Check();
}

}  // namespace sibyl::inspect
