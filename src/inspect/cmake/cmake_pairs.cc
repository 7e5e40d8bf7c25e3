// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_pairs.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <vector>

namespace sibyl::inspect {
namespace {

using Names = std::array<std::string_view, 5>;

struct KnownPair {
  std::string_view what;
  Names headers;
  Names libraries;
  std::string_view off_switch;  // this switch makes the pair irrelevant
  bool off_when_on = false;     // LIBKINETO_NOCUPTI=ON, but USE_NCCL=OFF
  std::string_view result;      // without the library
  std::string_view fix;
};

constexpr KnownPair kPairs[] = {
    {"CUPTI",
     {"CUDAToolkit_CUPTI_INCLUDE_DIR", "CUPTI_INCLUDE_DIR", "CUDA_CUPTI_INCLUDE_DIR"},
     {"CUDA_cupti_LIBRARY", "CUPTI_LIBRARY", "CUPTI_LIBRARY_PATH", "CUDA_CUPTI_LIBRARY"},
     "LIBKINETO_NOCUPTI",
     true,
     "the profiler is built without CUDA activities, and configuring does not fail",
     "install cuda-cupti-dev (or cuda-command-line-tools), delete these entries, configure again"},
    {"cuDNN",
     {"CUDNN_INCLUDE_DIR", "CUDNN_INCLUDE_PATH", "cudnn_INCLUDE_DIR"},
     {"CUDNN_LIBRARY", "CUDNN_LIBRARY_PATH", "CUDNN_LIBRARIES", "cudnn_LIBRARY"},
     "USE_CUDNN",
     false,
     "convolutions and attention fall back to slower kernels",
     "install libcudnn9-dev-cuda-12 or -13, as the toolkit, delete these entries, configure again"},
    {"NCCL",
     {"NCCL_INCLUDE_DIR", "NCCL_INCLUDE_DIRS"},
     {"NCCL_LIBRARY", "NCCL_LIBRARIES"},
     "USE_NCCL",
     false,
     "there is no NCCL backend for several GPUs",
     "install libnccl-dev, delete these entries, configure again"},
    {"cuSPARSELt",
     {"CUSPARSELT_INCLUDE_PATH", "CUSPARSELT_INCLUDE_DIR"},
     {"CUSPARSELT_LIBRARY_PATH", "CUSPARSELT_LIBRARY"},
     "USE_CUSPARSELT",
     false,
     "semi-structured sparsity is not built",
     "install cusparselt, delete these entries, configure again"},
};

struct Half {
  const CacheEntry* found = nullptr;
  const CacheEntry* missing = nullptr;
};

Half LookFor(const CMakeCache& cache, const Names& names) {
  Half half;
  for (const std::string_view name : names) {
    const CacheEntry* entry = name.empty() ? nullptr : cache.Find(name);
    if (entry == nullptr) continue;
    if (entry->IsFound()) {
      half.found = entry;
    } else if (entry->IsNotFound()) {
      half.missing = entry;
    }
  }
  return half;
}

void CheckKnownPair(const CMakeCache& cache, const KnownPair& pair, Artifact& artifact) {
  const Half header = LookFor(cache, pair.headers);
  const Half library = LookFor(cache, pair.libraries);
  const bool no_library =
      header.found != nullptr && library.found == nullptr && library.missing != nullptr;
  const bool no_header =
      library.found != nullptr && header.found == nullptr && header.missing != nullptr;
  if (!no_library && !no_header) return;
  const bool is_off = pair.off_when_on ? cache.IsOn(pair.off_switch) : cache.IsOff(pair.off_switch);
  const CacheEntry& missing = no_library ? *library.missing : *header.missing;
  const CacheEntry& found = no_library ? *header.found : *library.found;
  Finding finding = AboutEntry(artifact, missing, is_off ? Severity::kNote : Severity::kError,
                               "cmake/half-found");
  finding.message = fmt::format("{}: the {} was found ({}={}), the {} was not; {}", pair.what,
                                no_library ? "header" : "library", found.key, found.value,
                                no_library ? "library" : "header", pair.result);
  if (is_off) finding.message += fmt::format(", as {} requests", pair.off_switch);
  finding.hint = pair.fix;
  artifact.findings.push_back(std::move(finding));
}

// X_INCLUDE_DIR and X_LIBRARY of any other package.
void CheckOtherPairs(const CMakeCache& cache, Artifact& artifact) {
  std::set<std::string_view> known;
  for (const KnownPair& pair : kPairs) {
    known.insert(pair.headers.begin(), pair.headers.end());
    known.insert(pair.libraries.begin(), pair.libraries.end());
  }
  constexpr std::string_view kHeader = "_INCLUDE_DIR";
  for (const CacheEntry& header : cache.entries) {
    if (!header.key.ends_with(kHeader) || known.contains(header.key)) continue;
    const std::string stem = header.key.substr(0, header.key.size() - kHeader.size());
    const CacheEntry* library = cache.Find(stem + "_LIBRARY");
    // A release and a debug library count as the library.
    const CacheEntry* release = cache.Find(stem + "_LIBRARY_RELEASE");
    if (library == nullptr || (release != nullptr && release->IsFound())) continue;
    const bool no_library = header.IsFound() && library->IsNotFound();
    const bool no_header = header.IsNotFound() && library->IsFound();
    if (!no_library && !no_header) continue;
    Finding finding = AboutEntry(artifact, no_library ? *library : header, Severity::kWarning,
                                 "cmake/half-found");
    finding.message =
        fmt::format("{}: the {} was found, the {} was not", stem, no_library ? "header" : "library",
                    no_library ? "library" : "header");
    artifact.findings.push_back(std::move(finding));
  }
}

struct TorchSwitch {
  std::string_view name;
  bool reported_when_on;  // otherwise reported when off
  bool needs_cuda;        // not reported in a build without CUDA
  Severity severity;
  std::string_view meaning;
};

constexpr TorchSwitch kSwitches[] = {
    {"USE_KINETO", false, false, Severity::kWarning,
     "torch.profiler records no device activities: Kineto is not built"},
    {"LIBKINETO_NOCUPTI", true, true, Severity::kWarning,
     "torch.profiler shows no CUDA kernels: Kineto is built without CUPTI"},
    {"USE_CUDNN", false, true, Severity::kWarning, "convolutions run without cuDNN, much slower"},
    {"USE_NCCL", false, true, Severity::kWarning,
     "torch.distributed has no nccl backend: training on several GPUs falls back to gloo"},
    {"USE_DISTRIBUTED", false, false, Severity::kNote, "torch.distributed is not built"},
    {"USE_FLASH_ATTENTION", false, true, Severity::kNote,
     "scaled_dot_product_attention has no flash kernels"},
    {"USE_MEM_EFF_ATTENTION", false, true, Severity::kNote,
     "scaled_dot_product_attention has no memory-efficient kernels"},
    {"BUILD_SPLIT_CUDA", true, true, Severity::kNote,
     "libtorch_cuda is split into libtorch_cuda_cu and libtorch_cuda_cpp"},
    {"USE_CUPTI_SO", true, true, Severity::kNote,
     "libcupti.so must be found when the program runs; it is not linked in"},
    {"DEBUG_CUDA", true, true, Severity::kWarning,
     "device code is built with -lineinfo and without its usual optimisation"},
};

// A list of a million paths is quoted once per missing path, so only its beginning is shown.
std::string_view Beginning(const std::string& text) {
  return std::string_view(text).substr(0, 1000);
}

}  // namespace

Finding AboutEntry(const Artifact& artifact, const CacheEntry& entry, Severity severity,
                   std::string code) {
  return {.severity = severity,
          .code = std::move(code),
          .place = {.file = artifact.path,
                    .line = entry.line,
                    .text = fmt::format("{}:{}={}", Beginning(entry.key), Beginning(entry.type),
                                        Beginning(entry.value))}};
}

void CheckPairs(const CMakeCache& cache, Artifact& artifact) {
  for (const KnownPair& pair : kPairs) CheckKnownPair(cache, pair, artifact);
  CheckOtherPairs(cache, artifact);
}

void CheckTorchSwitches(const CMakeCache& cache, Artifact& artifact) {
  if (cache.Value("CMAKE_PROJECT_NAME") != "Torch") return;
  for (const CacheEntry& entry : cache.entries) {
    if (entry.type != "BOOL" ||
        !(entry.key.starts_with("USE_") || entry.key.starts_with("BUILD_") ||
          entry.key.starts_with("LIBKINETO_"))) {
      continue;
    }
    artifact.facts.push_back({"cmake", "switch." + entry.key, entry.IsOn()});
  }
  const CacheEntry* cuda = cache.Find("USE_CUDA");
  if (cuda != nullptr && !cuda->IsOn() && !cache.IsOn("USE_ROCM")) {
    const bool had_toolkit = !cache.Value("CUDAToolkit_BIN_DIR").empty() ||
                             !cache.Value("CUDAToolkit_NVCC_EXECUTABLE").empty() ||
                             !cache.Value("CMAKE_CUDA_COMPILER").empty() ||
                             !cache.Value("CUDA_TOOLKIT_ROOT_DIR").empty();
    Finding finding = AboutEntry(
        artifact, *cuda, had_toolkit ? Severity::kWarning : Severity::kNote, "torch/switch");
    finding.message = had_toolkit
                          ? "USE_CUDA is off although a CUDA toolkit was found: a build for CPUs"
                          : "USE_CUDA is off: a build for CPUs";
    artifact.findings.push_back(std::move(finding));
  }
  for (const TorchSwitch& known : kSwitches) {
    const CacheEntry* entry = cache.Find(known.name);
    if (entry == nullptr || entry->IsOn() != known.reported_when_on) continue;
    if (known.needs_cuda && !cache.IsOn("USE_CUDA")) continue;
    Finding finding = AboutEntry(artifact, *entry, known.severity, "torch/switch");
    finding.message =
        fmt::format("{} is {}: {}", known.name, entry->IsOn() ? "on" : "off", known.meaning);
    artifact.findings.push_back(std::move(finding));
  }
}

}  // namespace sibyl::inspect
