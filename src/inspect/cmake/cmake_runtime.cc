// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_runtime.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "inspect/cmake/cmake_pairs.h"

namespace sibyl::inspect {
namespace {

enum class Runtime { kStatic, kShared };

std::string_view NameOf(Runtime runtime) {
  return runtime == Runtime::kStatic ? "static" : "shared";
}

// Which runtime a setting asks for; nullopt if the entry is not such a setting.
std::optional<Runtime> RequestedRuntime(const CacheEntry& entry) {
  if (entry.key == "CMAKE_CUDA_RUNTIME_LIBRARY") {
    const std::string value = LowerCase(entry.value);
    if (value == "static") return Runtime::kStatic;
    if (value == "shared") return Runtime::kShared;
  }
  if (entry.key == "CUDA_USE_STATIC_CUDA_RUNTIME") {
    return entry.IsOn() ? Runtime::kStatic : Runtime::kShared;
  }
  return std::nullopt;
}

// Which runtime an entry makes the linker take. That a search found both libraries is no sign:
// FindCUDAToolkit looks for both.
std::optional<Runtime> LinkedRuntime(const CacheEntry& entry) {
  const std::string& value = entry.value;
  const bool is_flags = Contains(entry.key, "LINKER_FLAGS") || Contains(entry.key, "CUDA_FLAGS") ||
                        Contains(entry.key, "NVCC_FLAGS") || entry.key.ends_with("_LIB_DEPENDS");
  const bool is_library = entry.key == "CUDA_CUDART_LIBRARY" || entry.key == "CUDA_cudart_LIBRARY";
  if (is_flags || is_library) {
    for (const std::string_view text : {"cudart_static", "-cudart static", "-cudart=static"}) {
      if (Contains(value, text)) return Runtime::kStatic;
    }
  }
  if (!is_flags) return std::nullopt;
  for (const std::string_view text :
       {"libcudart.so", "-lcudart", "-cudart shared", "-cudart=shared", ";cudart;"}) {
    if (Contains(value, text)) return Runtime::kShared;
  }
  return std::nullopt;
}

}  // namespace

void CheckCMakeRuntime(const CMakeCache& cache, Artifact& artifact) {
  const CacheEntry* first = nullptr;
  Runtime runtime = Runtime::kStatic;
  const auto compare = [&](const CacheEntry& entry, std::optional<Runtime> other) {
    if (!other) return false;
    if (first == nullptr) {
      first = &entry;
      runtime = *other;
      return false;
    }
    if (*other == runtime) return false;
    Finding finding = AboutEntry(artifact, entry, Severity::kWarning, "cmake/cudart-mixed");
    finding.message = fmt::format(
        "{} means the {} CUDA runtime, {} the {} one: a program with both has two copies of its "
        "state, and streams or errors of one are unknown to the other",
        first->key, NameOf(runtime), entry.key, NameOf(*other));
    finding.hint =
        "use one of them everywhere: -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared with CUDA::cudart, or "
        "Static with CUDA::cudart_static";
    artifact.findings.push_back(std::move(finding));
    return true;
  };
  // Settings first, so that a finding is about what does not follow them.
  for (const CacheEntry& entry : cache.entries) {
    if (compare(entry, RequestedRuntime(entry))) return;
  }
  for (const CacheEntry& entry : cache.entries) {
    if (compare(entry, LinkedRuntime(entry))) return;
  }
}

}  // namespace sibyl::inspect
