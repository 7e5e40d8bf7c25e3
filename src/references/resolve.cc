// SPDX-License-Identifier: Apache-2.0
#include "references/resolve.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/nearest_name.h"
#include "base/strings.h"
#include "references/file_tree.h"

namespace sibyl::references {
namespace {

// "owner/name" of an address, whatever its protocol.
std::string_view OwnerAndName(std::string_view address) {
  while (address.ends_with('/')) address.remove_suffix(1);
  if (address.ends_with(".git")) address.remove_suffix(4);
  const std::size_t name = address.rfind('/');
  if (name == std::string_view::npos || name == 0) return address;
  const std::size_t owner = address.find_last_of("/:", name - 1);
  return owner == std::string_view::npos ? address : address.substr(owner + 1);
}

std::string WithoutDigits(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (!IsDigit(c)) letters += c;
  }
  return letters;
}

// "app/src/a.rs" in the repository app: without the name, of its folder or of its
// origin; empty if it does not start with one.
std::string WithoutRepositoryName(const Repository& repository, std::string_view written) {
  const std::size_t slash = written.find('/');
  if (slash == std::string_view::npos || slash == 0) return {};
  const std::string_view first = written.substr(0, slash);
  if (repository.paths().HasFolder(first)) return {};
  const std::string origin = repository.Origin();
  const std::string_view address = OwnerAndName(origin);
  const bool is_name = first == repository.location().work_tree.filename().string() ||
                       (!address.empty() && first == address.substr(address.rfind('/') + 1));
  return is_name ? CleanPath(written.substr(slash + 1)) : std::string();
}

}  // namespace

std::vector<std::string> FilesOf(const Repository& repository, std::string_view document,
                                 const Reference& reference) {
  const std::string name = repository.location().work_tree.filename().string();
  std::vector<std::string> candidates = ResolvePath(
      repository.paths(),
      {.written = reference.path, .document = document, .base = reference.base, .name = name});
  if (candidates.size() != 1 && !reference.mentioned.empty()) {
    std::vector<std::string> mentioned =
        ResolvePath(repository.paths(), {.written = reference.mentioned,
                                         .document = document,
                                         .base = reference.base,
                                         .name = name});
    if (mentioned.size() == 1) return mentioned;
  }
  if (candidates.empty()) {
    std::string inside = WithoutRepositoryName(repository, reference.path);
    if (!inside.empty() && repository.paths().Has(inside)) candidates.push_back(std::move(inside));
  }
  return candidates;
}

std::vector<std::string> Spellings(const Repository& repository, std::string_view document,
                                   const Reference& reference) {
  const std::size_t slash = document.rfind('/');
  const std::string folder(slash == std::string_view::npos ? "" : document.substr(0, slash + 1));
  std::vector<std::string> spellings;
  for (const std::string& whole : {reference.mentioned, reference.path}) {
    const std::string written(AfterEllipsis(whole));
    if (written.empty() || written.starts_with('/') || written.starts_with('~')) continue;
    if (std::string inside = WithoutRepositoryName(repository, written); !inside.empty()) {
      spellings.push_back(std::move(inside));
      continue;
    }
    for (std::string& one : std::vector{CleanPath(written), CleanPath(folder + written)}) {
      if (!one.empty()) spellings.push_back(std::move(one));
    }
  }
  return spellings;
}

std::string NearestPath(const PathList& paths, std::string_view path) {
  constexpr std::size_t kMostEdits = 2;
  constexpr std::size_t kShortest = 4;
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  if (slash == std::string_view::npos || dot == std::string_view::npos || dot < slash) return {};
  const std::string folder(path.substr(0, slash + 1));
  const std::string stem = LowerCase(path.substr(slash + 1, dot - slash - 1));
  const std::string_view extension = path.substr(dot);
  std::string nearest;
  std::size_t fewest = kMostEdits + 1;
  const std::vector<std::string>& all = paths.all();
  for (auto at = std::lower_bound(all.begin(), all.end(), folder);
       at != all.end() && at->starts_with(folder); ++at) {
    const std::string_view name = std::string_view(*at).substr(folder.size());
    if (name.find('/') != std::string_view::npos || !name.ends_with(extension)) continue;
    const std::string other = LowerCase(name.substr(0, name.size() - extension.size()));
    if (other != stem && std::min(stem.size(), other.size()) < kShortest - 1) continue;
    const std::size_t edits = EditDistance(stem, other);
    // Names of a few letters differ by one, those of numbers by nothing.
    const bool is_near =
        edits == 0 || (3 * edits < stem.size() && WithoutDigits(stem) != WithoutDigits(other));
    if (!is_near || edits > fewest) continue;
    if (edits == fewest) return {};
    fewest = edits;
    nearest = *at;
  }
  return nearest;
}

bool IsSameRepository(std::string_view origin, std::string_view address) {
  return !origin.empty() && EqualsIgnoringCase(OwnerAndName(origin), OwnerAndName(address));
}

}  // namespace sibyl::references
