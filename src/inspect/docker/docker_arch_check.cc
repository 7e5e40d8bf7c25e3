// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_arch_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "field/field.h"
#include "inspect/cuda/verdict.h"
#include "inspect/docker/docker_arch_list.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

class ArchCheck {
 public:
  ArchCheck(const Dockerfile& file, const InspectOptions& options, ScriptBudget& budget,
            Artifact& artifact)
      : file_(file), options_(options), budget_(budget), artifact_(artifact) {}

  RefusedGpus Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      const CudaImage image = DescribeImage(file_.Root(i).image);
      for (const DockerInstruction& instruction : file_.stages[i].instructions) {
        const std::string script = ExecutedScript(instruction);
        if (!budget_.Spend(script.size())) return refused_;
        for (const ArchList& list : ReadArchLists(instruction, script)) {
          CheckList(image, instruction, list);
          CheckPtx(image, instruction, list);
        }
      }
    }
    return refused_;
  }

 private:
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

  // For a GPU that was asked for, and that the toolkit of the image does not compile for.
  bool IsNeeded(const CudaImage& image, const field::Architecture& architecture) const {
    return std::ranges::any_of(options_.gpus, [&](const field::GpuTarget& gpu) {
      return !Compiles(image, {.number = gpu.number}) &&
             (CubinFits(architecture, gpu.number) || PtxFits(architecture, gpu.number));
    });
  }

  // The list without what the toolkit of the image does not compile, and with everything that it
  // lacks.
  std::string Completed(const CudaImage& image, const ArchList& list) const {
    std::string value = list.value;
    for (const field::Architecture& architecture : AllOf(list)) {
      if (Compiles(image, architecture)) continue;
      if (IsNeeded(image, architecture)) continue;
      const std::string without = WithoutArchitecture(list, value, architecture);
      if (without.empty()) return list.value;  // only another image helps
      value = without;
    }
    for (const field::GpuTarget& gpu : options_.gpus) {
      if (Serves(list, gpu.number) || !Compiles(image, {.number = gpu.number})) continue;
      value = WithArchitecture(list, value, gpu.number);
    }
    // The one with PTX may have been left out.
    if (LacksPtx(list) || (value != list.value && LacksPtx(WithItems(list, value)))) {
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
      refused_[gpu.name] = "docker/arch-not-gpu";
      AddDockerFinding(
          artifact_, at, Severity::kError, "docker/arch-not-gpu",
          fmt::format("{} {} nothing that runs on {} (sm_{})", list.name,
                      list.syntax == ArchSyntax::kNvcc ? "builds" : "has", gpu.name, gpu.number));
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
    // A list of the GPUs that were named, each with machine code of its own.
    const bool is_meant = std::ranges::all_of(options_.gpus, [&](const field::GpuTarget& gpu) {
      return std::ranges::find(list.cubins, gpu.number, &field::Architecture::number) !=
             list.cubins.end();
    });
    if (!LacksPtx(list) || (!options_.gpus.empty() && is_meant)) return;
    const std::uint32_t newest =
        std::ranges::max(list.cubins, {}, &field::Architecture::number).number;
    AddDockerFinding(artifact_, at, Severity::kWarning, "docker/arch-no-ptx",
                     fmt::format("{} has no PTX: GPUs newer than sm_{}x cannot run the result",
                                 list.name, newest / 10));
    Correct(line);
  }

  // Minor version compatibility does not cover PTX: a driver compiles the PTX of its own release
  // and of older ones.
  void CheckPtx(const CudaImage& image, const DockerInstruction& at, const ArchList& list) {
    if (!options_.driver || list.is_cut_by_shell) return;
    const field::CudaVersion toolkit{image.major, image.minor};
    const field::Toolkit* release = field::FindToolkit(toolkit);
    const std::optional<field::CudaVersion> known = field::CudaOfDriver(*options_.driver);
    if (release == nullptr || !known || field::PtxOfCuda(*known) >= release->ptx) return;
    if (field::Compare(*options_.driver, release->floor) < 0) return;  // said of the image
    for (const field::GpuTarget& gpu : options_.gpus) {
      const bool has_cubin = std::ranges::any_of(
          list.cubins, [&](const auto& cubin) { return CubinFits(cubin, gpu.number); });
      if (has_cubin || !Serves(list, gpu.number)) continue;
      refused_[gpu.name] = "docker/driver-too-old";
      AddDockerFinding(artifact_, at, Severity::kError, "docker/driver-too-old",
                       fmt::format("{} has only PTX for {}, and PTX of CUDA {} needs driver {} or "
                                   "newer, not {}",
                                   list.name, gpu.name, Format(toolkit), release->driver,
                                   options_.driver->text));
      artifact_.findings.back().hint =
          Compiles(image, {.number = gpu.number})
              ? fmt::format("compile machine code for sm_{} too, or update the driver", gpu.number)
              : std::string("update the driver");
    }
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
          fmt::format("{}use an image of CUDA {} or {}",
                      IsNeeded(image, architecture) ? "" : "leave it out, or ",
                      Format(is_early ? life->first : life->last), is_early ? "newer" : "older");
      if (IsNeeded(image, architecture)) continue;  // only another image helps
      if (!is_corrected) Correct(line);
      is_corrected = true;
    }
  }

  const Dockerfile& file_;
  const InspectOptions& options_;
  ScriptBudget& budget_;
  Artifact& artifact_;
  RefusedGpus refused_;
};

}  // namespace

RefusedGpus CheckArchLists(const Dockerfile& file, const InspectOptions& options,
                           ScriptBudget& budget, Artifact& artifact) {
  return ArchCheck(file, options, budget, artifact).Check();
}

}  // namespace sibyl::inspect
