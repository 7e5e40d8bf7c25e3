// SPDX-License-Identifier: Apache-2.0
// Hostile CMake caches, checked as if they were in a folder that does not exist.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "inspect/cmake/cmake_check.h"
#include "inspect/cmake/cmake_pairs.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl::inspect;  // NOLINT: a fuzz target is one file
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const CMakeCache cache = ParseCMakeCache(input);
  for (const CacheEntry& entry : cache.entries) {
    if (cache.Find(entry.key) == nullptr || entry.line == 0) std::abort();
  }
  (void)FindCMakeSetting(input, "CMAKE_CUDA_COMPILER_VERSION");
  // No disk: the fuzzer would find its way to /dev and /proc.
  Artifact artifact{.path = "CMakeCache.txt"};
  CheckPairs(cache, artifact);
  CheckTorchSwitches(cache, artifact);
  for (const sibyl::Finding& finding : artifact.findings) {
    if (finding.message.empty() || finding.place.line == 0) std::abort();
  }
  return 0;
}
