// SPDX-License-Identifier: Apache-2.0
#include "references/file_tree.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kMaxCandidates = 50;

std::string_view NameOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view StemOf(std::string_view path) {
  const std::string_view name = NameOf(path);
  const std::size_t dot = name.find('.', 1);
  return name.substr(0, dot);
}

bool EndsWithPath(std::string_view path, std::string_view suffix) {
  if (!path.ends_with(suffix)) return false;
  return path.size() == suffix.size() || path[path.size() - suffix.size() - 1] == '/';
}

std::string FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash + 1));
}

// "pkg.mod" as "pkg/mod".
std::string ModulePath(std::string_view written) {
  std::string path(written);
  std::replace(path.begin(), path.end(), '.', '/');
  return path;
}

bool IsDotted(std::string_view written) {
  if (Contains(written, "/") || !Contains(written, ".")) return false;
  return std::all_of(written.begin(), written.end(),
                     [](char c) { return IsNameByte(c) || c == '.'; });
}

// /home/me/repo/src/a.rs: the longest end of it that the repository has. At least
// two names, or all that follows the name of the repository.
std::vector<std::string> ResolveAbsolute(const PathList& paths, const PathRequest& request) {
  std::string_view rest = request.written;
  while (!rest.empty()) {
    const std::size_t slash = rest.find('/');
    const std::string_view name = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    const bool follows_root = !request.name.empty() && name == request.name;
    if ((follows_root || Contains(rest, "/")) && paths.Has(rest)) return {std::string(rest)};
  }
  return {};
}

}  // namespace

PathList::PathList(std::vector<std::string> paths) : paths_(std::move(paths)) {
  std::sort(paths_.begin(), paths_.end());
  paths_.erase(std::unique(paths_.begin(), paths_.end()), paths_.end());
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    by_name_[NameOf(paths_[i])].push_back(i);
    by_stem_[StemOf(paths_[i])].push_back(i);
  }
}

bool PathList::Has(std::string_view path) const {
  return std::binary_search(paths_.begin(), paths_.end(), path, std::less<>());
}

bool PathList::HasFolder(std::string_view folder) const {
  std::string prefix(folder);
  if (!prefix.ends_with('/')) prefix += '/';
  const auto at = std::lower_bound(paths_.begin(), paths_.end(), prefix);
  return at != paths_.end() && at->starts_with(prefix);
}

std::vector<std::string> PathList::EndingWith(std::string_view suffix) const {
  std::vector<std::string> found;
  const auto named = by_name_.find(NameOf(suffix));
  if (named == by_name_.end()) return found;
  for (const std::size_t i : named->second) {
    if (EndsWithPath(paths_[i], suffix) && found.size() < kMaxCandidates) {
      found.push_back(paths_[i]);
    }
  }
  return found;
}

std::string PathList::Abbreviated(std::string_view written) const {
  const auto named = by_name_.find(NameOf(written));
  if (named == by_name_.end()) return {};
  std::string found;
  for (const std::size_t i : named->second) {
    if (!IsAbbreviated(written, paths_[i])) continue;
    if (!found.empty()) return {};
    found = paths_[i];
  }
  return found;
}

std::vector<std::string> PathList::WithStem(std::string_view stem) const {
  std::vector<std::string> found;
  const auto named = by_stem_.find(NameOf(stem));
  if (named == by_stem_.end()) return found;
  for (const std::size_t i : named->second) {
    const std::string_view path = paths_[i];
    const std::string_view name = NameOf(path);
    const std::string_view without =
        path.substr(0, path.size() - name.size() + StemOf(path).size());
    if (EndsWithPath(without, stem) && found.size() < kMaxCandidates) found.push_back(paths_[i]);
  }
  return found;
}

bool IsAbbreviated(std::string_view written, std::string_view path) {
  constexpr std::size_t kShortestName = 10;
  const std::string_view name = NameOf(written);
  if (name.size() == written.size() || name.size() < kShortestName || name != NameOf(path)) {
    return false;
  }
  std::string_view folders = path.substr(0, path.size() - name.size());
  std::string_view wanted = written.substr(0, written.size() - name.size());
  while (!wanted.empty() && !folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find('/') + 1);
    if (wanted.starts_with(folder)) wanted.remove_prefix(folder.size());
    folders.remove_prefix(folder.size());
  }
  return wanted.empty();
}

std::string CleanPath(std::string_view path) {
  std::vector<std::string_view> names;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      if (names.empty()) return {};
      names.pop_back();
      continue;
    }
    names.push_back(name);
  }
  std::string clean;
  for (const std::string_view name : names) {
    if (!clean.empty()) clean += '/';
    clean += name;
  }
  return clean;
}

std::string_view AfterEllipsis(std::string_view written) {
  constexpr std::string_view kEllipsis = ".../";
  const std::size_t at = written.rfind(kEllipsis);
  const bool is_folder = at != std::string_view::npos && (at == 0 || written[at - 1] == '/');
  return is_folder ? written.substr(at + kEllipsis.size()) : written;
}

std::vector<std::string> ResolvePath(const PathList& paths, const PathRequest& request) {
  const std::string_view written = request.written;
  if (written.empty()) return {};
  if (const std::string_view end = AfterEllipsis(written); end.size() < written.size()) {
    std::vector<std::string> found = paths.EndingWith(end);
    const std::string folder = "/" + std::string(written.substr(0, written.find(".../")));
    std::erase_if(found, [&](const std::string& path) { return !Contains("/" + path, folder); });
    return found;
  }
  if (written.starts_with('/') || written.starts_with('~')) {
    std::vector<std::string> found = ResolveAbsolute(paths, request);
    if (!found.empty() || written.starts_with('~')) return found;
  }
  const std::string clean = CleanPath(written);
  // "../a.rs" starts at the document.
  if (!written.starts_with("..") && paths.Has(clean)) return {clean};
  const std::string beside = CleanPath(FolderOf(request.document) + std::string(written));
  if (paths.Has(beside)) return {beside};
  if (!request.base.empty()) {
    const std::string based = CleanPath(std::string(request.base) + "/" + std::string(written));
    if (paths.Has(based)) return {based};
  }
  std::string_view end = clean;
  if (clean.empty()) {
    // More "../" than folders: the rest may still be unambiguous.
    end = written;
    while (end.starts_with("../")) end.remove_prefix(3);
  }
  std::vector<std::string> found = paths.EndingWith(end);
  if (!found.empty()) return found;
  if (IsDotted(written)) {
    found = paths.WithStem(ModulePath(written));
    if (found.empty()) found = paths.EndingWith(ModulePath(written) + "/__init__.py");
  } else if (!Contains(written, ".")) {
    found = paths.WithStem(end);
  }
  return found;
}

}  // namespace sibyl::references
