// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_inspector.h"

#include "inspect/cmake/cmake_check.h"

namespace sibyl::inspect {
namespace {

constexpr Rule kCMakeRules[] = {
    {"cmake/half-found", "a header was found without its library, or vice versa"},
    {"cmake/stale-path", "the cache names a file that does not exist"},
    {"cmake/dangling-link", "the cache names a link whose target does not exist"},
    {"cmake/elsewhere", "the cache was made in another folder, machine or container"},
    {"cmake/wrong-machine", "a library is for a different architecture than the compiler's"},
    {"cmake/stub-as-driver", "the toolkit's stub of the driver is on a run path"},
    {"cmake/version-disagreement",
     "compiler, package and headers are from different CUDA releases"},
    {"cmake/architectures", "a requested architecture is in no built file"},
    {"torch/switch", "a PyTorch build switch disables a feature"},
};

}  // namespace

bool IsCMakeCache(const UnknownFile& file) {
  return file.is_text && (file.beginning.find("CMAKE_CACHE") != std::string_view::npos ||
                          file.beginning.starts_with("# This is the CMakeCache file."));
}

void InspectCMakeCache(const DetectedFile& file, Artifact& artifact) {
  CheckCMakeCache(ParseCMakeCache(file.bytes),
                  {.folder = std::filesystem::absolute(file.path).parent_path(),
                   .threads = file.options.threads},
                  artifact);
}

std::span<const Rule> CMakeRules() { return kCMakeRules; }

}  // namespace sibyl::inspect
