// SPDX-License-Identifier: Apache-2.0
#include "base/process/environment.h"

#include <cstdlib>

namespace sibyl {

std::optional<std::string> EnvironmentVariable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): see the header
  if (value == nullptr) return std::nullopt;
  return value;
}

}  // namespace sibyl
