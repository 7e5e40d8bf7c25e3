// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_gpus.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/cuda/verdict.h"
#include "inspect/docker/docker_arch_list.h"
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
    const bool is_said = artifact_.findings.size() > before;
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      const CudaImage image = DescribeImage(file_.Root(i).image);
      for (const DockerInstruction& instruction : file_.stages[i].instructions) {
        const std::string script = instruction.Script();
        if (!budget_.Spend(script.size())) return;
        for (const ArchList& list : ReadArchLists(instruction, script)) {
          CheckList(image, instruction, list);
        }
      }
    }
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
    const field::CudaVersion cuda =
        wheel.cuda.major != 0 ? wheel.cuda : field::CudaVersion{image.major, image.minor};
    Json compared = Json::array();
    for (const field::GpuTarget& gpu : options_.gpus) {
      if (cuda.major == 0) {
        compared.push_back(fmt::format("{}: nothing in it brings CUDA, so there is nothing to run",
                                       ShownGpu(gpu)));
        continue;
      }
      const std::string driver =
          options_.driver ? fmt::format(", and driver {} is enough", options_.driver->text) : "";
      compared.push_back(fmt::format("{}: {} has CUDA {}, which supports it{}", ShownGpu(gpu),
                                     wheel.cuda.major != 0 ? wheel.name : root.image, Format(cuda),
                                     driver));
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
    if (has_no_cuda) return;
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
    if (image.is_known && image.major == 0 && wheel.run == nullptr) return;
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

  static bool Compiles(const CudaImage& image, const field::Architecture& architecture) {
    const field::ArchitectureLife* life = field::LifeOf(architecture);
    if (image.major == 0 || life == nullptr) return true;
    const field::CudaVersion toolkit{image.major, image.minor};
    return toolkit >= life->first && (life->last == field::CudaVersion{} || toolkit <= life->last);
  }

  // True if code for this GPU, or PTX that it compiles, is in the list.
  static bool Serves(const ArchList& list, std::uint32_t gpu) {
    return std::ranges::any_of(list.cubins, [&](const auto& c) { return CubinFits(c, gpu); }) ||
           std::ranges::any_of(list.ptx, [&](const auto& p) { return PtxFits(p, gpu); });
  }

  static bool LacksPtx(const ArchList& list) {
    if (list.syntax == ArchSyntax::kNvcc || !list.ptx.empty()) return false;
    // 9.0a: built on purpose for one GPU and no other.
    if (std::ranges::any_of(list.cubins, [](const auto& c) { return c.suffix != '\0'; })) {
      return false;
    }
    const std::uint32_t newest =
        std::ranges::max(list.cubins, {}, &field::Architecture::number).number;
    return std::ranges::any_of(field::Architectures(), [&](const auto& life) {
      return life.architecture.major() > newest / 10 && life.architecture.suffix == '\0' &&
             life.last == field::CudaVersion{};
    });
  }

  // The list without what the toolkit of the image does not compile, and with everything that it
  // lacks.
  std::string Completed(const CudaImage& image, const ArchList& list) const {
    std::string value = list.value;
    for (const field::Architecture& architecture : AllOf(list)) {
      if (Compiles(image, architecture)) continue;
      const std::string without = WithoutArchitecture(list, value, architecture);
      if (without.empty()) return list.value;  // only another image helps
      value = without;
    }
    for (const field::GpuTarget& gpu : options_.gpus) {
      if (Serves(list, gpu.number) || !Compiles(image, {.number = gpu.number})) continue;
      value = WithArchitecture(list, value, gpu.number);
    }
    if (LacksPtx(list)) {
      if (std::string with_ptx = WithPtx(list, value); !with_ptx.empty()) value = with_ptx;
    }
    return value;
  }

  void CheckList(const CudaImage& image, const DockerInstruction& at, const ArchList& list) {
    if (list.is_cut_by_shell) {
      AddDockerFinding(artifact_, at, Severity::kError, "docker/arch-unquoted",
                       fmt::format("the shell ends the command at the ';' in {}: the rest of the "
                                   "list is run as a command",
                                   list.name));
      artifact_.findings.back().hint = "put the list in quotes";
      return;
    }
    const std::string value = Completed(image, list);
    const CorrectedLine line = value == list.value ? CorrectedLine() : WithValue(at, list, value);
    CheckToolkit(image, at, list, line);
    for (const field::GpuTarget& gpu : options_.gpus) {
      if (Serves(list, gpu.number)) continue;
      AddDockerFinding(
          artifact_, at, Severity::kError, "docker/arch-not-gpu",
          fmt::format("{} has nothing that runs on {} (sm_{})", list.name, gpu.name, gpu.number));
      if (!Compiles(image, {.number = gpu.number})) {
        const field::ArchitectureLife* life = field::LifeOf(gpu.number);
        const bool is_early = field::CudaVersion{image.major, image.minor} < life->first;
        artifact_.findings.back().hint =
            fmt::format("CUDA {}.{} does not compile for sm_{}: use an image of CUDA {} or {}",
                        image.major, image.minor, gpu.number,
                        Format(is_early ? life->first : life->last), is_early ? "newer" : "older");
      } else if (list.syntax == ArchSyntax::kNvcc) {
        artifact_.findings.back().hint =
            fmt::format("add -gencode arch=compute_{0},code=sm_{0}", gpu.number);
      }
      Correct(line);
    }
    if (!LacksPtx(list)) return;
    const std::uint32_t newest =
        std::ranges::max(list.cubins, {}, &field::Architecture::number).number;
    AddDockerFinding(artifact_, at, Severity::kWarning, "docker/arch-no-ptx",
                     fmt::format("{} has no PTX: GPUs newer than sm_{}x cannot run the result",
                                 list.name, newest / 10));
    Correct(line);
  }

  void Correct(const CorrectedLine& line) {
    if (!line.text.empty()) CorrectDockerLine(artifact_, {.line = line.line}, {line.text});
  }

  static std::vector<field::Architecture> AllOf(const ArchList& list) {
    std::vector<field::Architecture> all = list.cubins;
    all.insert(all.end(), list.ptx.begin(), list.ptx.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  void CheckToolkit(const CudaImage& image, const DockerInstruction& at, const ArchList& list,
                    const CorrectedLine& line) {
    const field::CudaVersion toolkit{image.major, image.minor};
    bool is_corrected = false;
    for (const field::Architecture& architecture : AllOf(list)) {
      if (Compiles(image, architecture)) continue;
      const field::ArchitectureLife* life = field::LifeOf(architecture);
      const bool is_early = toolkit < life->first;
      AddDockerFinding(artifact_, at, Severity::kError, "docker/arch-unsupported",
                       fmt::format("CUDA {} does not compile for {}: {} {}", Format(toolkit),
                                   Format(architecture),
                                   is_early ? "the first that does is" : "the last that did is",
                                   Format(is_early ? life->first : life->last)));
      artifact_.findings.back().hint =
          fmt::format("leave it out, or use an image of CUDA {} or {}",
                      Format(is_early ? life->first : life->last), is_early ? "newer" : "older");
      if (!is_corrected) Correct(line);
      is_corrected = true;
    }
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
