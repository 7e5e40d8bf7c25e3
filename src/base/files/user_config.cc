// SPDX-License-Identifier: Apache-2.0
#include "base/files/user_config.h"

#include <optional>
#include <string>

#include "base/process/environment.h"

namespace sibyl {

namespace fs = std::filesystem;

Result<fs::path> UserConfigFolder() {
  const std::optional<std::string> config = EnvironmentVariable("XDG_CONFIG_HOME");
  if (config && fs::path(*config).is_absolute()) return fs::path(*config) / "sibyl";
  const std::optional<std::string> home = EnvironmentVariable("HOME");
  if (home && fs::path(*home).is_absolute()) return fs::path(*home) / ".config/sibyl";
  return Error{.kind = ErrorKind::kUsage,
               .message = "finding the configuration: HOME is not set",
               .hint = "set HOME or XDG_CONFIG_HOME"};
}

}  // namespace sibyl
