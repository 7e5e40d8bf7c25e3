// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "inspect/cmake/cmake_check.h"
#include "inspect/cuda/verdict.h"

namespace sibyl::inspect {
namespace {

constexpr std::string_view kArchitectures = "CMAKE_CUDA_ARCHITECTURES";
constexpr std::string_view kTorchList = "TORCH_CUDA_ARCH_LIST";

struct ConfiguredCode {
  std::vector<field::Architecture> cubins;
  std::vector<field::Architecture> ptx;
};

// "80;86-real;90-virtual". Nothing for "native", "all" and what else is not a number: then CMake
// asks the machine or the compiler.
std::optional<ConfiguredCode> ReadArchitectures(std::string_view text) {
  ConfiguredCode code;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    std::string_view item = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (item.empty()) continue;
    const bool is_real = item.ends_with("-real");
    const bool is_virtual = item.ends_with("-virtual");
    item = item.substr(0, item.find('-'));
    const auto architecture = field::ParseArchitecture(fmt::format("sm_{}", item));
    if (!architecture) return std::nullopt;
    if (!is_virtual) code.cubins.push_back(*architecture);
    if (!is_real) code.ptx.push_back(*architecture);
  }
  if (code.cubins.empty() && code.ptx.empty()) return std::nullopt;
  return code;
}

// "8.0;9.0+PTX": machine code of each, and PTX where it is asked for. Nothing for names and
// "Common".
std::optional<ConfiguredCode> ReadTorchList(std::string_view text) {
  ConfiguredCode code;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("; ,"), text.size());
    std::string_view item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (item.empty()) continue;
    const bool has_ptx = item.ends_with("+PTX");
    if (has_ptx) item.remove_suffix(4);
    const auto architecture = field::ParseArchitecture(item);
    if (!architecture) return std::nullopt;
    code.cubins.push_back(*architecture);
    if (has_ptx) code.ptx.push_back(*architecture);
  }
  if (code.cubins.empty()) return std::nullopt;
  return code;
}

// "-gencode arch=compute_80,code=sm_80 -arch=sm_90"
ConfiguredCode ReadFlags(std::string_view text) {
  ConfiguredCode code;
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    for (std::size_t at = text.find(prefix); at != text.npos; at = text.find(prefix, at + 1)) {
      if (at == 0 || std::string_view("=,[\"' ").find(text[at - 1]) == std::string_view::npos)
        continue;
      const std::size_t end = std::min(text.find_first_of(",;] \"'", at), text.size());
      const auto architecture = field::ParseArchitecture(text.substr(at, end - at));
      if (architecture) (prefix == "sm_" ? code.cubins : code.ptx).push_back(*architecture);
    }
  }
  return code;
}

// A setting that says for which architectures the build compiles.
struct ConfiguredList {
  const CacheEntry* entry = nullptr;
  ConfiguredCode code;

  // "90" or "9.0", as its items are written.
  std::string Item(std::uint32_t number) const {
    return entry->key == kTorchList ? fmt::format("{}.{}", number / 10, number % 10)
                                    : std::to_string(number);
  }
};

// The list that decides what the result runs on: that of CMake, otherwise that of PyTorch.
std::optional<ConfiguredList> DecidingList(const CMakeCache& cache) {
  for (const std::string_view key : {kArchitectures, kTorchList}) {
    const CacheEntry* const entry = cache.Find(key);
    if (entry == nullptr) continue;
    auto code = key == kTorchList ? ReadTorchList(entry->value) : ReadArchitectures(entry->value);
    if (code) return ConfiguredList{.entry = entry, .code = *std::move(code)};
  }
  return std::nullopt;
}

// Every setting whose architectures the compiler is given.
std::vector<ConfiguredList> CompiledLists(const CMakeCache& cache) {
  std::vector<ConfiguredList> lists;
  for (const std::string_view key :
       {kArchitectures, kTorchList, std::string_view("CMAKE_CUDA_FLAGS"),
        std::string_view("CUDA_NVCC_FLAGS")}) {
    const CacheEntry* const entry = cache.Find(key);
    if (entry == nullptr) continue;
    std::optional<ConfiguredCode> code = key == kArchitectures ? ReadArchitectures(entry->value)
                                         : key == kTorchList   ? ReadTorchList(entry->value)
                                                               : ReadFlags(entry->value);
    if (code) lists.push_back({.entry = entry, .code = *std::move(code)});
  }
  return lists;
}

// The code of the finding that says why it does not run, by the name of the GPU.
using RefusedBy = std::map<std::string, std::string>;

// The compiler's version, or the release in its path.
std::optional<field::CudaVersion> ToolkitOf(const CMakeCache& cache, const InspectOptions& options,
                                            const Artifact& artifact) {
  for (const Fact& fact : artifact.facts) {
    if (fact.key != "cuda_compiler_version" || !fact.value.is_string()) continue;
    return field::ParseCudaVersion(fact.value.get<std::string>());
  }
  const std::string_view compiler = cache.Value("CMAKE_CUDA_COMPILER");
  return options.reads_named_files ? ToolkitAt(compiler) : ToolkitNamedBy(compiler);
}

// Minor version compatibility does not cover PTX: a driver compiles the PTX of its own release and
// of older ones.
void CheckPtxDriver(const ConfiguredList& list, const std::optional<field::CudaVersion>& toolkit,
                    const field::GpuTarget& gpu, const InspectOptions& options,
                    Artifact& artifact) {
  const field::Toolkit* release = toolkit ? field::FindToolkit(*toolkit) : nullptr;
  if (!options.driver || release == nullptr) return;
  const std::optional<field::CudaVersion> known = field::CudaOfDriver(*options.driver);
  if (!known || field::PtxOfCuda(*known) >= release->ptx) return;
  if (field::Compare(*options.driver, release->floor) < 0) return;  // said of the toolkit
  artifact.findings.push_back(
      {.severity = Severity::kError,
       .code = "cmake/driver-too-old",
       .message = fmt::format(
           "{} has only PTX for {}, and PTX of CUDA {} needs driver {} or newer, "
           "not {}",
           list.entry->key, gpu.name, Format(*toolkit), release->driver, options.driver->text),
       .hint = fmt::format("add {} to {}, or update the driver", list.Item(gpu.number),
                           list.entry->key),
       .place = {.file = artifact.path, .line = list.entry->line}});
}

void CheckList(const CMakeCache& cache, const InspectOptions& options, Artifact& artifact,
               RefusedBy& refused) {
  const std::optional<ConfiguredList> list = DecidingList(cache);
  if (!list) return;
  const std::optional<field::CudaVersion> toolkit = ToolkitOf(cache, options, artifact);
  for (const field::GpuTarget& gpu : options.gpus) {
    const bool is_native = std::ranges::any_of(
        list->code.cubins, [&](const auto& c) { return CubinFits(c, gpu.number); });
    const bool has_ptx =
        std::ranges::any_of(list->code.ptx, [&](const auto& p) { return PtxFits(p, gpu.number); });
    const std::size_t before = artifact.findings.size();
    if (!is_native && has_ptx) CheckPtxDriver(*list, toolkit, gpu, options, artifact);
    if (artifact.findings.size() > before) refused[gpu.name] = "cmake/driver-too-old";
    if (is_native || has_ptx) continue;
    refused[gpu.name] = "cmake/arch-not-gpu";
    artifact.findings.push_back(
        {.severity = Severity::kError,
         .code = "cmake/arch-not-gpu",
         .message = fmt::format("{} is {}: nothing of that runs on {} (sm_{})", list->entry->key,
                                list->entry->value, gpu.name, gpu.number),
         .hint = fmt::format("configure again with -D{}=\"{};{}\"", list->entry->key,
                             list->entry->value, list->Item(gpu.number)),
         .place = {.file = artifact.path, .line = list->entry->line}});
  }
}

// What the compiler refuses: "70-real" with CUDA 13.
void CheckCompiled(const ConfiguredList& list, const field::CudaVersion& toolkit,
                   Artifact& artifact) {
  std::vector<field::Architecture> all = list.code.cubins;
  all.insert(all.end(), list.code.ptx.begin(), list.code.ptx.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const field::Architecture& architecture : all) {
    const field::ArchitectureLife* life = field::LifeOf(architecture);
    if (life == nullptr) continue;
    const bool is_early = toolkit < life->first;
    const bool is_late = life->last != field::CudaVersion{} && toolkit > life->last;
    if (!is_early && !is_late) continue;
    artifact.findings.push_back(
        {.severity = Severity::kError,
         .code = "cmake/arch-unsupported",
         .message = fmt::format("CUDA {} does not compile for {}: {} {}", Format(toolkit),
                                Format(architecture),
                                is_early ? "the first that does is" : "the last that did is",
                                Format(is_early ? life->first : life->last)),
         .hint =
             fmt::format("leave it out of {}, or configure with another toolkit", list.entry->key),
         .place = {.file = artifact.path, .line = list.entry->line}});
  }
}

enum class DriverCheck { kEnough, kTooOld, kNotCompared };

// kTooOld: for all GPUs.
DriverCheck CheckDriverOf(const CMakeCache& cache, const InspectOptions& options,
                          Artifact& artifact, RefusedBy& refused) {
  if (!options.driver) return DriverCheck::kEnough;
  const std::optional<field::CudaVersion> toolkit = ToolkitOf(cache, options, artifact);
  const CacheEntry* entry = cache.Find("CMAKE_CUDA_COMPILER");
  const std::string_view floor = toolkit ? field::DriverFloor(toolkit->major) : "";
  bool is_said = !options.gpus.empty();  // that the driver is too old
  for (const field::GpuTarget& gpu : options.gpus) {
    const std::string why = WhyDriverLacks(gpu, *options.driver);
    const field::ArchitectureLife* life = field::LifeOf(gpu.number);
    const auto known = field::CudaOfDriver(*options.driver);
    is_said = is_said && life != nullptr && known && *known < life->first;
    if (why.empty()) continue;
    refused[gpu.name] = "cmake/driver-not-gpu";
    artifact.findings.push_back({.severity = Severity::kError,
                                 .code = "cmake/driver-not-gpu",
                                 .message = fmt::format("does not run on {}: {}", gpu.name, why),
                                 .hint = DriverRemedy(gpu, *options.driver, floor),
                                 .place = {.file = artifact.path}});
  }
  if (floor.empty()) {
    artifact.findings.push_back(
        {.severity = Severity::kNote,
         .code = "cmake/driver-not-compared",
         .message = toolkit
                        ? fmt::format("CUDA {} is not in the table of known releases, so driver {} "
                                      "was not compared with it",
                                      Format(*toolkit), options.driver->text)
                        : fmt::format("unknown which CUDA the build uses, so driver {} was not "
                                      "compared with it",
                                      options.driver->text),
         .hint = "inspect what was built",
         .place = {.file = artifact.path, .line = entry == nullptr ? 0 : entry->line}});
    return DriverCheck::kNotCompared;
  }
  if (field::Compare(*options.driver, floor) >= 0) return DriverCheck::kEnough;
  if (is_said) return DriverCheck::kTooOld;
  artifact.findings.push_back(
      {.severity = Severity::kError,
       .code = "cmake/driver-too-old",
       .message = fmt::format("programs of CUDA {}.x need driver {} or newer, not {}",
                              toolkit->major, floor, options.driver->text),
       .hint = "configure with an older toolkit, or update the driver",
       .place = {.file = artifact.path, .line = entry == nullptr ? 0 : entry->line}});
  return DriverCheck::kTooOld;
}

// Silence would be taken for "runs". True if it said so.
bool SayWhatWasNotCompared(const CMakeCache& cache, const InspectOptions& options,
                           Artifact& artifact) {
  const CacheEntry* entry = cache.Find(kArchitectures);
  if (options.gpus.empty() || DecidingList(cache)) return false;
  const std::string why =
      entry == nullptr || Trim(entry->value).empty()
          ? fmt::format("{} is not set", kArchitectures)
          : fmt::format("{} is '{}', which depends on the machine or the compiler", kArchitectures,
                        entry->value);
  artifact.findings.push_back(
      {.severity = Severity::kNote,
       .code = "cmake/gpu-not-compared",
       .message = fmt::format("{}, so nothing was compared with {}", why, options.gpus[0].name),
       .hint = "inspect what was built",
       .place = {.file = artifact.path, .line = entry == nullptr ? 0 : entry->line}});
  return true;
}

// Also of a driver that could not be compared: the architectures fit all the same.
void SayWhatRuns(const CMakeCache& cache, const InspectOptions& options, const RefusedBy& refused,
                 DriverCheck driver, Artifact& artifact) {
  const std::optional<ConfiguredList> list = DecidingList(cache);
  if (!list) return;
  Json compared = Json::array();
  for (const field::GpuTarget& gpu : options.gpus) {
    if (const auto by = refused.find(gpu.name); by != refused.end()) {
      if (options.gpus.size() == 1) return;  // the finding says it
      compared.push_back(fmt::format("{}: does not run, see {}", ShownGpu(gpu), by->second));
      continue;
    }
    compared.push_back(
        fmt::format("{}: {} {} runs on it{}", ShownGpu(gpu), list->entry->key, list->entry->value,
                    options.driver && driver == DriverCheck::kEnough
                        ? fmt::format(", and driver {} is enough", options.driver->text)
                        : ""));
  }
  if (!compared.empty()) artifact.detail["compared"] = std::move(compared);
}

}  // namespace

void CheckCMakeGpus(const CMakeCache& cache, const InspectOptions& options, Artifact& artifact) {
  if (const std::optional<field::CudaVersion> toolkit = ToolkitOf(cache, options, artifact)) {
    for (const ConfiguredList& list : CompiledLists(cache)) CheckCompiled(list, *toolkit, artifact);
  }
  RefusedBy refused;
  CheckList(cache, options, artifact, refused);
  const DriverCheck driver = CheckDriverOf(cache, options, artifact, refused);
  const bool is_unknown = SayWhatWasNotCompared(cache, options, artifact);
  if (is_unknown || driver == DriverCheck::kTooOld) return;
  SayWhatRuns(cache, options, refused, driver, artifact);
}

}  // namespace sibyl::inspect
