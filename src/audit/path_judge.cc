// SPDX-License-Identifier: Apache-2.0
// Paths: part of verify/name_judge.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "audit/family_table.h"
#include "audit/name_judge.h"
#include "audit/nearest.h"
#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

// Below them projects have the folders that a text names.
constexpr std::array<std::string_view, 3> kRoots = {"include/", "src/", "python/"};

bool HasPackage(const Witness& witness, std::size_t source, std::string_view folder) {
  return witness.HasFolder(source, folder) ||
         std::ranges::any_of(kRoots, [&](std::string_view root) {
           return witness.HasFolder(source, std::string(root) + std::string(folder));
         });
}

bool IsCommonFolder(std::string_view folder) {
  return std::find(kCommonFolders.begin(), kCommonFolders.end(), folder) != kCommonFolders.end();
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): one rule after the other, in their order
statement::Judgement NameJudge::JudgePath(const statement::Atom& atom, const Topic& topic) const {
  std::string_view path = atom.text;
  while (path.starts_with("./")) path.remove_prefix(2);
  std::vector<Witness::File> files = witness_.FindFiles(path);
  std::optional<std::size_t> owner;  // "pytorch/cmake/…" names its source itself
  std::size_t slash = path.find('/');
  // "cmake/public" is a folder of another source than CMake.
  const std::size_t last_slash = path.rfind('/');
  for (std::size_t source = 0; slash != path.npos && source < witness_.sources().size(); ++source) {
    if (witness_.HasFolder(source, path.substr(0, last_slash))) slash = path.npos;
  }
  for (std::size_t source = 0;
       files.empty() && slash != path.npos && !owner && source < witness_.sources().size();
       ++source) {
    const std::string_view first = path.substr(0, slash);
    if (!witness_.IsKnownAs(source, first)) continue;
    if (HasPackage(witness_, source, first)) continue;  // the package, not the source
    owner = source;
    path.remove_prefix(slash + 1);
    files = witness_.FindFiles(path);
  }
  if (!files.empty()) {
    return {.verdict = statement::Verdict::kSupported,
            .message = std::string(statement::kSeen),
            .where = witness_.Show(files.front()),
            .reason = "the file exists"};
  }
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    if (!witness_.HasFolder(source, path)) continue;
    return {.verdict = statement::Verdict::kSupported,
            .message = std::string(statement::kSeen),
            .where = fmt::format("{} {}", witness_.ShowSource(source), path),
            .reason = "the folder exists"};
  }
  if (const std::optional<Sighting> found = witness_.FindText(path)) {
    return Found(*found, "the path is mentioned there");
  }
  if (atom.use == statement::AtomUse::kDefinition) {
    return statement::Undecidable("it is included as a file of the text's own project");
  }
  std::string below_root(path);
  const std::size_t last = path.size() < 2 ? path.npos : path.rfind('/', path.size() - 2);
  if (last == path.npos) {
    if (std::optional<statement::Judgement> header = JudgeHeader(path)) return *header;
    return statement::Undecidable("a bare file name does not say which source it belongs to");
  }
  // "cutlass/gemm/gemm.h" is included from below "include".
  const std::string top(path.substr(0, path.find('/')));
  for (std::size_t source = 0; !owner && source < witness_.sources().size(); ++source) {
    for (const std::string_view root : kRoots) {
      const std::string folder = std::string(root) + top;
      if (owner || top.empty() || IsCommonFolder(top) || witness_.HasFolder(source, top) ||
          !witness_.HasFolder(source, folder)) {
        continue;
      }
      owner = source;
      below_root = std::string(root) + std::string(path);
      path = below_root;
    }
  }
  const std::size_t slash_before = path.rfind('/', path.size() - 2);
  const std::optional<std::size_t> home = HomeOfPath(path.substr(0, slash_before), owner, topic);
  if (home) return AbsentPath(path, *home);
  if (const std::optional<std::size_t> folder =
          HomeOfFolder(path.substr(0, slash_before), path.substr(slash_before + 1), topic)) {
    return AbsentPath(path, *folder);
  }
  if (const std::optional<Witness::Folder> below = FolderBelow(path)) {
    const std::string whole = below->path + std::string(path.substr(slash_before));
    return AbsentPath(whole, below->source);
  }
  return statement::Undecidable("no pinned source has the folder it would be in");
}

// "ATen/cuda/x.h": a folder with such headers that only one source has, below whatever.
std::optional<Witness::Folder> NameJudge::FolderBelow(std::string_view path) const {
  constexpr std::ptrdiff_t kLeastAlike = 3;
  constexpr std::size_t kShortest = 4;
  const std::size_t last = path.rfind('/');
  const std::size_t point = path.rfind('.');
  if (last == path.npos || point == path.npos || point < last) return std::nullopt;
  const std::string_view folder = path.substr(0, last);
  const std::string_view top = folder.substr(0, folder.find('/'));
  if (folder.find('/') == folder.npos || top.size() < kShortest || IsCommonFolder(top)) {
    return std::nullopt;
  }
  // What is included is named from below some root; other paths are mostly those of the text's own
  // project.
  constexpr std::array<std::string_view, 4> kHeaders = {".h", ".hpp", ".cuh", ".inl"};
  const std::string_view ending = path.substr(point);
  if (std::ranges::find(kHeaders, ending) == kHeaders.end()) return std::nullopt;
  std::optional<Witness::Folder> found;
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    for (const std::string& above : witness_.FindFolders(source, top)) {
      const std::string whole = above + std::string(folder.substr(top.size()));
      if (!witness_.HasFolder(source, whole)) continue;
      if (found) return std::nullopt;  // several
      const std::vector<std::string> files = witness_.FilesIn(source, whole);
      const auto alike = std::ranges::count_if(
          files, [&](const std::string& file) { return file.ends_with(ending); });
      if (alike < kLeastAlike) return std::nullopt;
      found = Witness::Folder{.source = source, .path = whole};
    }
  }
  return found;
}

// "cuda_mempool.h": an invented header of a library whose headers are pinned.
std::optional<statement::Judgement> NameJudge::JudgeHeader(std::string_view name) const {
  constexpr std::size_t kLeastHeaders = 20;
  constexpr std::ptrdiff_t kLeastAlike = 3;
  // Words in the names of everybody's own headers.
  constexpr std::array<std::string_view, 16> kOwnWords = {
      "util",  "helper", "common", "check",  "kernel", "wrapper", "my",    "error",
      "macro", "compat", "ops",    "launch", "config", "test",    "debug", "buffer"};
  if (!name.ends_with(".h")) return std::nullopt;
  const std::string lower = LowerCase(name);
  for (const std::string_view word : kOwnWords) {
    if (lower.find(word) != lower.npos) return std::nullopt;
  }
  for (const HeaderFamily& family : kHeaderFamilies) {
    const std::string_view prefix = family.prefix == "cuda" ? "cuda_" : family.prefix;
    if (prefix.size() < 4 || !name.starts_with(prefix)) continue;
    for (const Witness::File& file : witness_.FindFiles(family.header)) {
      const std::size_t slash = file.path.rfind('/');
      const std::string folder = slash == std::string::npos ? "" : file.path.substr(0, slash);
      const std::vector<std::string> headers = folder.empty()
                                                   ? witness_.FilesAtRoot(file.source)
                                                   : witness_.FilesIn(file.source, folder);
      const auto alike =
          std::count_if(headers.begin(), headers.end(),
                        [&](const std::string& other) { return other.starts_with(prefix); });
      if (headers.size() < kLeastHeaders || alike < kLeastAlike) continue;
      statement::Judgement judgement = {
          .verdict = statement::Verdict::kAbsent,
          .message = fmt::format("{} has the headers of {}, but not `{}`",
                                 witness_.ShowSource(file.source), family.name, name),
          .reason = fmt::format("{} is among {} files", family.header, headers.size())};
      if (const auto nearest = NearestOf(name, headers)) {
        judgement.nearest = *nearest;
        judgement.where = fmt::format("{} {}", witness_.ShowSource(file.source), *nearest);
      }
      return judgement;
    }
  }
  return std::nullopt;
}

// The source that has the folder, if that identifies it; or the one that the
// text is about and that has the first folder.
std::optional<std::size_t> NameJudge::HomeOfPath(std::string_view folder,
                                                 std::optional<std::size_t> owner,
                                                 const Topic& topic) const {
  const std::string_view top = folder.substr(0, folder.find('/'));
  const bool is_common = IsCommonFolder(top);
  const bool is_hidden = top.starts_with('.');  // ".github" is everywhere
  const bool is_deep = folder.find('/') != folder.npos;
  std::size_t having = 0;
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    having += witness_.HasFolder(source, folder) ? 1 : 0;
  }
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    if (owner && *owner != source) continue;
    const bool has_folder = witness_.HasFolder(source, folder);
    const bool is_about = topic.names_source[source];
    const bool is_told = owner.has_value() || (!is_common && !is_hidden) ||
                         (is_deep && ((having == 1 && !is_hidden) || is_about));
    const bool is_below =
        !has_folder && !is_common && is_deep && is_about && witness_.HasFolder(source, top);
    if ((has_folder && is_told) || is_below) return source;
  }
  return std::nullopt;
}

// "examples/66_hopper_attention": a folder that every project has, in a text
// about one that has many folders like this in it.
std::optional<std::size_t> NameJudge::HomeOfFolder(std::string_view folder, std::string_view name,
                                                   const Topic& topic) const {
  std::optional<std::size_t> home;
  std::optional<std::size_t> numbered_home;
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    if (!topic.names_source[source] || !witness_.HasFolder(source, folder)) continue;
    // "48_hopper_gemm": folders with numbers in front are a list of the project's.
    const std::vector<std::string> beside = witness_.FoldersIn(source, folder);
    const auto numbered = std::count_if(
        beside.begin(), beside.end(), [](const std::string& one) { return IsDigit(one.front()); });
    constexpr std::ptrdiff_t kList = 10;
    if (!name.empty() && IsDigit(name.front()) && numbered > kList) {
      if (numbered_home) return std::nullopt;
      numbered_home = source;
    }
    if (home) home = witness_.sources().size();  // several
    if (!home) home = source;
  }
  if (numbered_home) return numbered_home;
  if (!home || *home == witness_.sources().size()) return std::nullopt;
  // "docs/environment.rst": a file that the project should have beside others of its kind.
  const std::size_t point = name.rfind('.');
  if (point != name.npos) {
    const std::string_view ending = name.substr(point);
    const bool is_document = ending == ".rst" && folder.starts_with("doc");
    const std::vector<std::string> files = witness_.FilesIn(*home, folder);
    const auto alike = std::count_if(files.begin(), files.end(),
                                     [&](const std::string& one) { return one.ends_with(ending); });
    constexpr std::ptrdiff_t kLeastAlike = 5;
    return is_document && alike >= kLeastAlike ? home : std::nullopt;
  }
  return NearestOf(name, witness_.FoldersIn(*home, folder)) ? home : std::nullopt;
}

statement::Judgement NameJudge::AbsentPath(std::string_view path, std::size_t home) const {
  const std::size_t last = path.rfind('/', path.size() - 2);
  const std::string_view folder = path.substr(0, last);
  const std::string_view shown =
      witness_.HasFolder(home, folder) ? folder : path.substr(0, path.find('/'));
  statement::Judgement judgement = {
      .verdict = statement::Verdict::kAbsent,
      .message = fmt::format("{} has {}/, but not `{}`", witness_.ShowSource(home), shown, path),
      .reason = fmt::format("the folder is in {}", witness_.ShowSource(home))};
  const std::string_view name = path.substr(last + 1);
  for (const Witness::File& other : witness_.FindFiles(name)) {
    if (other.source != home) continue;
    judgement.nearest = other.path;
    judgement.where = witness_.Show(other);
    return judgement;
  }
  for (const std::string& other : witness_.FindFolders(home, name)) {
    judgement.nearest = other;
    judgement.where = fmt::format("{} {}", witness_.ShowSource(home), other);
    return judgement;
  }
  std::vector<std::string> beside = witness_.FilesIn(home, folder);
  for (std::string& other : witness_.FoldersIn(home, folder)) beside.push_back(std::move(other));
  if (const auto nearest = NearestOf(name, beside)) {
    judgement.nearest = fmt::format("{}/{}", folder, *nearest);
    judgement.where = fmt::format("{} {}", witness_.ShowSource(home), judgement.nearest);
  }
  return judgement;
}

}  // namespace sibyl::audit
