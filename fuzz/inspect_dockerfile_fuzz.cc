// SPDX-License-Identifier: Apache-2.0
// Hostile Dockerfiles.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "inspect/docker/docker_check.h"
#include "inspect/docker/docker_diff.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl::inspect;  // NOLINT: a fuzz target is one file
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  Artifact artifact{.path = "Dockerfile"};
  CheckDockerfile(ParseDockerfile(input), {}, artifact);
  for (const sibyl::Finding& finding : artifact.findings) {
    if (finding.message.empty() || finding.place.line == 0) std::abort();
  }
  for (const sibyl::Json& correction : artifact.detail["corrections"]) {
    if (correction["lines"].empty()) std::abort();
  }
  const std::string diff = DiffOfDockerfile("Dockerfile", input, artifact.detail["corrections"]);
  if (!diff.empty() && diff.find("\n@@ -") == std::string::npos) std::abort();
  for (const sibyl::Json& fix : FixesOfDockerfile(input, artifact.detail["corrections"])) {
    for (const sibyl::Json& part : fix["replacements"]) {
      if (part["end_column"].get<std::size_t>() < part["column"].get<std::size_t>()) std::abort();
    }
  }
  return 0;
}
