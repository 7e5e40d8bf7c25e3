// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/describe_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "inspect/cuda/code_summary.h"
#include "inspect/cuda/verdict.h"

namespace sibyl::inspect {
namespace {

// What to do where it does not run.
std::string HintFor(const GpuVerdict& verdict, const VerdictOptions& how) {
  if (verdict.is_of_other_host) {
    return fmt::format("use a build for {}, with code for sm_{}", verdict.gpu.host,
                       verdict.gpu.number);
  }
  const field::ArchitectureLife* life = field::LifeOf(verdict.gpu.number);
  const bool is_too_old = how.driver && !WhyDriverIsTooOld(how.runtime_major, *how.driver).empty();
  const bool has_image = verdict.error != 209;
  if (is_too_old && has_image) {
    std::string update = "update the driver, or use a build for an older CUDA";
    const bool is_product = verdict.gpu.name != fmt::format("sm_{}", verdict.gpu.number);
    if (is_product && !verdict.gpu.is_data_center) return update;
    // Any of the major version is enough for all of its programs.
    return fmt::format("{}; on {}, installing cuda-compat-{}-0 may be enough", update,
                       is_product ? verdict.gpu.name : std::string("data center GPUs"),
                       how.runtime_major);
  }
  std::string driver = how.driver && !WhyDriverLacks(verdict.gpu, *how.driver).empty()
                           ? DriverRemedy(verdict.gpu, *how.driver)
                           : std::string();
  if (!driver.empty() && has_image) return driver;
  if (verdict.error == 222) return "update the driver, or use a build for an older CUDA";
  if (verdict.error != 209 || life == nullptr) return {};
  if (life->last != field::CudaVersion{} && how.runtime_major > life->last.major) {
    return fmt::format("CUDA {} does not compile for sm_{}: use a build of CUDA {} or older{}",
                       how.runtime_major, verdict.gpu.number, Format(life->last),
                       driver.empty() ? driver : ", and " + driver);
  }
  return fmt::format("build with -gencode arch=compute_{0},code=sm_{0}{1}", verdict.gpu.number,
                     is_too_old ? ", and update the driver" : "");
}

// What is linked with a release of CUDA needs its driver, whatever the GPU.
void JudgeDriver(const InspectOptions& options, Artifact& artifact) {
  if (!options.driver || !options.gpus.empty()) return;
  const std::uint32_t major = FindCudaLink(artifact).major;
  const std::string_view floor = field::DriverFloor(major);
  if (floor.empty()) return;
  const std::string why = WhyDriverIsTooOld(major, *options.driver);
  if (why.empty()) {
    artifact.detail["compared"] = Json::array(
        {fmt::format("driver {}: enough for CUDA {}.x, which needs {} or newer; whether it runs on "
                     "a GPU, --gpu says",
                     options.driver->text, major, floor)});
    return;
  }
  artifact.findings.push_back({.severity = Severity::kError,
                               .code = "gpu/does-not-run",
                               .message = fmt::format("does not run on any GPU: {}", why),
                               .hint = "update the driver, or use a build for an older CUDA",
                               .place = {.file = artifact.path}});
}

void JudgeFor(const InspectOptions& options, Artifact& artifact) {
  const Fact* const machine = FindFact(artifact, "elf", "machine");
  const VerdictOptions how{
      .driver = options.driver,
      .runtime_major = RuntimeMajor(artifact),
      .machine = machine == nullptr ? artifact.machine : machine->value.get<std::string>(),
      .link = FindCudaLink(artifact)};
  for (const field::GpuTarget& gpu : options.gpus) {
    GpuVerdict verdict = Judge(artifact.code, gpu, how);
    // Error 35 is the runtime's; these need no driver, but their code does.
    const std::string& own = artifact.dynamic.soname;
    if (own.starts_with("libnvrtc.") || own.starts_with("libnvJitLink.")) verdict.error.reset();
    if (verdict.runs == Runs::kNot) {
      artifact.findings.push_back(
          {.severity = Severity::kError,
           .code = "gpu/does-not-run",
           .message = fmt::format(
               "does not run on {}: {}{}", gpu.name, verdict.why,
               verdict.error ? fmt::format(" (error {})", *verdict.error) : std::string()),
           .hint = HintFor(verdict, how),
           .place = {.file = artifact.path}});
    }
    // A library may have kernels for other GPUs in separate containers and choose among them:
    // the verdict has their number. That the driver is too old for some is a problem.
    if (verdict.runs == Runs::kPartly && verdict.has_newer_ptx) {
      artifact.findings.push_back({.severity = Severity::kWarning,
                                   .code = "gpu/runs-partly",
                                   .message = fmt::format("runs on {}: {}", gpu.name, verdict.why),
                                   .hint = "update the driver, or use a build for an older CUDA",
                                   .place = {.file = artifact.path}});
    }
    artifact.verdicts.push_back(std::move(verdict));
  }
}

// The driver takes these as they are, and refuses one that ends too early. Of the findings about
// the damage, the first one says enough.
bool RefuseDamaged(const InspectOptions& options, bool is_cut, Artifact& artifact) {
  const bool is_loaded_whole = artifact.kind == "cubin" || artifact.kind == "fatbin";
  if (!is_loaded_whole || (!is_cut && artifact.code.damages.empty())) return false;
  constexpr int kInvalidImage = 200;
  bool is_said = false;
  std::erase_if(artifact.findings, [&](const Finding& finding) {
    const bool is_damage = finding.code == "elf/cut" || finding.code == "cuda/damaged";
    return is_damage && std::exchange(is_said, true);
  });
  for (Finding& finding : artifact.findings) {
    if (finding.code == "elf/cut") finding.message = "the ELF file is shorter than its headers say";
  }
  const std::string why = "the file is truncated or damaged, and the driver does not load it";
  for (const field::GpuTarget& gpu : options.gpus) {
    artifact.findings.push_back(
        {.severity = Severity::kError,
         .code = "gpu/does-not-run",
         .message = fmt::format("does not run on {}: {} (error {})", gpu.name, why, kInvalidImage),
         .hint = "copy or download the file again",
         .place = {.file = artifact.path}});
    artifact.verdicts.push_back(
        {.gpu = gpu, .runs = Runs::kNot, .error = kInvalidImage, .why = why});
  }
  return true;
}

}  // namespace

void DescribeCode(const InspectOptions& options, Artifact& artifact) {
  AddCodeFacts(artifact);
  // Sections that are missing may have had the code that decides.
  const bool is_cut =
      std::ranges::any_of(artifact.findings, [](const auto& f) { return f.code == "elf/cut"; });
  if (RefuseDamaged(options, is_cut, artifact) || is_cut) return;
  JudgeFor(options, artifact);
  JudgeDriver(options, artifact);
}

}  // namespace sibyl::inspect
