// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_inspector.h"

#include "inspect/cmake/cmake_check.h"
#include "inspect/cmake/cmake_gpus.h"

namespace sibyl::inspect {
namespace {

constexpr Rule kCMakeRules[] = {
    {"cmake/half-found", "a header was found without its library, or vice versa"},
    {"cmake/stale-path", "the cache names a file that does not exist"},
    {"cmake/dangling-link", "the cache names a link whose target does not exist"},
    {"cmake/no-entries", "a CMakeCache.txt that is not one"},
    {"cmake/cudart-mixed", "the static and the shared CUDA runtime are in one build"},
    {"cmake/elsewhere", "the cache was made in another folder, machine or container"},
    {"cmake/wrong-machine", "a library is for a different architecture than the compiler's"},
    {"cmake/stub-as-driver", "the toolkit's stub of the driver is on a run path"},
    {"cmake/version-disagreement",
     "compiler, package and headers are from different CUDA releases"},
    {"cmake/architectures", "a requested architecture is in no built file"},
    {"cmake/arch-not-gpu", "no architecture of the cache runs on the GPU of --gpu"},
    {"cmake/arch-unsupported", "the toolkit does not compile for an architecture of the cache"},
    {"cmake/gpu-not-compared", "the cache does not say which GPUs the build is for"},
    {"cmake/toolkit-missing", "CMake did not find the CUDA compiler or toolkit"},
    {"cmake/cuda-off", "a project's switch for CUDA is off although there is a toolkit"},
    {"cmake/host-compiler", "nvcc refuses the host compiler"},
    {"cmake/cuda-standard", "the toolkit does not compile the C++ standard"},
    {"cmake/build-type", "host code is compiled without optimisation"},
    {"cmake/device-debug", "device code is compiled without optimisation"},
    {"cmake/arch-default", "the architecture is the compiler's default"},
    {"cmake/driver-not-compared", "the cache does not say which CUDA compiles"},
    {"cmake/driver-not-gpu", "the driver of --driver does not support the GPU of --gpu"},
    {"cmake/driver-too-old", "the toolkit needs a newer driver than that of --driver"},
    {"torch/switch", "a PyTorch build switch disables a feature"},
};

}  // namespace

bool IsCMakeCache(const UnknownFile& file) {
  if (file.name == "CMakeCache.txt") return true;
  return file.is_text && (file.beginning.find("CMAKE_CACHE") != std::string_view::npos ||
                          file.beginning.starts_with("# This is the CMakeCache file."));
}

void InspectCMakeCache(const DetectedFile& file, Artifact& artifact) {
  const CMakeCache cache = ParseCMakeCache(file.bytes);
  const bool is_text = file.bytes.find('\0') == std::string_view::npos;
  if (!is_text || cache.entries.empty()) {
    artifact.findings.push_back(
        {.severity = Severity::kError,
         .code = "cmake/no-entries",
         .message = is_text ? "it has no entry: CMake did not write it, or was interrupted"
                            : "it is not a text: CMake did not write it, or it is damaged",
         .hint = "configure again in a new folder",
         .place = {.file = artifact.path}});
    return;
  }
  const std::filesystem::path folder = std::filesystem::absolute(file.path).parent_path();
  CheckCMakeCache(cache,
                  {.folder = folder,
                   .threads = file.options.threads,
                   .reads_named_files = file.options.reads_named_files},
                  artifact);
  InspectOptions options = file.options;
  options.reads_named_files = options.reads_named_files && IsMadeHere(cache, folder);
  CheckCMakeGpus(cache, options, artifact);
}

std::span<const Rule> CMakeRules() { return kCMakeRules; }

}  // namespace sibyl::inspect
