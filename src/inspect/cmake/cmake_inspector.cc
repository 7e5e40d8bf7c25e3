// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_inspector.h"

#include "inspect/cmake/cmake_check.h"

namespace sibyl::inspect {
namespace {

constexpr FindingRule kCMakeRules[] = {
    {"cmake/half-found", "of a header and its library only one was found"},
    {"cmake/stale-path", "the cache names a file that does not exist"},
    {"cmake/dangling-link", "the cache names a link whose target does not exist"},
    {"cmake/elsewhere", "the cache was made in another folder, machine or container"},
    {"cmake/wrong-machine", "a library is for another machine than the compiler"},
    {"cmake/stub-as-driver", "the toolkit's stub of the driver is on a run path"},
    {"cmake/version-disagreement", "compiler, package and headers are of different CUDA releases"},
    {"cmake/architectures", "an architecture was asked for and is in no built file"},
    {"torch/switch", "a switch of PyTorch's build leaves something out of the result"},
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

std::span<const FindingRule> CMakeRules() { return kCMakeRules; }

}  // namespace sibyl::inspect
