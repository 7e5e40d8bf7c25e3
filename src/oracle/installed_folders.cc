// SPDX-License-Identifier: Apache-2.0
#include "oracle/installed_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/files/root.h"
#include "base/nearest_name.h"
#include "base/strings.h"
#include "lab/sources.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 10'000;

}  // namespace

bool IsBuildFolder(const fs::path& folder) {
  const Result<Root> root = Root::Open(folder);
  return root.ok() && root->IsFile("CMakeCache.txt");
}

// Never a folder below the working folder: that may be a clone, and labs are run.
std::vector<fs::path> InstalledFolders(const fs::path& program, std::string_view name) {
  const fs::path folder = program.parent_path();
  // It is not known where we are, and relative paths are not ours.
  if (!folder.is_absolute()) return {};
  const fs::path share = fs::path("share/sibyl") / name;
  std::vector<fs::path> folders = {folder / ".." / share,          // bin beside share
                                   folder / "../.." / share};      // lib/sibyl of a bundle
  if (IsBuildFolder(folder)) folders = {folder / "../.." / name};  // build/release in a repository
  std::erase_if(folders,
                [&](const fs::path& path) { return !lab::IsOfInstallation(path, program); });
  for (fs::path& path : folders) path = path.lexically_normal();
  return folders;
}

std::vector<InstalledOracle> FindInstalledOracles(const fs::path& program) {
  std::vector<InstalledOracle> oracles;
  for (const fs::path& folder : InstalledFolders(program, "oracles")) {
    const Result<Root> root = Root::Open(folder);
    if (!root.ok()) continue;
    const Result<Walked> walked = root->Walk(".", {.max_entries = kMostEntries, .max_depth = 1});
    if (!walked.ok()) continue;
    for (const RootEntry& entry : walked->entries) {
      const fs::path path = entry.name;
      if (entry.kind != FileKind::kFile || path.filename() != "sibyl.toml") continue;
      if (!path.has_parent_path()) continue;
      oracles.push_back({.name = path.parent_path(), .folder = folder / path.parent_path()});
    }
    break;
  }
  std::ranges::sort(oracles, {}, &InstalledOracle::name);
  return oracles;
}

Result<fs::path> FindInstalledOracle(const fs::path& program, std::string_view chosen) {
  const std::string_view name = chosen.substr(chosen.starts_with('@') ? 1 : 0);
  std::vector<std::string> names;
  for (InstalledOracle& oracle : FindInstalledOracles(program)) {
    if (oracle.name == name) return std::move(oracle.folder);
    names.push_back("@" + oracle.name);
  }
  const std::optional<std::string> nearest = NearestName(chosen, names);
  std::string hint = "for a folder of that name, write ./" + std::string(chosen);
  if (!names.empty()) hint = "installed: " + Join(names, ", ") + "; " + hint;
  if (program.empty()) hint = "mount /proc: without it, the installation is not found";
  if (nearest) hint = fmt::format("did you mean '{}'?", *nearest);
  return Error{.kind = ErrorKind::kNotFound,
               .message = fmt::format("choosing the oracle: no oracle '{}' is installed", chosen),
               .hint = std::move(hint)};
}

}  // namespace sibyl::oracle
