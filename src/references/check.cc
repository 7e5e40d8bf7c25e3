// SPDX-License-Identifier: Apache-2.0
#include "references/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/markdown/markdown_name.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "references/find/find.h"
#include "references/find/quick_look.h"
#include "references/find/record.h"
#include "references/kept/git_log.h"
#include "references/kept/kept_verdicts.h"
#include "references/mostly_wrong.h"
#include "references/past/base_commit.h"
#include "references/resolve.h"

namespace sibyl::references {
namespace {

// Names that count as files although they have no extension that is known.
IsKnownFile KnownFilesOf(const PathList& paths) {
  return [&paths](std::string_view name) {
    if (name.find('.') != std::string_view::npos && name.find('/') == std::string_view::npos) {
      return !paths.EndingWith(name).empty() ||
             (name.size() > 3 && !ResolvePath(paths, {.written = name}).empty());
    }
    // CHANGELOG, README
    const bool is_shouted = name.size() >= 4 && std::all_of(name.begin(), name.end(), [](char c) {
                              return (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
                            });
    if (is_shouted) return !paths.WithStem(name).empty();
    return name.find('/') != std::string_view::npos && paths.Has(name);
  };
}

struct Found {
  FoundReferences references;
  bool is_answered = false;  ///< Nothing is to be judged.
};

Result<std::string> TextOf(const CheckRequest& request, const std::string& path) {
  if (request.texts != nullptr) {
    const auto given = request.texts->find(path);
    if (given != request.texts->end()) return given->second;
  }
  return request.documents.Read(path);
}

void ReadDocument(const CheckRequest& request, const std::string& path, CheckedDocument& document) {
  document.path = path;
  document.is_record = IsRecord(path);
  Result<std::string> text = TextOf(request, path);
  if (!text.ok()) {
    document.error = std::move(text).error();
    return;
  }
  document.text = *std::move(text);
  const std::string pin = PinnedCommit(document.text);
  if (!pin.empty() && !request.code.Resolve(pin).ok()) document.unknown_commit = pin;
}

void FindIn(const IsKnownFile& is_known, CheckedDocument& document, Found& found) {
  Result<FoundReferences> references = FindReferences(document.text, {.is_known = is_known});
  if (!references.ok()) {
    document.error = std::move(references).error();
    return;
  }
  found.references = *std::move(references);
  document.left_out = found.references.left_out;
}

// The commits that the citations were written for, if one of them fails.
std::map<git::ObjectId, git::ObjectId> FindBases(const Judge& judge, const Repository& code,
                                                 const CitingDocument& citing,
                                                 const std::vector<Reference>& references,
                                                 const std::vector<std::optional<Judged>>& judged) {
  std::vector<ResolvedReference> resolved;
  bool fails = false;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const bool is_known = judged[i] && references[i].commit.empty() &&
                          references[i].impossible.empty() &&
                          code.paths().Has(judged[i]->target.path);
    if (!is_known) continue;
    fails = fails || IsNotOk(judged[i]->status);
    resolved.push_back({&references[i], judge.NamesOf(judged[i]->target.path)});
  }
  if (!fails) return {};
  return FindBaseCommits(code, citing, resolved);
}

void JudgeAll(const Judge& judge, const Repository& code, std::vector<Reference>& references,
              DocumentVersions& versions, CheckedDocument& document) {
  std::set<std::string> places;
  for (const Reference& reference : references) {
    for (const std::string& file : FilesOf(code, document.path, reference)) {
      places.insert(KindOfPlace(file));
    }
  }
  places.erase(std::string());
  CitingDocument citing{document.path, document.text, versions, places};
  std::vector<std::optional<Judged>> judged;
  judged.reserve(references.size());
  for (const Reference& reference : references) judged.push_back(judge.Decide(citing, reference));
  const std::map<git::ObjectId, git::ObjectId> bases =
      FindBases(judge, code, citing, references, judged);
  citing.bases = &bases;
  for (std::size_t i = 0; i < references.size() && !bases.empty(); ++i) {
    if (judged[i]) judged[i] = judge.Decide(citing, references[i]);
  }
  CallMostlyWrong(judged);
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (!judged[i]) continue;
    document.references.push_back(
        {.reference = std::move(references[i]), .judged = *std::move(judged[i])});
  }
}

// A document about one commit says nothing about later ones. False if the
// repository does not have the commit.
bool CheckAtPin(const CheckRequest& request, const std::string& commit,
                std::vector<Reference>& references, CheckedDocument& document) {
  const Result<std::unique_ptr<Repository>> pinned =
      Repository::Open(request.code.location(), commit);
  if (!pinned.ok()) return false;
  const TreeIndex index(**pinned);
  DocumentVersions versions(**pinned, {});
  ComparedVersions compared;
  JudgeAll({**pinned, index, compared, nullptr}, **pinned, references, versions, document);
  return true;
}

// Asks git about paths that `ignored` does not have yet.
void AskForIgnored(const Repository& code, const std::set<std::string>& paths,
                   std::map<std::string, bool, std::less<>>& ignored) {
  Command command = GitCommand(code.location(), code.location().work_tree,
                               {"check-ignore", "-z", "--stdin", "--no-index"});
  for (const std::string& path : paths) {
    if (ignored.emplace(path, false).second) command.input += path + '\0';
  }
  if (command.input.empty()) return;
  const Result<Outcome> outcome = RunProgram(command);
  if (!outcome.ok() || !outcome->exit_code || *outcome->exit_code > 1) return;
  for (std::string_view rest = outcome->output; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    ignored.insert_or_assign(std::string(rest.substr(0, end)), true);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

// Of the paths that resolve to nothing, those that the repository's own ignore
// files name: they are of this project, and not in it.
std::set<std::string, std::less<>> IgnoredFiles(const CheckRequest& request,
                                                const std::vector<Found>& found,
                                                CheckMemory& memory) {
  std::set<std::string> unknown;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const Reference& reference : found[i].references.all) {
      if (!FilesOf(request.code, request.paths[i], reference).empty()) continue;
      for (std::string& path : Spellings(request.code, request.paths[i], reference)) {
        unknown.insert(std::move(path));
      }
    }
  }
  AskForIgnored(request.code, unknown, memory.ignored);
  std::set<std::string, std::less<>> ignored;
  for (const std::string& path : unknown) {
    if (memory.ignored[path]) ignored.insert(path);
  }
  return ignored;
}

Result<std::shared_ptr<const RepositoryHistory>> ReadHistory(const CheckRequest& request) {
  const GitRepository& location = request.code.location();
  const git::ObjectId& code_head = *request.code.head();
  const git::ObjectId& head = request.documents.head().value_or(code_head);
  DocumentHistory documents = SIBYL_TRY(DocumentHistory::Read({.repository = location,
                                                               .head = head,
                                                               .cache = request.cache,
                                                               .keeps = request.keeps_cache}));
  Result<LostFiles> lost = LostFiles::Read({.repository = location,
                                            .head = code_head,
                                            .cache = request.cache,
                                            .keeps = request.keeps_cache});
  return std::make_shared<const RepositoryHistory>(RepositoryHistory{
      .head = code_head,
      .documents = std::move(documents),
      .lost = lost.ok() ? std::optional<LostFiles>(*std::move(lost)) : std::nullopt});
}

void JudgeDocument(const CheckRequest& request, CheckMemory& memory, const AbsentFiles* absent,
                   FoundReferences& found, CheckedDocument& document) {
  if (found.all.empty()) return;
  if (request.honours_pins && !found.commit.empty()) {
    if (CheckAtPin(request, found.commit, found.all, document)) return;
  }
  DocumentVersions versions(request.code, memory.history
                                              ? memory.history->documents.VersionsOf(document.path)
                                              : std::vector<DocumentVersion>());
  if (!found.commit.empty()) {
    const Result<git::ObjectId> pin = request.code.Resolve(found.commit);
    if (pin.ok()) versions.Pin(*pin);
  } else if (const std::string named = NamedCommit(document.text); !named.empty()) {
    const Result<git::ObjectId> commit = request.code.Resolve(named);
    if (commit.ok()) versions.Pin(*commit);
  } else if (const std::optional<std::int64_t> date = DateOfPath(document.path)) {
    if (const auto commit = request.code.LastCommitBefore(*date)) versions.Pin(*commit);
  }
  JudgeAll({request.code, memory.index, memory.compared, absent}, request.code, found.all, versions,
           document);
}

}  // namespace

std::vector<std::string> DocumentsOf(const Repository& repository) {
  std::vector<std::string> documents;
  for (const std::string& path : repository.paths().all()) {
    if (!HasMarkdownName(path)) continue;
    // A link to another document has the same citations.
    const std::string target = repository.LinkTarget(path);
    const bool is_same = HasMarkdownName(target) && repository.paths().Has(target);
    if (!is_same) documents.push_back(path);
  }
  return documents;
}

Result<std::vector<CheckedDocument>> CheckDocuments(const CheckRequest& request) {
  const Repository& code = request.code;
  KeptVerdicts kept(request);
  std::vector<CheckedDocument> checked(request.paths.size());
  std::vector<Found> found(request.paths.size());
  const IsKnownFile is_known = KnownFilesOf(code.paths());
  ForEachInParallel(found.size(), {}, [&](std::size_t i) {
    ReadDocument(request, request.paths[i], checked[i]);
    found[i].is_answered = checked[i].error || kept.Answer(checked[i]);
    if (!found[i].is_answered) FindIn(is_known, checked[i], found[i]);
  });
  const bool has_any = std::any_of(found.begin(), found.end(),
                                   [](const Found& one) { return !one.references.all.empty(); });
  std::optional<CheckMemory> own;
  CheckMemory& memory = request.memory != nullptr ? *request.memory : own.emplace(code);
  std::optional<AbsentFiles> absent;
  if (has_any && code.head()) {
    if (!memory.history) memory.history = SIBYL_TRY(ReadHistory(request));
    if (memory.history->lost) {
      absent.emplace(AbsentFiles{.lost = *memory.history->lost,
                                 .ignored = IgnoredFiles(request, found, memory)});
    }
  }
  ForEachInParallel(found.size(), {}, [&](std::size_t i) {
    if (found[i].is_answered || checked[i].error) return;
    const std::vector<std::string> files =
        kept.FilesOfAll(checked[i].path, found[i].references.all);
    JudgeDocument(request, memory, absent ? &*absent : nullptr, found[i].references, checked[i]);
    kept.Keep(checked[i], files);
  });
  kept.Save();
  return checked;
}

}  // namespace sibyl::references
