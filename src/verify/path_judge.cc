// SPDX-License-Identifier: Apache-2.0
// Paths: part of verify/name_judge.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "verify/family_table.h"
#include "verify/name_judge.h"
#include "verify/nearest.h"

namespace sibyl::verify {
namespace {

// "PyTorch" and "pytorch", "TransformerEngine" and "transformer-engine".
std::string Folded(std::string_view name) {
  std::string folded;
  for (const char c : LowerCase(name)) {
    if (c != '-' && c != '_' && c != ' ' && c != '.') folded += c;
  }
  return folded;
}

bool IsCommonFolder(std::string_view folder) {
  return std::find(kCommonFolders.begin(), kCommonFolders.end(), folder) != kCommonFolders.end();
}

}  // namespace

Judgement NameJudge::JudgePath(const Atom& atom, const Topic& topic) const {
  std::string_view path = atom.text;
  while (path.starts_with("./")) path.remove_prefix(2);
  std::vector<Witness::File> files = witness_.FindFiles(path);
  std::optional<std::size_t> owner;  // "pytorch/cmake/…" names its source itself
  const std::size_t slash = path.find('/');
  if (files.empty() && slash != path.npos) {
    for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
      if (Folded(path.substr(0, slash)) != Folded(witness_.sources()[source].name)) continue;
      if (witness_.HasFolder(source, path.substr(0, slash)))
        continue;  // the package, not the source
      owner = source;
      path.remove_prefix(slash + 1);
      files = witness_.FindFiles(path);
      break;
    }
  }
  if (!files.empty()) {
    return {.verdict = Verdict::kSupported,
            .message = "found",
            .where = witness_.Show(files.front()),
            .reason = "the file is there"};
  }
  if (path.ends_with('/')) {
    for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
      if (!witness_.HasFolder(source, path)) continue;
      return {.verdict = Verdict::kSupported,
              .message = "found",
              .where = fmt::format("{} {}", witness_.ShowSource(source), path),
              .reason = "the folder is there"};
    }
  }
  if (const std::optional<Sighting> found = witness_.FindText(path)) {
    return Found(*found, "the path is named there");
  }
  const std::size_t last = path.rfind('/', path.size() - 2);
  const std::string reason = "no pinned source has the folder it would be in";
  if (last == path.npos) {
    return {.message = "not decidable here", .reason = "a file name alone belongs to nobody"};
  }
  const std::string_view folder = path.substr(0, last);
  const std::string_view top = path.substr(0, path.find('/'));
  std::size_t having = 0;
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    having += witness_.HasFolder(source, folder) ? 1 : 0;
  }
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    if (owner && *owner != source) continue;
    // Its folder is there; or its first folder is one of the source that the
    // text is about.
    const bool has_folder = witness_.HasFolder(source, folder);
    const bool is_common = IsCommonFolder(top);
    const bool is_deep = folder.find('/') != folder.npos;
    const bool is_told =
        owner.has_value() || !is_common || (is_deep && (having == 1 || topic.names_source[source]));
    const bool is_below = !has_folder && !is_common && is_deep && witness_.HasFolder(source, top) &&
                          topic.names_source[source];
    if (!(has_folder && is_told) && !is_below) continue;
    Judgement judgement = {
        .verdict = Verdict::kAbsent,
        .message = fmt::format("{} has {}/ but no `{}`", witness_.ShowSource(source),
                               has_folder ? folder : top, path),
        .reason = fmt::format("the folder is in {}", witness_.ShowSource(source))};
    const std::string_view name = path.substr(last + 1);
    for (const Witness::File& elsewhere : witness_.FindFiles(name)) {
      if (elsewhere.source != source) continue;
      judgement.nearest = elsewhere.path;
      judgement.where = witness_.Show(elsewhere);
      return judgement;
    }
    if (const auto nearest = NearestOf(name, witness_.FilesIn(source, folder))) {
      judgement.nearest = fmt::format("{}/{}", folder, *nearest);
      judgement.where = fmt::format("{} {}", witness_.ShowSource(source), judgement.nearest);
    }
    return judgement;
  }
  return {.message = "not decidable here", .reason = reason};
}

}  // namespace sibyl::verify
