// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/path_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/nearest.h"
#include "base/ascii.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kReachOfFiles = 3;  // statements of the same paragraph or list
constexpr std::size_t kLeastFiles = 4;

std::string_view FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

std::string_view EndingOf(std::string_view path) {
  const std::size_t point = path.rfind('.');
  return point == path.npos || point == 0 ? std::string_view() : path.substr(point);
}

// "FindCUDNN", "toolchain-aarch64": the word that several files of a folder begin with.
std::string_view FirstPart(std::string_view name) {
  std::size_t end = 1;
  while (end < name.size() && IsLower(name[end])) ++end;
  return name.substr(0, end);
}

struct FilesBeside {
  std::set<std::string> files;
  bool is_named = false;  ///< The text names the folder.
};

}  // namespace

std::optional<statement::Judgement> JudgeBesideFiles(const statement::Statements& statements,
                                                     std::size_t number,
                                                     const statement::Atom& atom,
                                                     const Witness& witness) {
  constexpr std::size_t kShortest = 4;
  const std::string_view ending = EndingOf(atom.text);
  if (ending.empty() || atom.text.find('/') != std::string::npos) return std::nullopt;
  const statement::Statement& here = statements.all[number];
  std::map<std::pair<std::size_t, std::string>, FilesBeside> folders;
  std::vector<std::string> named;
  const std::size_t first = number > kReachOfFiles ? number - kReachOfFiles : 0;
  const std::size_t last = std::min(statements.all.size(), number + kReachOfFiles + 1);
  for (std::size_t i = first; i < last; ++i) {
    if (statements.all[i].heading != here.heading || !statements.all[i].IsProse()) continue;
    for (const statement::Atom& other : statement::ExtractAtoms(statements.all[i])) {
      if (other.kind != statement::AtomKind::kPath || other.text == atom.text) continue;
      const std::vector<Witness::File> files = witness.FindFiles(other.text);
      if (files.empty()) named.push_back(other.text);
      // A name that several folders have does not tell which is meant.
      if (files.size() != 1 || EndingOf(other.text) != ending) continue;
      folders[{files[0].source, std::string(FolderOf(files[0].path))}].files.insert(other.text);
    }
  }
  for (auto& [key, beside] : folders) {
    const std::string& folder = key.second;
    beside.is_named = std::ranges::any_of(named, [&](std::string_view name) {
      while (name.ends_with('/')) name.remove_suffix(1);
      return !name.empty() && (folder == name || folder.ends_with("/" + std::string(name)));
    });
    std::vector<std::string> files = witness.FilesIn(key.first, folder);
    std::erase_if(files, [&](const std::string& file) { return !file.ends_with(ending); });
    if (files.size() < kLeastFiles && !beside.is_named) continue;
    // Names of one kind: the folder has others that begin like it.
    const std::string_view part = FirstPart(atom.text);
    const bool is_of_kind =
        part.size() >= kShortest &&
        std::ranges::any_of(files, [&](const std::string& file) { return file.starts_with(part); });
    const std::optional<std::string> nearest = NearestOf(atom.text, files);
    if (!nearest && !(is_of_kind && (beside.is_named || beside.files.size() > 1))) continue;
    statement::Judgement judgement = {
        .verdict = statement::Verdict::kAbsent,
        .message = fmt::format("{} has {}/, but not `{}`", witness.ShowSource(key.first), folder,
                               atom.text),
        .reason = fmt::format("`{}`, beside it, is there", *beside.files.begin())};
    if (nearest) {
      judgement.nearest = folder.empty() ? *nearest : folder + "/" + *nearest;
      judgement.where = fmt::format("{} {}", witness.ShowSource(key.first), judgement.nearest);
    }
    return judgement;
  }
  return std::nullopt;
}

}  // namespace sibyl::audit
