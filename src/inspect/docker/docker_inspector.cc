// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_inspector.h"

#include "base/strings.h"
#include "inspect/docker/docker_check.h"

namespace sibyl::inspect {
namespace {

constexpr Rule kDockerRules[] = {
    {"docker/copy-not-in-base", "COPY --from copies a library that its source cannot contain"},
    {"docker/missing-siblings", "a library is copied without the libraries it loads"},
    {"docker/cupti-path", "CUPTI is looked for where the packages do not put it"},
    {"docker/cuda-mismatch",
     "libraries of one CUDA major version are copied into an image of another"},
    {"docker/devel-last", "the final image contains compilers and headers"},
    {"docker/cuda-twice", "CUDA is in the base image and again in Python wheels"},
    {"docker/stub-on-path", "the stub of libcuda is where the driver should be found"},
    {"docker/compat-on-path", "the compat libcuda is always used, whatever the driver"},
    {"docker/cupti-in-runtime", "CUPTI is expected in an image that does not have it"},
    {"docker/no-cache-mount", "an expensive step has no cache mount"},
    {"docker/cache-defeated", "a cache mount is not used"},
    {"docker/arg-spoils-cache",
     "an ARG that changes often comes before layers that do not need it"},
    {"docker/arch-unset", "device code is compiled without naming a GPU architecture"},
};

}  // namespace

// The first instruction of a Dockerfile is FROM or an ARG for it. Many texts begin so; the name
// must match too, or a BuildKit directive must be present.
bool IsDockerfile(const UnknownFile& file) {
  if (!file.is_text) return false;
  const std::string lower = LowerCase(file.name);
  const bool is_named = lower == "dockerfile" || lower == "containerfile" ||
                        lower.starts_with("dockerfile.") || lower.ends_with(".dockerfile") ||
                        lower.starts_with("containerfile.") || lower.starts_with("dockerfile-");
  for (const std::string_view raw : SplitLines(file.beginning)) {
    const std::string_view line = Trim(raw);
    if (line.empty()) continue;
    if (line.starts_with('#')) {
      if (LowerCase(line).find("syntax=docker/dockerfile") != std::string::npos) return true;
      continue;
    }
    return is_named &&
           (StartsWithIgnoringCase(line, "FROM ") || StartsWithIgnoringCase(line, "ARG "));
  }
  return false;
}

void InspectDockerfile(const DetectedFile& file, Artifact& artifact) {
  CheckDockerfile(ParseDockerfile(file.bytes), artifact);
}

std::span<const Rule> DockerRules() { return kDockerRules; }

}  // namespace sibyl::inspect
