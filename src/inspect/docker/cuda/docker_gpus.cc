// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/cuda/docker_gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "field/field.h"
#include "inspect/cuda/verdict.h"
#include "inspect/docker/cuda/docker_final_cuda.h"
#include "inspect/docker/cuda/docker_requirement.h"
#include "inspect/docker/cuda/docker_torch_wheel.h"
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
        budget_(budget),
        final_(FindFinalCuda(file, budget)),
        refused_(std::move(refused)) {}

  void Check() {
    if (!options_.gpus.empty()) CheckPlatform(file_.Root(file_.stages.size() - 1).instructions[0]);
    bool is_driver_enough = true;
    if (final_.at != nullptr) {
      for (const field::GpuTarget& gpu : options_.gpus) CheckGpu(gpu);
      is_driver_enough = CheckDriver();
    }
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
    const std::string_view oldest = OldestDriver(final_.cuda);
    if (!options_.driver) return !oldest.empty();
    if (!oldest.empty()) return CompareDriver(oldest);
    Finding& finding = AddDockerFinding(artifact_, *final_.at, Severity::kNote,
                                        "docker/driver-not-compared", WhyNotCompared());
    if (final_.cuda.major != 0) {
      finding.hint = "NVIDIA's release notes of that CUDA name the oldest driver";
    } else if (!final_.is_resolved) {
      finding.hint = "give the ARG a default";
    } else if (final_.is_package) {
      finding.hint = "install a package that names its CUDA, such as cuda-toolkit-12-8";
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

  // Code for sm_80 runs on sm_89.
  static bool HasOlderOfFamily(const field::CudaVersion& cuda, const field::Architecture& gpu) {
    return std::ranges::any_of(field::Architectures(), [&](const auto& life) {
      return life.architecture.major() == gpu.major() && life.architecture.minor() <= gpu.minor() &&
             cuda >= life.first;
    });
  }

  // Why a GPU does not run what the image has, and what helps.
  struct Obstacle {
    Severity severity = Severity::kError;
    std::string why;
    std::string remedy;
    bool is_said = true;  ///< False: neither an obstacle nor known to be none.
  };

  // "use an image of CUDA 12.9 or older"
  std::string Take(const field::CudaVersion& cuda, std::string_view or_what) const {
    if (final_.is_package) return fmt::format("install CUDA {} or {}", Format(cuda), or_what);
    if (final_.is_wheel) {
      return fmt::format("install a build for CUDA {} or {}", Format(cuda), or_what);
    }
    return fmt::format("use an image of CUDA {} or {}", Format(cuda), or_what);
  }

  // Of an image whose tags do not say their CUDA: the newest release with this CUDA or an older one
  // that a document names.
  std::string TakeRelease(const field::CudaVersion& newest, const field::GpuTarget& gpu) const {
    const std::size_t colon = final_.name.rfind(':');
    if (colon == std::string::npos || final_.is_package || final_.is_wheel) return {};
    std::string_view image = std::string_view(final_.name).substr(0, colon);
    constexpr std::string_view kRegistry = "nvcr.io/";
    if (image.starts_with(kRegistry)) image.remove_prefix(kRegistry.size());
    const field::ImageRelease* own =
        field::FindImageRelease(image, std::string_view(final_.name).substr(colon + 1));
    if (own == nullptr) return {};
    const std::string_view kind = own->tag.substr(own->tag.find('-'));
    for (const field::ImageRelease& release : field::ImageReleases()) {
      const bool is_it = release.image == image && release.receipts.is_confirmed &&
                         release.cuda <= newest && release.tag.ends_with(kind) &&
                         release.tag.size() == own->tag.size();
      if (!is_it) continue;
      return fmt::format(
          "use {} or older: it has CUDA {}, as {} says; its release notes say "
          "whether it supports sm_{}",
          release.tag, Format(release.cuda), Show(release.receipts), gpu.number);
    }
    return {};
  }

  Obstacle ObstacleOfTorch(const field::GpuTarget& gpu) const {
    const std::string why = WhyTorchLacks(final_.torch, gpu);
    if (why.empty()) return {};
    const TorchWheel fits = NearestTorchFor(final_.torch, gpu);
    Obstacle obstacle{.why = why + ": its first kernel fails with 'no kernel image is available'"};
    if (fits.index.empty()) return obstacle;
    const bool is_image = !final_.is_wheel && !final_.is_package;
    obstacle.remedy = is_image
                          ? fmt::format("use an image with torch {} for CUDA {}.{}", fits.version,
                                        fits.index.substr(2, 2), fits.index.substr(4))
                          : fmt::format("install torch {} from .../whl/{}, which has code for it",
                                        fits.version, fits.index);
    return obstacle;
  }

  Obstacle ObstacleOfImage(const field::GpuTarget& gpu) const {
    const field::CudaVersion& cuda = final_.cuda;
    const field::ArchitectureLife* life = field::LifeOf(gpu.number);
    if (life == nullptr) return {};
    if (Obstacle of_torch = ObstacleOfTorch(gpu); !of_torch.why.empty()) return of_torch;
    const bool is_dropped = life->last != field::CudaVersion{} && cuda > life->last;
    if (!is_dropped && OldestDriver(cuda).empty()) {
      return {.severity = Severity::kNote,
              .why = cuda.major == 0
                         ? fmt::format("unknown which CUDA {}, so {} was not compared with it",
                                       final_.is_package || final_.is_wheel
                                           ? fmt::format("{} brings", final_.name)
                                           : std::string("it has"),
                                       gpu.name)
                         : fmt::format("CUDA {} is not in the table of known releases, so {} was "
                                       "not compared with it",
                                       Format(cuda), gpu.name),
              .remedy = final_.is_package
                            ? "install a package that names its CUDA, such as cuda-toolkit-12-8"
                            : kInspectImage,
              .is_said = false};
    }
    if (is_dropped) {
      std::string release = TakeRelease(life->last, gpu);
      return {.why = fmt::format("CUDA {} has nothing for sm_{}; CUDA {} was the last",
                                 Format(cuda), gpu.number, Format(life->last)),
              .remedy = release.empty() ? Take(life->last, "older") : std::move(release)};
    }
    if (cuda < life->first && !HasOlderOfFamily(cuda, life->architecture)) {
      return {.severity = Severity::kWarning,
              .why = fmt::format("the libraries of CUDA {} have no machine code for {}: CUDA {} is "
                                 "the first with sm_{}",
                                 Format(cuda), gpu.name, Format(life->first), gpu.number),
              .remedy = Take(life->first, "newer")};
    }
    return {};
  }

  Obstacle ObstacleOfDriver(const field::GpuTarget& gpu) const {
    Obstacle obstacle;
    if (!options_.driver) return obstacle;
    obstacle.why = WhyDriverLacks(gpu, *options_.driver);
    if (obstacle.why.empty()) return obstacle;
    const std::string_view oldest = OldestDriver(final_.cuda);
    obstacle.remedy = DriverRemedy(gpu, *options_.driver, oldest);
    // Unless the driver is too new.
    if (!oldest.empty() && field::Compare(*options_.driver, oldest) < 0) {
      obstacle.why +=
          fmt::format(", and CUDA {}.x needs driver {} or newer", final_.cuda.major, oldest);
    }
    return obstacle;
  }

  // One finding for a GPU: what helps against one obstacle alone may not help.
  void CheckGpu(const field::GpuTarget& gpu) {
    const Obstacle driver = ObstacleOfDriver(gpu);
    const Obstacle image = ObstacleOfImage(gpu);
    const bool is_of_image = !image.why.empty() && image.is_said;
    const auto join = [](const std::string& a, const std::string& b) {
      return a.empty() || b.empty() ? a + b : fmt::format("{}, and {}", a, b);
    };
    if (!driver.why.empty()) {
      refused_[gpu.name] = "docker/driver-not-gpu";
      const DockerInstruction& from = file_.Root(file_.stages.size() - 1).instructions[0];
      AddDockerFinding(artifact_, final_.is_wheel && !is_of_image ? from : *final_.at,
                       Severity::kError, "docker/driver-not-gpu",
                       fmt::format("does not run on {}: {}", gpu.name,
                                   join(driver.why, is_of_image ? image.why : std::string())))
          .hint = join(driver.remedy, is_of_image ? image.remedy : std::string());
      return;
    }
    if (image.why.empty()) return;
    if (!image.is_said) {
      // The finding about the driver says it already.
      if (options_.driver) return;
      AddDockerFinding(artifact_, *final_.at, image.severity, "docker/gpu-not-compared", image.why)
          .hint = image.remedy;
      return;
    }
    refused_[gpu.name] = "docker/cuda-not-gpu";
    AddDockerFinding(artifact_, *final_.at, image.severity, "docker/cuda-not-gpu",
                     image.severity == Severity::kError
                         ? fmt::format("does not run on {}: {}", gpu.name, image.why)
                         : image.why)
        .hint = image.remedy;
  }

  // A driver that runs programs of this CUDA may still be one that the image refuses.
  bool CheckRequirement() {
    const std::string unmet = UnmetRequirement(file_, final_, *options_.driver, budget_);
    if (unmet.empty()) return true;
    const field::Toolkit* release = field::FindToolkit(final_.cuda);
    AddDockerFinding(
        artifact_, *final_.at, Severity::kError, "docker/driver-refused",
        fmt::format("does not start with driver {}: NVIDIA_REQUIRE_CUDA of {} requires "
                    "{}, so the NVIDIA runtime refuses to start it",
                    options_.driver->text, final_.name, unmet))
        .hint = fmt::format(
        "{}with NVIDIA_DISABLE_REQUIRE=1 it starts, without that check",
        release == nullptr ? ""
                           : fmt::format("update the driver to {} or newer; ", release->driver));
    return false;
  }

  // False if the driver is too old.
  bool CompareDriver(std::string_view oldest) {
    if (field::Compare(*options_.driver, oldest) >= 0) return CheckRequirement();
    // The findings about the GPUs say it already, with the driver that is enough for both.
    const bool is_said = !options_.gpus.empty() &&
                         std::ranges::all_of(options_.gpus, [&](const field::GpuTarget& gpu) {
                           const field::ArchitectureLife* life = field::LifeOf(gpu.number);
                           const auto known = field::CudaOfDriver(*options_.driver);
                           return life != nullptr && known && *known < life->first;
                         });
    if (is_said) return false;
    const bool may_have_compat = !CompatGpus().empty();
    AddDockerFinding(
        artifact_, *final_.at,
        final_.starts_compat && may_have_compat ? Severity::kWarning : Severity::kError,
        "docker/driver-too-old",
        fmt::format("CUDA {}.x needs driver {} or newer, not {}", final_.cuda.major, oldest,
                    options_.driver->text))
        .hint = DriverHint(oldest);
    return false;
  }

  // The GPUs for which there may be a compat package: those of data centers, and those whose
  // product is not known.
  std::string CompatGpus() const {
    if (options_.gpus.empty()) return "data center GPUs";
    std::vector<std::string> names;
    for (const field::GpuTarget& gpu : options_.gpus) {
      const bool is_architecture = gpu.name == fmt::format("sm_{}", gpu.number);
      if (is_architecture) return "data center GPUs";
      if (gpu.is_data_center) names.push_back(gpu.name);
    }
    return Join(names, ", ");
  }

  std::string DriverHint(std::string_view oldest) const {
    const std::optional<field::CudaVersion> known = field::CudaOfDriver(*options_.driver);
    std::string hint = fmt::format("update the driver to {} or newer", oldest);
    if (known) {
      hint += final_.is_package || final_.is_wheel
                  ? fmt::format(", or install a build for CUDA {}.x", known->major)
                  : fmt::format(", or use an image of CUDA {}.x", known->major);
    }
    const std::string gpus = CompatGpus();
    if (gpus.empty()) return hint;
    if (!final_.compat.empty()) {
      return fmt::format("{}; on {}, {} may be enough", hint, gpus, final_.compat);
    }
    return fmt::format("{}; on {}, installing cuda-compat-{}-{} may be enough", hint, gpus,
                       final_.cuda.major, final_.cuda.minor);
  }

  const Dockerfile& file_;
  const InspectOptions& options_;
  Artifact& artifact_;
  ScriptBudget& budget_;
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
