// SPDX-License-Identifier: Apache-2.0
// Paths: part of verify/name_judge.
#include <fmt/format.h>

#include <algorithm>

#include "audit/family_table.h"
#include "audit/name_judge.h"
#include "audit/nearest.h"
#include "base/strings.h"

namespace sibyl::audit {
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

statement::Judgement NameJudge::JudgePath(const statement::Atom& atom, const Topic& topic) const {
  std::string_view path = atom.text;
  while (path.starts_with("./")) path.remove_prefix(2);
  std::vector<Witness::File> files = witness_.FindFiles(path);
  std::optional<std::size_t> owner;  // "pytorch/cmake/…" names its source itself
  const std::size_t slash = path.find('/');
  for (std::size_t source = 0;
       files.empty() && slash != path.npos && !owner && source < witness_.sources().size();
       ++source) {
    const std::string_view first = path.substr(0, slash);
    if (Folded(first) != Folded(witness_.sources()[source].name)) continue;
    if (witness_.HasFolder(source, first)) continue;  // the package, not the source
    owner = source;
    path.remove_prefix(slash + 1);
    files = witness_.FindFiles(path);
  }
  if (!files.empty()) {
    return {.verdict = statement::Verdict::kSupported,
            .message = "found",
            .where = witness_.Show(files.front()),
            .reason = "the file exists"};
  }
  for (std::size_t source = 0; path.ends_with('/') && source < witness_.sources().size();
       ++source) {
    if (!witness_.HasFolder(source, path)) continue;
    return {.verdict = statement::Verdict::kSupported,
            .message = "found",
            .where = fmt::format("{} {}", witness_.ShowSource(source), path),
            .reason = "the folder exists"};
  }
  if (const std::optional<Sighting> found = witness_.FindText(path)) {
    return Found(*found, "the path is mentioned there");
  }
  const std::size_t last = path.size() < 2 ? path.npos : path.rfind('/', path.size() - 2);
  if (last == path.npos) {
    return statement::Undecidable("a bare file name does not say which source it belongs to");
  }
  const std::optional<std::size_t> home = HomeOfPath(path.substr(0, last), owner, topic);
  if (home) return AbsentPath(path, *home);
  return statement::Undecidable("no pinned source has the folder it would be in");
}

// The source that has the folder, if that identifies it; or the one that the
// text is about and that has the first folder.
std::optional<std::size_t> NameJudge::HomeOfPath(std::string_view folder,
                                                 std::optional<std::size_t> owner,
                                                 const Topic& topic) const {
  const std::string_view top = folder.substr(0, folder.find('/'));
  const bool is_common = IsCommonFolder(top);
  const bool is_deep = folder.find('/') != folder.npos;
  std::size_t having = 0;
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    having += witness_.HasFolder(source, folder) ? 1 : 0;
  }
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    if (owner && *owner != source) continue;
    const bool has_folder = witness_.HasFolder(source, folder);
    const bool is_about = topic.names_source[source];
    const bool is_told = owner.has_value() || !is_common || (is_deep && (having == 1 || is_about));
    const bool is_below =
        !has_folder && !is_common && is_deep && is_about && witness_.HasFolder(source, top);
    if ((has_folder && is_told) || is_below) return source;
  }
  return std::nullopt;
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
  if (const auto nearest = NearestOf(name, witness_.FilesIn(home, folder))) {
    judgement.nearest = fmt::format("{}/{}", folder, *nearest);
    judgement.where = fmt::format("{} {}", witness_.ShowSource(home), judgement.nearest);
  }
  return judgement;
}

}  // namespace sibyl::audit
