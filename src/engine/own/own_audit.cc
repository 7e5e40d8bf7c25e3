// SPDX-License-Identifier: Apache-2.0
#include "engine/own/own_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "audit/audit.h"
#include "audit/witness.h"
#include "base/parallel.h"
#include "base/percent.h"
#include "engine/citations/code_citations.h"
#include "engine/judgement_json.h"
#include "engine/own/own_context.h"
#include "engine/own/own_links.h"
#include "engine/own/own_memory.h"
#include "engine/own/own_names.h"
#include "engine/own/own_paths.h"
#include "engine/own/own_source.h"
#include "gate/oracle_pages.h"
#include "index/rank/searcher.h"
#include "references/repository.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;
using statement::Judgement;

constexpr std::size_t kMaxAuditedBytes = std::size_t{256} << 20;

void ExcuseJudgement(std::string_view reason, Judgement& judgement) {
  judgement.verdict = statement::Verdict::kUndecidable;
  judgement.message = "not checked";
  judgement.reason = reason;
  judgement.nearest.clear();
  judgement.where.clear();
}

/// The documents of one repository.
class RepositoryAudit {
 public:
  RepositoryAudit(const audit::Auditor& auditor, const OwnNameRules& names, const OwnPaths& paths,
                  const references::Repository& repository, std::string name, OwnMemory* memory)
      : auditor_(auditor),
        names_(names),
        paths_(paths),
        at_(repository.is_work_tree() ? nullptr : &repository),
        pages_(repository.location().work_tree),
        name_(std::move(name)),
        memory_(memory) {}

  Status Judge(const std::string& path, AuditedFile& file) const {
    const std::string text = SIBYL_TRY(file.file.Read({.max_bytes = kMaxAuditedBytes}));
    const statement::Statements statements = SIBYL_TRY(statement::ReadStatements(text));
    const OwnDocument document{
        .path = path, .shown = file.shown, .text = text, .statements = statements};
    const std::string_view foreign = ForeignDocument(path);
    std::vector<Judgement> judgements;
    if (foreign.empty() && DatedDocument(path).empty()) {
      judgements = SIBYL_TRY(JudgeStatements(document));
    }
    for (Judgement& one : JudgeOwnLinks(document, pages_)) {
      if (at_ != nullptr) JudgeLinkAt(path, one);
      judgements.push_back(std::move(one));
    }
    for (Judgement& one : judgements) {
      if (one.Fails() && !foreign.empty()) ExcuseJudgement(foreign, one);
    }
    std::stable_sort(judgements.begin(), judgements.end(), [](const auto& a, const auto& b) {
      return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    AddLineTexts(text, judgements);
    file.judgements = std::move(judgements);
    return {};
  }

 private:
  // With --at, a link leads to a file of that commit.
  void JudgeLinkAt(const std::string& document, Judgement& link) const {
    const std::string path = DecodePercentLeniently(
        std::string_view(link.text).substr(0, link.text.find_first_of("#?")));
    if (link.code != "link/broken" || path.empty() || path.find(':') != std::string::npos) return;
    const std::optional<std::string> target = gate::ResolveRelative(document, path);
    if (!target || target->empty()) return;
    const bool exists = at_->paths().Has(*target) || at_->paths().HasFolder(*target);
    if (exists && link.Fails() && !pages_.Exists(*target)) {
      ExcuseJudgement("the commit has that file", link);
    } else if (!exists && link.verdict == statement::Verdict::kSupported) {
      link.verdict = statement::Verdict::kAbsent;
      link.message = fmt::format("{} does not exist at that commit", *target);
    }
  }

  // Names, paths and code; nothing of documents that are not about the present.
  Result<std::vector<Judgement>> JudgeStatements(const OwnDocument& document) const {
    // The file's name counts as part of the title: the text is about this repository.
    const std::string title = fmt::format("{}/{}", name_, document.shown);
    std::optional<std::vector<Judgement>> known;
    if (memory_ != nullptr) known = memory_->Find(title, document.text);
    if (!known) {
      known = SIBYL_TRY(auditor_.Audit({.file = title, .text = document.text}));
      std::erase_if(*known, [](const Judgement& one) { return one.kind == "path"; });
      if (memory_ != nullptr) memory_->Keep(title, document.text, *known);
    }
    std::vector<Judgement> judgements = *std::move(known);
    for (Judgement& one : paths_.Judge(document)) judgements.push_back(std::move(one));
    const OwnContext context(document.path, document.statements);
    for (Judgement& one : judgements) {
      one.place.file = document.shown;
      if (!one.Fails()) continue;
      std::string_view excuse = context.Excuse(one.place.line);
      if (excuse.empty()) excuse = names_.Excuse(one);
      if (excuse.empty() && IsPlaceholder(one.text)) excuse = "it stands for another name";
      if (excuse.empty() && one.kind != "code block" && context.IsCode(one.place.line)) {
        excuse = "code may define names of its own";
      }
      if (!excuse.empty()) ExcuseJudgement(excuse, one);
    }
    return judgements;
  }

  const audit::Auditor& auditor_;
  const OwnNameRules& names_;
  const OwnPaths& paths_;
  const references::Repository* at_;  // null: the work tree
  gate::OraclePages pages_;
  std::string name_;
  OwnMemory* memory_;  // null if nothing is kept
};

struct OwnGroup {
  GitRepository location;
  std::vector<std::pair<std::string, AuditedFile*>> files;  // by path in the work tree
};

// The path that a failed judgement misses, from the root; empty for other judgements.
std::string MissedPath(const std::string& document, const Judgement& judgement) {
  if (!judgement.Fails()) return {};
  if (judgement.kind == "path") return references::CleanPath(judgement.text);
  if (judgement.code != "link/broken") return {};
  const std::string target = DecodePercentLeniently(
      std::string_view(judgement.text).substr(0, judgement.text.find_first_of("#?")));
  return gate::ResolveRelative(document, target).value_or("");
}

// What git ignores is made when somebody builds, and may be there for others.
void ExcuseIgnored(const OwnGroup& group) {
  std::set<std::string> missed;
  for (const auto& [path, file] : group.files) {
    for (const Judgement& one : file->judgements) missed.insert(MissedPath(path, one));
  }
  missed.erase("");
  if (missed.empty()) return;
  const std::set<std::string> ignored = IgnoredPaths(group.location, missed);
  for (const auto& [path, file] : group.files) {
    for (Judgement& one : file->judgements) {
      if (ignored.contains(MissedPath(path, one))) ExcuseJudgement("git ignores that path", one);
    }
  }
}

Result<std::vector<Finding>> AuditOwnGroup(const oracle::Context& context,
                                           const Arguments& arguments,
                                           const code::CodeChecker& code, const OwnGroup& group) {
  const std::string_view at = arguments.Has("at") ? arguments.Text("at") : std::string_view();
  const std::unique_ptr<references::Repository> repository =
      SIBYL_TRY(references::Repository::Open(group.location, at));
  OwnSource source = SIBYL_TRY(OpenOwnSource(context, *repository));
  const std::vector<const index::Index*> indexes = {source.index.get()};
  const index::Searcher searcher(indexes);
  const audit::Witness witness(searcher, {source.named});
  const audit::Auditor auditor(witness, &code);
  const OwnPaths paths = SIBYL_TRY(OwnPaths::Open(*repository, CitationCache(context)));
  const OwnNameRules names(witness);
  OwnMemory memory(source.folder, source.content);
  // What compilers say depends on more than the repository.
  const bool is_kept = !arguments.Has("code");
  const RepositoryAudit audit(auditor, names, paths, *repository, source.named.name,
                              is_kept ? &memory : nullptr);
  ForEachInParallel(group.files.size(), {}, [&](std::size_t i) {
    Status judged = audit.Judge(group.files[i].first, *group.files[i].second);
    if (!judged.ok()) group.files[i].second->error = judged.error();
  });
  memory.Save();
  ExcuseIgnored(group);
  std::vector<Finding> findings;
  if (source.rebuilt) findings.push_back(*std::move(source.rebuilt));
  return findings;
}

}  // namespace

Result<std::vector<Finding>> AuditOwnDocuments(const oracle::Context& context,
                                               const Arguments& arguments,
                                               const code::CodeChecker& code,
                                               std::vector<AuditedFile>& files) {
  std::map<std::string, OwnGroup> groups;
  for (AuditedFile& file : files) {
    if (!file.repository || file.has_only_citations) continue;
    const std::optional<fs::path> path =
        oracle::PathBelow(file.repository->work_tree, file.file.path());
    if (!path) continue;  // through a link: CheckCodeCitations reports it
    OwnGroup& group = groups[file.repository->work_tree.string()];
    group.location = *file.repository;
    group.files.emplace_back(path->generic_string(), &file);
  }
  std::vector<Finding> findings;
  for (const auto& [root, group] : groups) {
    Result<std::vector<Finding>> found = AuditOwnGroup(context, arguments, code, group);
    if (!found.ok()) {
      if (found.error().kind == ErrorKind::kCancelled) return found;
      findings.push_back(
          {.severity = Severity::kWarning,
           .code = "source/unsearchable",
           .message = fmt::format("{}: {}", group.location.work_tree.filename().string(),
                                  found.error().message),
           .hint = found.error().hint});
      continue;
    }
    findings.insert(findings.end(), found->begin(), found->end());
  }
  return findings;
}

}  // namespace sibyl::engine
