// SPDX-License-Identifier: Apache-2.0
#include "base/files/root_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "base/strings.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;  // as the kernel

Error Refused(const Root& root, const fs::path& link, std::string_view why) {
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("reading {}: the symbolic link {}", root.Shown(link).string(), why),
      .hint = "replace the link with the file it points to"};
}

}  // namespace

bool IsPrivatePath(const fs::path& relative) {
  return std::any_of(relative.begin(), relative.end(), [](const fs::path& name) {
    const std::string lower = LowerCase(name.string());
    return lower == ".git" || lower == ".sibyl";
  });
}

Result<fs::path> FollowLinks(const Root& root, const fs::path& relative) {
  std::deque<fs::path> names(relative.begin(), relative.end());
  fs::path reached;  // has no links in it
  std::optional<fs::path> last_link;
  int links = 0;
  while (!names.empty()) {
    const fs::path name = std::move(names.front());
    names.pop_front();
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      // Before the first link Root refuses it.
      if (!last_link) return relative;
      if (reached.empty()) {
        return Refused(root, *last_link, "leads out of " + root.path().string());
      }
      reached = reached.parent_path();
      continue;
    }
    const fs::path next = reached / name;
    const std::optional<std::string> target = root.LinkTarget(next);
    if (!target) {
      reached = next;
      continue;
    }
    last_link = next;
    if (fs::path(*target).is_absolute()) {
      return Refused(root, next, "leads out of " + root.path().string());
    }
    if (++links > kMaxLinks) return Refused(root, next, "leads in a circle");
    const fs::path target_path(*target);
    names.insert(names.begin(), target_path.begin(), target_path.end());
  }
  if (last_link && IsPrivatePath(reached)) {
    return Refused(root, *last_link, "leads into a private folder");
  }
  return reached.empty() ? fs::path(".") : reached;
}

Result<std::string> ReadFollowing(const Root& root, const fs::path& relative,
                                  const ReadFileOptions& options) {
  const fs::path file = SIBYL_TRY(FollowLinks(root, relative));
  return root.Read(file, options);
}

}  // namespace sibyl
