// SPDX-License-Identifier: Apache-2.0
#include "git/self_contained.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <system_error>

#include "base/files/root.h"
#include "base/strings.h"

namespace sibyl::git {
namespace {

namespace fs = std::filesystem;

constexpr int kMostAlternates = 5;  // git's own limit
constexpr std::size_t kMostObjects = 20'000'000;

Error Borrows(const fs::path& objects, const fs::path& from) {
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("opening {}: it borrows objects from {}, outside the repository",
                             objects.string(), from.string()),
      .hint =
          "use that repository as the source; or, if this one is yours, run 'git repack -a -d' and "
          "delete objects/info/alternates"};
}

Status CheckFolder(const fs::path& objects, const fs::path& boundary, int depth) {
  if (!IsWithin(objects, boundary)) return Borrows(boundary, objects);
  const Root root = SIBYL_TRY(Root::Open(objects));
  const Walked walked = SIBYL_TRY(root.Walk(".", {.max_entries = kMostObjects}));
  for (const RootEntry& entry : walked.entries) {
    if (entry.kind == FileKind::kLink) return Borrows(objects, root.Shown(entry.name));
  }
  constexpr std::string_view kAlternates = "info/alternates";
  if (!root.Exists(kAlternates)) return {};
  if (depth >= kMostAlternates) return {};  // not followed that far
  const std::string text = SIBYL_TRY(root.Read(kAlternates, {.max_bytes = std::size_t{1} << 20}));
  for (const std::string_view line : SplitLines(text)) {
    if (line.empty() || line.starts_with('#')) continue;
    const fs::path other = objects / fs::path(line);
    std::error_code error;
    if (!fs::is_directory(other, error)) continue;
    SIBYL_TRY(CheckFolder(other, boundary, depth + 1));
  }
  return {};
}

}  // namespace

Result<Root> OpenWithin(const fs::path& folder, const std::optional<fs::path>& within) {
  if (!within) return Root::Open(folder);
  const Root root = SIBYL_TRY(Root::Open(*within));
  const std::optional<fs::path> inside = root.Inside(folder);
  if (inside) return root.OpenFolder(*inside);
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("opening {}: it is outside {}", folder.string(), within->string())};
}

bool IsWithin(const fs::path& path, const fs::path& boundary) {
  std::error_code error;
  const fs::path whole = fs::canonical(path, error);
  if (error) return false;
  const fs::path limit = fs::canonical(boundary, error);
  if (error) return false;
  const fs::path inside = whole.lexically_relative(limit);
  return !inside.empty() && *inside.begin() != "..";
}

Status CheckSelfContained(const fs::path& objects, const fs::path& boundary) {
  return CheckFolder(objects, boundary, 0);
}

}  // namespace sibyl::git
