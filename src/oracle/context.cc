// SPDX-License-Identifier: Apache-2.0
#include "oracle/context.h"

#include <fmt/format.h>

#include <system_error>

#include "oracle/installed_folders.h"

namespace sibyl::oracle {

namespace fs = std::filesystem;

std::optional<fs::path> FindOracle(const fs::path& folder) {
  std::error_code ignored;  // an unreadable folder is not an oracle
  for (fs::path at = folder.lexically_normal();; at = at.parent_path()) {
    if (fs::is_regular_file(at / "sibyl.toml", ignored)) return at;
    if (!at.has_relative_path()) return std::nullopt;
  }
}

Result<fs::path> ChooseOracle(const fs::path& working_folder, const fs::path& chosen) {
  if (chosen.native().starts_with('@')) return FindInstalledOracle(ThisProgram(), chosen.native());
  const fs::path folder = (working_folder / chosen).lexically_normal();
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) return folder;
  const bool exists = fs::exists(folder, ignored);
  return Error{.kind = exists ? ErrorKind::kUsage : ErrorKind::kNotFound,
               .message = fmt::format("choosing the oracle: {} {}", chosen.string(),
                                      exists ? "is not a folder" : "does not exist"),
               .hint = "an oracle is a folder with a sibyl.toml; 'sibyl init' creates one"};
}

fs::path ShownPath(const Context& context, const fs::path& path) {
  fs::path relative = path.lexically_relative(context.working_folder);
  if (relative.empty() || *relative.begin() == "..") return path;
  return relative;
}

}  // namespace sibyl::oracle
