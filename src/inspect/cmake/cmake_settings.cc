// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/cmake/cmake_check.h"
#include "inspect/cmake/cmake_pairs.h"

namespace sibyl::inspect {
namespace {

// 13 of "/usr/bin/g++-13", "x86_64-linux-gnu-gcc-13".
std::optional<std::uint32_t> GccOf(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const std::string_view compiler : {"g++-", "gcc-", "c++-"}) {
    const std::size_t at = name.rfind(compiler);
    if (at == name.npos || (at > 0 && name[at - 1] != '-')) continue;
    const std::string_view number = name.substr(at + compiler.size());
    return ParseNumber<std::uint32_t>(number.substr(0, number.find('.')));
  }
  return std::nullopt;
}

class Settings {
 public:
  Settings(const CMakeCache& cache, Artifact& artifact)
      : cache_(cache),
        artifact_(artifact),
        toolkit_(ToolkitNamedBy(cache.Value("CMAKE_CUDA_COMPILER"))) {
    for (const std::string_view key :
         {"CUDAToolkit_ROOT", "CUDA_TOOLKIT_ROOT_DIR", "CUDAToolkit_BIN_DIR"}) {
      if (!toolkit_) toolkit_ = ToolkitNamedBy(cache.Value(key));
    }
  }

  void Check() {
    CheckCompiler();
    CheckSwitches();
    CheckHostCompiler();
    CheckStandard();
    CheckBuildType();
    CheckFlags();
    CheckDefaultArchitecture();
    CheckFolders();
    CheckDistribution();
  }

 private:
  void Add(const CacheEntry& entry, Severity severity, std::string code, std::string message,
           std::string hint) {
    Finding finding = AboutEntry(artifact_, entry, severity, std::move(code));
    finding.message = std::move(message);
    finding.hint = std::move(hint);
    artifact_.findings.push_back(std::move(finding));
  }

  bool UsesCuda() const {
    return !cache_.Value("CMAKE_CUDA_COMPILER").empty() ||
           !cache_.Value("CUDAToolkit_NVCC_EXECUTABLE").empty() ||
           !cache_.Value("CUDAToolkit_BIN_DIR").empty() ||
           !cache_.Value("CUDA_TOOLKIT_ROOT_DIR").empty() ||
           !cache_.Value("CUDA_NVCC_EXECUTABLE").empty();
  }

  // Most searches may fail; without these there is no CUDA.
  void CheckCompiler() {
    for (const std::string_view key :
         {"CMAKE_CUDA_COMPILER", "CUDAToolkit_NVCC_EXECUTABLE", "CUDA_NVCC_EXECUTABLE",
          "CUDA_TOOLKIT_ROOT_DIR", "CUDAToolkit_INCLUDE_DIR", "CUDA_CUDART_LIBRARY",
          "CUDA_cudart_LIBRARY"}) {
      const CacheEntry* entry = cache_.Find(key);
      if (entry == nullptr || !entry->IsNotFound()) continue;
      Add(*entry, Severity::kError, "cmake/toolkit-missing",
          fmt::format("{} was not found: nothing is compiled for the GPU, or configuring fails",
                      key),
          "give -DCMAKE_CUDA_COMPILER=/usr/local/cuda/bin/nvcc and -DCUDAToolkit_ROOT, and "
          "configure in a new folder");
      return;
    }
  }

  // "GGML_CUDA", "WITH_CUDA", "USE_CUDA": off although everything for it was found.
  void CheckSwitches() {
    if (cache_.Value("CMAKE_PROJECT_NAME") == "Torch" || !UsesCuda()) return;
    for (const CacheEntry& entry : cache_.entries) {
      const bool is_switch = entry.type == "BOOL" || entry.type == "UNINITIALIZED";
      constexpr std::array<std::string_view, 12> kNames = {
          "USE_CUDA",     "WITH_CUDA",  "ENABLE_CUDA",  "BUILD_CUDA",
          "GGML_CUDA",    "LLAMA_CUDA", "LLAMA_CUBLAS", "BUILD_WITH_CUDA",
          "CUDA_ENABLED", "ENABLE_GPU", "USE_GPU",      "WITH_GPU"};
      const bool is_known = IsOneOf(entry.key, kNames) || entry.key.ends_with("_USE_CUDA") ||
                            entry.key.ends_with("_ENABLE_CUDA");
      if (!is_switch || !is_known || entry.IsOn()) continue;
      Add(entry, Severity::kWarning, "cmake/cuda-off",
          fmt::format("{} is off although a CUDA toolkit was found: a build for CPUs", entry.key),
          fmt::format("configure again with -D{}=ON", entry.key));
    }
  }

  void CheckHostCompiler() {
    if (!toolkit_) return;
    const field::HostCompiler* newest = field::FindHostCompiler(*toolkit_);
    if (newest == nullptr) return;
    for (const std::string_view key : {"CMAKE_CUDA_FLAGS", "CUDA_NVCC_FLAGS"}) {
      const CacheEntry* flags = cache_.Find(key);
      if (flags != nullptr && Contains(flags->value, "allow-unsupported-compiler")) return;
    }
    const CacheEntry* host = cache_.Find("CMAKE_CUDA_HOST_COMPILER");
    if (host == nullptr || !host->IsFound()) host = cache_.Find("CMAKE_CXX_COMPILER");
    const std::optional<std::uint32_t> gcc = host == nullptr ? std::nullopt : GccOf(host->value);
    if (!gcc || *gcc <= newest->gcc) return;
    Add(*host, newest->receipts.is_confirmed ? Severity::kError : Severity::kWarning,
        "cmake/host-compiler",
        fmt::format("nvcc of CUDA {} refuses GCC {}: the newest that it accepts is {}",
                    Format(*toolkit_), *gcc, newest->gcc),
        fmt::format("configure again with -DCMAKE_CUDA_HOST_COMPILER=g++-{}", newest->gcc));
  }

  // C++17 came with CUDA 11.0, C++20 with 12.0.
  void CheckStandard() {
    const CacheEntry* entry = cache_.Find("CMAKE_CUDA_STANDARD");
    if (entry == nullptr || !toolkit_) return;
    const field::CudaVersion first = entry->value == "20"   ? field::CudaVersion{12, 0}
                                     : entry->value == "17" ? field::CudaVersion{11, 0}
                                                            : field::CudaVersion{0, 0};
    if (*toolkit_ >= first) return;
    Add(*entry, Severity::kError, "cmake/cuda-standard",
        fmt::format("CUDA {} does not compile C++{}: the first that does is {}", Format(*toolkit_),
                    entry->value, Format(first)),
        "use an older standard, or a newer toolkit");
  }

  void CheckBuildType() {
    const CacheEntry* entry = cache_.Find("CMAKE_BUILD_TYPE");
    if (entry == nullptr || !UsesCuda() || cache_.Find("CMAKE_CONFIGURATION_TYPES") != nullptr) {
      return;
    }
    if (!entry->value.empty() && !EqualsIgnoringCase(entry->value, "Debug")) return;
    Add(*entry, Severity::kWarning, "cmake/build-type",
        entry->value.empty()
            ? std::string("CMAKE_BUILD_TYPE is empty: host code is compiled without optimisation")
            : std::string("a Debug build: host code is compiled without optimisation"),
        "configure again with -DCMAKE_BUILD_TYPE=Release");
  }

  void CheckFlags() {
    for (const std::string_view key : {"CMAKE_CUDA_FLAGS", "CMAKE_CUDA_FLAGS_RELEASE",
                                       "CMAKE_CUDA_FLAGS_RELWITHDEBINFO", "CUDA_NVCC_FLAGS"}) {
      const CacheEntry* entry = cache_.Find(key);
      if (entry == nullptr) continue;
      std::string flags = " " + entry->value + " ";
      std::ranges::replace(flags, ';', ' ');
      if (!Contains(flags, " -G ") && !Contains(flags, " --device-debug ")) continue;
      Add(*entry, Severity::kWarning, "cmake/device-debug",
          fmt::format("{} has -G: device code is not optimised", key),
          "use -lineinfo for profilers, and -G only to debug");
    }
  }

  // What nvcc compiles for without being told; CMake writes it into the cache as if it was chosen.
  void CheckDefaultArchitecture() {
    const CacheEntry* entry = cache_.Find("CMAKE_CUDA_ARCHITECTURES");
    if (entry == nullptr || entry->value != "52") return;
    Add(*entry, Severity::kWarning, "cmake/arch-default",
        "52 is nvcc's default and says that no architecture was chosen: newer GPUs compile PTX for "
        "sm_52 when the program starts, without their own instructions",
        "configure again with -DCMAKE_CUDA_ARCHITECTURES=\"80;90\", or those of your GPUs");
  }

  // Libraries of another toolkit than the compiler's: one finding for each toolkit.
  void CheckFolders() {
    if (!toolkit_) return;
    constexpr std::size_t kMostNamed = 5;
    std::map<field::CudaVersion, std::vector<const CacheEntry*>> others;
    for (const CacheEntry& entry : cache_.entries) {
      const bool is_library =
          entry.type == "FILEPATH" && entry.IsFound() &&
          (entry.key.ends_with("_LIBRARY") || entry.key.ends_with("_LIBRARIES"));
      const bool is_include = entry.type == "PATH" && entry.IsFound() &&
                              entry.key.starts_with("CU") && Contains(entry.key, "INCLUDE");
      if (!is_library && !is_include) continue;
      const std::optional<field::CudaVersion> other = ToolkitNamedBy(entry.value);
      if (other && *other != *toolkit_) others[*other].push_back(&entry);
    }
    for (const auto& [version, entries] : others) {
      std::vector<std::string> names;
      for (const CacheEntry* entry : entries) {
        if (names.size() < kMostNamed) names.push_back(entry->key);
      }
      const std::size_t more = entries.size() - names.size();
      Add(*entries[0], Severity::kError, "cmake/version-disagreement",
          fmt::format("{}{} {} of CUDA {}, and the toolkit is CUDA {}", Join(names, ", "),
                      more == 0 ? std::string() : fmt::format(" and {} more", more),
                      entries.size() == 1 ? "is" : "are", Format(version), Format(*toolkit_)),
          fmt::format("delete the {}, set CUDAToolkit_ROOT, configure again",
                      entries.size() == 1 ? "entry" : "entries"));
    }
  }

  // The compiler is that of the distribution (nvidia-cuda-toolkit), headers and libraries are not.
  void CheckDistribution() {
    const CacheEntry* compiler = cache_.Find("CMAKE_CUDA_COMPILER");
    if (compiler == nullptr || compiler->value != "/usr/bin/nvcc") return;
    for (const CacheEntry& entry : cache_.entries) {
      const bool is_path = entry.type == "PATH" || entry.type == "FILEPATH";
      if (!is_path || !entry.value.starts_with("/usr/local/cuda")) continue;
      Add(*compiler, Severity::kError, "cmake/version-disagreement",
          fmt::format("the compiler is that of the distribution, /usr/bin/nvcc, and {} is of "
                      "another toolkit: {}",
                      entry.key, entry.value),
          "remove nvidia-cuda-toolkit, or set CMAKE_CUDA_COMPILER to the nvcc in /usr/local/cuda");
      return;
    }
  }

  const CMakeCache& cache_;
  Artifact& artifact_;
  std::optional<field::CudaVersion> toolkit_;
};

}  // namespace

void CheckCMakeSettings(const CMakeCache& cache, Artifact& artifact) {
  Settings(cache, artifact).Check();
}

}  // namespace sibyl::inspect
