// SPDX-License-Identifier: Apache-2.0
#include "interface/site/site_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>

#include "base/strings.h"

namespace sibyl::interface {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMarkerHead = "sibyl site 1";
constexpr std::size_t kMostMarkerBytes = std::size_t{16} << 20;
constexpr std::size_t kMostFileBytes = std::size_t{256} << 20;

using Paths = std::set<std::string, std::less<>>;

// The marker is an ordinary file, and what it lists is removed: only what a site
// can have, nothing hidden.
bool IsSitePath(std::string_view path) {
  if (path == ".nojekyll") return true;
  const fs::path parsed(path);
  if (parsed.is_absolute() || parsed.empty()) return false;
  for (const fs::path& piece : parsed) {
    if (piece.empty() || piece.string().starts_with('.')) return false;
  }
  const std::string extension = parsed.extension().string();
  return extension == ".html" || extension == ".js" || extension == ".css" || extension == ".svg";
}

Error NotOurFolder(const Root& folder, std::string_view why) {
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("writing a site into {}: {}", folder.path().string(), why),
          .hint = "name a new or empty folder, or one that 'sibyl site' has written"};
}

// The files of the last time; none in a new folder.
Result<Paths> FilesOfLastTime(const Root& folder) {
  Paths paths;
  const std::vector<RootEntry> entries = SIBYL_TRY(folder.List());
  const auto marker = std::find_if(entries.begin(), entries.end(), [](const RootEntry& entry) {
    return entry.name == kSiteMarker;
  });
  if (marker == entries.end()) {
    const bool is_empty = std::all_of(entries.begin(), entries.end(),
                                      [](const RootEntry& entry) { return entry.name == ".git"; });
    if (!is_empty) return NotOurFolder(folder, "the folder is not empty");
    return paths;
  }
  if (marker->kind != FileKind::kFile) {
    return NotOurFolder(folder, fmt::format("{} is not a file", kSiteMarker));
  }
  const std::string text = SIBYL_TRY(folder.Read(kSiteMarker, {.max_bytes = kMostMarkerBytes}));
  const std::vector<std::string_view> lines = SplitLines(text);
  if (lines.empty() || lines.front() != kMarkerHead) {
    return NotOurFolder(folder, fmt::format("{} is not one that this program wrote", kSiteMarker));
  }
  for (const std::string_view line : lines) {
    if (IsSitePath(line)) paths.emplace(line);
  }
  return paths;
}

std::string FormatMarker(const Paths& paths) {
  std::string text = fmt::format("{}\n", kMarkerHead);
  for (const std::string& path : paths) text += path + '\n';
  return text;
}

// Folders that removing files left empty.
void RemoveEmptyFolders(const Root& folder, const std::string& path) {
  for (fs::path parent = fs::path(path).parent_path(); !parent.empty();
       parent = parent.parent_path()) {
    const Result<Root> opened = folder.OpenFolder(parent);
    if (!opened.ok()) return;
    const auto entries = opened->List(".", 1);
    if (!entries.ok() || !entries->empty()) return;
    if (!folder.Remove(parent).ok()) return;
  }
}

Status CheckPaths(const Root& folder, const std::vector<SiteFile>& files, const Paths& before) {
  Paths paths;
  for (const SiteFile& file : files) {
    if (!IsSitePath(file.path) || !paths.insert(file.path).second) {
      return Error{.kind = ErrorKind::kCorrupt,
                   .message = fmt::format("writing a site: '{}' cannot be a file of it, or is "
                                          "there twice",
                                          file.path)};
    }
    const std::optional<FileAbout> about = folder.About(file.path);
    if (!about) continue;
    if (about->kind != FileKind::kFile) {
      return NotOurFolder(folder, fmt::format("{} is not a regular file", file.path));
    }
    if (!before.contains(file.path)) {
      return NotOurFolder(folder, fmt::format("{} was not written by 'sibyl site'", file.path));
    }
  }
  return {};
}

}  // namespace

Status CheckSiteFolder(const Root& folder) {
  SIBYL_TRY(FilesOfLastTime(folder));
  return {};
}

Result<SiteWritten> WriteSite(const Root& folder, const std::vector<SiteFile>& files) {
  const Paths before = SIBYL_TRY(FilesOfLastTime(folder));
  SIBYL_TRY(CheckPaths(folder, files, before));
  Paths now;
  for (const SiteFile& file : files) now.insert(file.path);
  Paths both = before;
  both.insert(now.begin(), now.end());
  // First, so that the files are known to be ours if this is killed half-way.
  SIBYL_TRY(folder.Write(kSiteMarker, FormatMarker(both)));
  SiteWritten written;
  for (const SiteFile& file : files) {
    ++written.files;
    written.bytes += file.bytes.size();
    const Result<std::string> there = folder.Read(file.path, {.max_bytes = kMostFileBytes});
    if (there.ok() && *there == file.bytes) continue;
    ++written.changed;
    SIBYL_TRY(folder.MakeFolders(fs::path(file.path).parent_path()));
    SIBYL_TRY(folder.Write(file.path, file.bytes));
  }
  for (const std::string& path : before) {
    if (now.contains(path) || !folder.Exists(path)) continue;
    SIBYL_TRY(folder.Remove(path));
    RemoveEmptyFolders(folder, path);
    ++written.removed;
  }
  SIBYL_TRY(folder.Write(kSiteMarker, FormatMarker(now)));
  return written;
}

}  // namespace sibyl::interface
