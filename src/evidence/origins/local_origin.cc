// SPDX-License-Identifier: Apache-2.0
#include "evidence/origins/local_origin.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/files/root_links.h"
#include "evidence/origins/toolkit.h"
#include "evidence/store.h"
#include "git/origin.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

// As sibyl.toml writes it: from the oracle, or absolute.
fs::path Named(std::string_view origin, const fs::path& oracle) {
  fs::path path = (oracle / fs::path(git::LocalPath(origin))).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

// From the oracle, with links followed; nothing for what is outside.
Result<std::optional<fs::path>> InOracle(const fs::path& named, const Root& oracle) {
  const std::optional<fs::path> inside = oracle.Inside(named);
  if (!inside) return std::optional<fs::path>();
  if (IsPrivatePath(*inside)) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("reading {}: the private folders of git and sibyl cannot be sources",
                               named.string())};
  }
  fs::path followed = SIBYL_TRY(FollowLinks(oracle, *inside));
  return std::optional<fs::path>(std::move(followed));
}

}  // namespace

Result<LocalPlace> FindLocalOrigin(std::string_view origin, const fs::path& oracle) {
  const Root root = SIBYL_TRY(Root::Open(oracle));
  const std::optional<fs::path> inside = SIBYL_TRY(InOracle(Named(origin, oracle), root));
  if (!inside) return LocalPlace{.path = StoreOrigin(origin, oracle), .within = std::nullopt};
  return LocalPlace{.path = root.Shown(*inside), .within = oracle};
}

Result<Root> OpenOriginFolder(std::string_view origin, const fs::path& oracle) {
  if (const std::optional<Toolkit> toolkit = ParseToolkitOrigin(origin)) {
    return Root::Open(SIBYL_TRY(FindToolkit(*toolkit, ToolkitFolders(*toolkit))).headers);
  }
  const Root root = SIBYL_TRY(Root::Open(oracle));
  const fs::path named = Named(origin, oracle);
  const std::optional<fs::path> inside = SIBYL_TRY(InOracle(named, root));
  return inside ? root.OpenFolder(*inside) : Root::Open(StoreOrigin(origin, oracle));
}

Result<OriginFile> OpenOriginFile(std::string_view origin, const fs::path& oracle) {
  const Root root = SIBYL_TRY(Root::Open(oracle));
  const fs::path named = Named(origin, oracle);
  const std::optional<fs::path> inside = SIBYL_TRY(InOracle(named, root));
  // Outside the oracle, links in the path belong to the user and are followed.
  const fs::path file = inside ? *inside : fs::path(StoreOrigin(origin, oracle));
  Root folder =
      SIBYL_TRY(inside ? root.OpenFolder(file.parent_path()) : Root::Open(file.parent_path()));
  return OriginFile{.folder = std::move(folder), .name = file.filename().string()};
}

}  // namespace sibyl::evidence
