// SPDX-License-Identifier: Apache-2.0
#include "engine/own/own_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "audit/family_table.h"
#include "audit/nearest.h"
#include "base/ascii.h"
#include "base/markdown/markdown_lines.h"
#include "base/strings.h"
#include "engine/own/own_context.h"
#include "statement/atom.h"

namespace sibyl::engine {
namespace {

// "a.rs", "CMakeLists.txt", but not "v1.2" or "example.com/x".
bool HasFileEnding(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0) return false;
  const std::string_view ending = name.substr(dot + 1);
  return !ending.empty() && ending.size() <= 8 &&
         std::all_of(ending.begin(), ending.end(),
                     [](char c) { return IsLower(c) || IsUpper(c) || IsDigit(c); }) &&
         !std::all_of(ending.begin(), ending.end(), IsDigit);
}

// Whether the atom is all that its code span has.
bool IsWholeSpan(const statement::Statement& statement, const statement::Atom& atom) {
  const statement::TextRun* run = statement::RunAt(statement, atom.offset);
  return run != nullptr && run->is_code && run->begin == atom.offset &&
         run->end == atom.offset + atom.text.size();
}

std::string ParentOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(slash == path.npos ? "" : path.substr(0, slash));
}

std::vector<std::string> FileNamesIn(const references::PathList& paths, const std::string& folder) {
  std::vector<std::string> names;
  const std::string start = folder + "/";
  const auto& all = paths.all();
  for (auto at = std::lower_bound(all.begin(), all.end(), start);
       at != all.end() && at->starts_with(start); ++at) {
    const std::string_view rest = std::string_view(*at).substr(start.size());
    if (rest.find('/') == rest.npos) names.emplace_back(rest);
  }
  return names;
}

}  // namespace

std::set<std::string> IgnoredPaths(const GitRepository& repository,
                                   const std::set<std::string>& paths) {
  Command command =
      GitCommand(repository, repository.work_tree, {"check-ignore", "-z", "--stdin", "--no-index"});
  for (const std::string& path : paths) command.input += path + '\0';
  std::set<std::string> ignored;
  const Result<sibyl::Outcome> outcome = RunProgram(command);
  if (!outcome.ok() || !outcome->exit_code || *outcome->exit_code > 1) return ignored;
  for (std::string_view rest = outcome->output; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    ignored.emplace(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return ignored;
}

Result<OwnPaths> OwnPaths::Open(const references::Repository& repository,
                                const std::filesystem::path& cache) {
  references::LostFiles lost({});
  if (repository.head()) {
    lost = SIBYL_TRY(references::LostFiles::Read(
        {.repository = repository.location(), .head = *repository.head(), .cache = cache}));
  }
  return OwnPaths(repository, SIBYL_TRY(Root::Open(repository.location().work_tree)),
                  std::move(lost));
}

bool OwnPaths::Exists(const std::string& path) const {
  const references::PathList& paths = repository_->paths();
  return paths.Has(path) || paths.HasFolder(path) || root_.Exists(path);
}

// A folder that is there, and that not every repository has.
bool OwnPaths::IsOwnFolder(std::string_view folder) const {
  const std::string_view first = folder.substr(0, folder.find('/'));
  const bool is_common = std::find(audit::kCommonFolders.begin(), audit::kCommonFolders.end(),
                                   first) != audit::kCommonFolders.end();
  return !is_common && repository_->paths().HasFolder(folder);
}

statement::Judgement OwnPaths::JudgePath(std::string_view written,
                                         const OwnDocument& document) const {
  while (written.starts_with("./")) written.remove_prefix(2);
  const references::PathList& paths = repository_->paths();
  const std::string name = repository_->location().work_tree.filename().string();
  const std::vector<std::string> found = references::ResolvePath(
      paths, {.written = written, .document = document.path, .base = {}, .name = name});
  const std::string beside =
      references::CleanPath(fmt::format("{}/{}", ParentOf(document.path), written));
  if (!found.empty() || Exists(std::string(written)) || (!beside.empty() && Exists(beside))) {
    return {.verdict = statement::Verdict::kSupported,
            .message = "found",
            .where = found.empty() ? std::string(written) : found.front(),
            .reason = "it exists"};
  }
  const std::string_view first = written.substr(0, written.find('/'));
  const std::string folder = ParentOf(written);
  if (written.ends_with('/') || !HasFileEnding(written) || IsPlaceholder(written)) {
    return statement::Undecidable("it may be something else than a path of this repository");
  }
  // pkg/git.Client: a name of the package pkg/git.
  const std::string_view module = written.substr(0, written.rfind('.'));
  const bool is_capital = IsUpper(written[std::min(module.size() + 1, written.size() - 1)]);
  if (is_capital && (paths.HasFolder(module) || !paths.WithStem(module).empty())) {
    return statement::Undecidable("it may be a name in a module of this repository");
  }
  if (!paths.HasFolder(first)) {
    return statement::Undecidable("the repository has no folder that it could be in");
  }
  for (const std::string_view ending : {".example", ".sample", ".template", ".dist", ".in"}) {
    if (Exists(std::string(written) + std::string(ending))) {
      return statement::Undecidable("everybody makes it from an example");
    }
  }
  const std::vector<std::string> lost = lost_.EndingWith(written);
  const bool was_there = std::find(lost.begin(), lost.end(), written) != lost.end();
  if (!was_there && (!IsOwnFolder(folder) || !DatedDocument(written).empty())) {
    return statement::Undecidable("any repository may have such a folder");
  }
  statement::Judgement judgement{
      .verdict = statement::Verdict::kAbsent,
      .message = was_there ? fmt::format("the repository no longer has `{}`", written)
                           : fmt::format("the repository has {}/, but not `{}`", folder, written),
      .reason = was_there ? "its history has it" : "its folder is in the repository"};
  if (was_there) judgement.nearest = lost_.NowAt(std::string(written));
  if (!judgement.nearest.empty()) return judgement;
  const std::string base(written.substr(written.rfind('/') + 1));
  const std::vector<std::string> same = paths.EndingWith(base);
  if (same.size() == 1) {
    judgement.nearest = same.front();
  } else if (const auto nearest = audit::NearestOf(base, FileNamesIn(paths, folder))) {
    judgement.nearest = fmt::format("{}/{}", folder, *nearest);
  }
  return judgement;
}

std::vector<statement::Judgement> OwnPaths::Judge(const OwnDocument& document) const {
  std::vector<statement::Judgement> judgements;
  const MarkdownLines lines(document.text);
  for (const statement::Statement& statement : document.statements.all) {
    if (!statement.IsProse()) continue;
    for (const statement::Atom& atom : statement::ExtractAtoms(statement)) {
      if (atom.kind != statement::AtomKind::kPath || !Contains(atom.text, "/")) continue;
      if (!IsWholeSpan(statement, atom)) continue;
      statement::Judgement judgement = JudgePath(atom.text, document);
      judgement.code = "ident/unknown";
      judgement.kind = statement::AtomKindName(atom.kind);
      judgement.text = atom.text;
      const std::size_t at = statement::SourceOffset(statement, atom.offset);
      const std::size_t line = lines.LineOf(at);
      judgement.place = {
          .file = std::string(document.shown), .line = line, .column = at - lines.Start(line) + 1};
      judgements.push_back(std::move(judgement));
    }
  }
  return judgements;
}

}  // namespace sibyl::engine
