// SPDX-License-Identifier: Apache-2.0
#include "engine/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace sibyl::engine {

namespace fs = std::filesystem;
namespace {

bool IsInside(const fs::path& path, const fs::path& root) {
  std::error_code error;
  const fs::path relative =
      fs::weakly_canonical(path, error).lexically_relative(fs::weakly_canonical(root, error));
  if (error || relative.empty() || *relative.begin() == "..") return false;
  return std::none_of(relative.begin(), relative.end(),
                      [](const fs::path& piece) { return piece == ".git" || piece == ".sibyl"; });
}

}  // namespace

Status CheckAllowed(const Context& context, const fs::path& path) {
  if (context.roots.empty()) return {};
  const auto holds = [&](const fs::path& root) { return IsInside(path, root); };
  if (std::any_of(context.roots.begin(), context.roots.end(), holds)) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("reading {}: it is outside of what may be read here",
                                      ShownPath(context, path).string()),
               .hint = "paths stay inside the oracle; a person allows more with --allow DIR"};
}

std::optional<fs::path> FindOracle(const fs::path& folder) {
  std::error_code ignored;  // a folder we may not look into has no oracle for us
  for (fs::path at = folder.lexically_normal();; at = at.parent_path()) {
    if (fs::is_regular_file(at / "sibyl.toml", ignored)) return at;
    if (!at.has_relative_path()) return std::nullopt;
  }
}

Result<fs::path> ChooseOracle(const fs::path& working_folder, const fs::path& chosen) {
  const fs::path folder = (working_folder / chosen).lexically_normal();
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) return folder;
  const bool exists = fs::exists(folder, ignored);
  return Error{.kind = exists ? ErrorKind::kUsage : ErrorKind::kNotFound,
               .message = fmt::format("choosing the oracle: {} {}", chosen.string(),
                                      exists ? "is not a folder" : "does not exist"),
               .hint = "an oracle is a folder with a SKILL.md and, once made by us, a sibyl.toml"};
}

fs::path ResolvePath(const Context& context, const fs::path& argument) {
  fs::path here = (context.working_folder / argument).lexically_normal();
  if (!context.oracle || argument.is_absolute()) return here;
  std::error_code ignored;
  if (fs::exists(here, ignored)) return here;
  fs::path there = (*context.oracle / argument).lexically_normal();
  return fs::exists(there, ignored) ? there : here;
}

fs::path ShownPath(const Context& context, const fs::path& path) {
  fs::path relative = path.lexically_relative(context.working_folder);
  if (relative.empty() || *relative.begin() == "..") return path;
  return relative;
}

}  // namespace sibyl::engine
