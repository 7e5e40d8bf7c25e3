// SPDX-License-Identifier: Apache-2.0
#include "engine/citations/code_citations.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/files/root.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "evidence/store.h"
#include "oracle/argument_file.h"
#include "references/check.h"
#include "references/past/changed_since.h"
#include "references/rewrite.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;
using references::CheckedDocument;
using references::CheckedReference;
using references::CitationStatus;
using references::Judged;
using statement::Verdict;

Json TargetAsJson(const references::Target& target) {
  Json json = {{"path", target.path}};
  if (!target.lines.IsWhole()) {
    json["first"] = target.lines.first;
    json["last"] = target.lines.last;
  }
  return json;
}

Verdict VerdictOf(CitationStatus status) {
  switch (status) {
    case CitationStatus::kHolds:
      return Verdict::kSupported;
    case CitationStatus::kDrifted:
      return Verdict::kStale;
    case CitationStatus::kWrong:
      return Verdict::kContradicted;
    case CitationStatus::kMissing:
    case CitationStatus::kOutOfRange:
      return Verdict::kAbsent;
    case CitationStatus::kUndecided:
      return Verdict::kUndecidable;
  }
  return Verdict::kUndecidable;
}

std::size_t ColumnOf(std::string_view text, std::size_t offset) {
  const std::size_t line_end = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return offset - (line_end == std::string_view::npos ? 0 : line_end + 1) + 1;
}

// In characters; zero if it is the same as in bytes.
std::size_t CharacterColumnOf(std::string_view text, std::size_t offset) {
  const std::size_t column = ColumnOf(text, offset);
  std::string_view before = text.substr(offset - (column - 1), column - 1);
  std::size_t characters = 1;
  for (; !before.empty(); ++characters) before.remove_prefix(DecodeUtf8(before).bytes);
  return characters == column ? 0 : characters;
}

statement::Judgement JudgementOf(const CheckedReference& checked, const std::string& shown,
                                 std::string_view text) {
  const Judged& judged = checked.judged;
  return {.verdict = VerdictOf(judged.status),
          .code = IsNotOk(judged.status) ? CitationCode(judged.status)
                                         : std::string(VerdictName(VerdictOf(judged.status))),
          .kind = "code-citation",
          .text = checked.reference.text,
          .message = CitationMessage(judged),
          .nearest = judged.suggestion ? TargetText(*judged.suggestion) : std::string(),
          .reason = judged.commit.empty()
                        ? judged.reason
                        : fmt::format("written in {}", judged.commit.substr(0, 10)),
          .place = {.file = shown,
                    .line = checked.reference.line,
                    .column = ColumnOf(text, checked.reference.begin)},
          .character_column = CharacterColumnOf(text, checked.reference.begin)};
}

Json EntryOf(const CheckedReference& checked, const std::string& shown) {
  const Judged& judged = checked.judged;
  Json entry = {{"kind", "code-citation"},
                {"file", shown},
                {"line", checked.reference.line},
                {"text", checked.reference.text},
                {"form", std::string(FormName(checked.reference.form))},
                {"status", std::string(StatusName(judged.status))},
                {"target", TargetAsJson(judged.target)}};
  if (judged.suggestion) {
    entry["suggestion"] = TargetAsJson(*judged.suggestion);
    entry["certain"] = judged.is_certain;
  }
  if (!judged.symbol.empty()) entry["claim"] = judged.symbol;
  if (!judged.commit.empty()) entry["written"] = judged.commit;
  if (!judged.reason.empty()) entry["reason"] = judged.reason;
  return entry;
}

// What a changelog or an archived review said and no longer holds.
bool IsPast(CitationStatus status) {
  return status == CitationStatus::kDrifted || status == CitationStatus::kMissing ||
         status == CitationStatus::kOutOfRange;
}

// From 1, in characters.
std::size_t CharacterAt(std::string_view text, std::size_t offset) {
  const std::size_t begin = text.substr(0, offset).rfind('\n') + 1;
  std::string_view before = text.substr(begin, offset - begin);
  std::size_t column = 1;
  for (; !before.empty(); ++column) before.remove_prefix(DecodeUtf8(before).bytes);
  return column;
}

/// Documents of one repository.
struct Group {
  GitRepository location;
  std::vector<std::string> paths;            // in the work tree
  std::map<std::string, fs::path> as_named;  // by those; a link may lead to the work tree
};

/// Checks one repository and adds to the report.
class GroupChecker {
 public:
  GroupChecker(const oracle::Context& context, const Arguments& arguments, CodeCitations& report)
      : context_(context), arguments_(arguments), report_(report) {}

  Status Check(const Group& group) {
    const std::unique_ptr<references::Repository> documents =
        SIBYL_TRY(references::Repository::Open(group.location));
    std::unique_ptr<references::Repository> commit;
    if (arguments_.Has("at")) {
      commit = SIBYL_TRY(references::Repository::Open(group.location, arguments_.Text("at")));
    }
    const references::Repository& code = commit ? *commit : *documents;
    if (!documents->HasWholeHistory()) WarnOfHistory(documents->IsShallow());
    std::vector<std::string> paths = group.paths;
    if (arguments_.Has("since")) {
      const std::vector<std::string> changed =
          SIBYL_TRY(references::ChangedSince(*documents, arguments_.Text("since")));
      std::vector<std::string> others;
      std::erase_if(paths, [&](const std::string& path) {
        if (std::binary_search(changed.begin(), changed.end(), path)) return false;
        report_.unchanged.insert(group.as_named.at(path).string());
        others.push_back(path);
        return true;
      });
      if (!commit) SIBYL_TRY(AddBroken(group, *documents, std::move(others)));
    }
    const std::vector<CheckedDocument> checked =
        SIBYL_TRY(references::CheckDocuments({.documents = *documents,
                                              .code = code,
                                              .paths = std::move(paths),
                                              .honours_pins = !arguments_.Has("at"),
                                              .cache = CitationCache(context_)}));
    for (const CheckedDocument& document : checked) {
      SIBYL_TRY(Add(document, group.as_named.at(document.path), code));
    }
    return {};
  }

 private:
  // Of documents that did not change, the citations that held where the branch
  // began, and fail because the cited file changed.
  Status AddBroken(const Group& group, const references::Repository& tree,
                   std::vector<std::string> paths) {
    const git::ObjectId base =
        SIBYL_TRY(references::WherePartedFrom(tree, arguments_.Text("since")));
    std::vector<CheckedDocument> now =
        SIBYL_TRY(references::CheckDocuments({.documents = tree,
                                              .code = tree,
                                              .paths = std::move(paths),
                                              .cache = CitationCache(context_)}));
    std::erase_if(now, [&](CheckedDocument& document) {
      std::erase_if(document.references, [&](const CheckedReference& one) {
        return !IsNotOk(one.judged.status) ||
               !references::IsChangedSince(tree, base, one.judged.target.path);
      });
      return document.references.empty();
    });
    if (now.empty()) return {};
    const std::unique_ptr<references::Repository> before =
        SIBYL_TRY(references::Repository::Open(group.location, base.Hex()));
    references::CheckRequest request{
        .documents = tree, .code = *before, .paths = {}, .cache = CitationCache(context_)};
    for (const CheckedDocument& document : now) request.paths.push_back(document.path);
    const std::vector<CheckedDocument> then = SIBYL_TRY(references::CheckDocuments(request));
    for (std::size_t i = 0; i < now.size(); ++i) {
      std::erase_if(now[i].references, [&](const CheckedReference& one) {
        return std::any_of(then[i].references.begin(), then[i].references.end(),
                           [&](const CheckedReference& other) {
                             return other.reference.begin == one.reference.begin &&
                                    other.reference.lines == one.reference.lines &&
                                    IsNotOk(other.judged.status);
                           });
      });
      if (now[i].references.empty()) continue;
      const fs::path& named = group.as_named.at(now[i].path);
      report_.unchanged.erase(named.string());
      report_.broken.insert(named.string());
      SIBYL_TRY(Add(now[i], named, tree));
    }
    return {};
  }

  Status Add(const CheckedDocument& document, const fs::path& path,
             const references::Repository& code) {
    const std::string shown = oracle::ShownPath(context_, path).string();
    if (document.error) {
      report_.findings.push_back({.severity = Severity::kError,
                                  .code = "audit/unread",
                                  .message = document.error->message,
                                  .hint = document.error->hint,
                                  .place = {.file = shown}});
      return {};
    }
    AddGaps(document, shown);
    const std::vector<references::Edit> corrections = references::CorrectNumbers(document);
    report_.correctable += CountCorrected(document, corrections);
    std::set<std::size_t> corrected;
    if (arguments_.Has("fix") || arguments_.Has("durable") || arguments_.Has("diff")) {
      corrected = SIBYL_TRY(Rewrite(document, code, corrections));
    }
    for (std::size_t i = 0; i < document.references.size(); ++i) {
      const CheckedReference& checked = document.references[i];
      if (corrected.contains(i)) {
        ++report_.counts[std::string(StatusName(CitationStatus::kHolds))];
        continue;
      }
      ++report_.counts[std::string(StatusName(checked.judged.status))];
      statement::Judgement judgement = JudgementOf(checked, shown, document.text);
      const bool is_past = document.is_record && IsPast(checked.judged.status);
      if (is_past) {
        ++report_.in_records;
        judgement.verdict = Verdict::kUndecidable;
        judgement.code = VerdictName(judgement.verdict);
        judgement.reason = "a record of its time";
      }
      if (judgement.Fails()) AddFix(document, checked, corrections, judgement);
      report_.judgements[path.string()].push_back(std::move(judgement));
      if (arguments_.Has("all") || IsNotOk(checked.judged.status)) {
        report_.entries.push_back(EntryOf(checked, shown));
        if (is_past) report_.entries.back()["record"] = true;
      }
    }
    return {};
  }

  // What was not checked, or not as the document asks.
  void AddGaps(const CheckedDocument& document, const std::string& shown) {
    if (!document.left_out.empty()) {
      report_.findings.push_back(
          {.severity = Severity::kError,
           .code = "audit/unread",
           .message = fmt::format("{}: the rest was not checked", document.left_out),
           .hint = "split the document",
           .place = {.file = shown}});
    }
    if (!document.unknown_commit.empty() && !arguments_.Has("at")) {
      report_.findings.push_back(
          {.severity = Severity::kWarning,
           .code = "citation/history",
           .message = fmt::format("the repository does not have commit {}, which the front matter "
                                  "names: compared with the current files",
                                  document.unknown_commit),
           .place = {.file = shown}});
    }
  }

  // In CI, clones are shallow unless told otherwise.
  void WarnOfHistory(bool is_shallow) {
    if (!is_shallow) {
      report_.findings.push_back(
          {.severity = Severity::kWarning,
           .code = "citation/history",
           .message = "this is a partial clone: citations whose history it does not have are not "
                      "decided",
           .hint = "fetch the objects: git fetch --refetch --no-filter"});
      return;
    }
    report_.findings.push_back(
        {.severity = Severity::kWarning,
         .code = "citation/history",
         .message = "the history of this repository is incomplete: what has drifted may be "
                    "reported as wrong, without the new lines",
         .hint = "fetch it: git fetch --unshallow; in GitHub Actions, set fetch-depth: 0"});
  }

  static bool IsEdited(const CheckedReference& checked,
                       const std::vector<references::Edit>& edits) {
    return std::any_of(edits.begin(), edits.end(), [&](const references::Edit& edit) {
      return std::any_of(checked.reference.numbers.begin(), checked.reference.numbers.end(),
                         [&](const references::NumberPlace& place) {
                           return edit.begin <= place.begin && place.end <= edit.end;
                         });
    });
  }

  // The edits of one citation, as lines and columns.
  void AddFix(const CheckedDocument& document, const CheckedReference& checked,
              const std::vector<references::Edit>& edits, const statement::Judgement& judgement) {
    Json replacements = Json::array();
    for (const references::Edit& edit : edits) {
      if (!IsEdited(checked, {edit})) continue;
      // Edits stay within a line.
      const auto lines_down = std::ranges::count(
          std::string_view(document.text)
              .substr(checked.reference.begin, edit.begin - checked.reference.begin),
          '\n');
      const std::size_t line = judgement.place.line + static_cast<std::size_t>(lines_down);
      replacements.push_back({{"line", line},
                              {"column", CharacterAt(document.text, edit.begin)},
                              {"end_line", line},
                              {"end_column", CharacterAt(document.text, edit.end)},
                              {"text", edit.text}});
    }
    if (replacements.empty()) return;
    report_.fixes.push_back({{"file", judgement.place.file},
                             {"code", judgement.code},
                             {"line", judgement.place.line},
                             {"replacements", std::move(replacements)}});
  }

  static std::size_t CountCorrected(const CheckedDocument& document,
                                    const std::vector<references::Edit>& edits) {
    return static_cast<std::size_t>(
        std::count_if(document.references.begin(), document.references.end(),
                      [&](const CheckedReference& one) { return IsEdited(one, edits); }));
  }

  // The citations that were corrected on disk.
  Result<std::set<std::size_t>> Rewrite(const CheckedDocument& document,
                                        const references::Repository& code,
                                        const std::vector<references::Edit>& corrections) {
    const GitRepository& location = code.location();
    std::vector<references::Edit> edits = corrections;
    if (arguments_.Has("durable")) {
      edits = references::MakeDurable(
          document, code,
          {.origin = code.Origin(), .commit = code.head() ? code.head()->Hex() : ""});
    }
    std::set<std::size_t> corrected;
    if (edits.empty()) return corrected;
    const std::string text = references::ApplyEdits(document.text, edits);
    if (arguments_.Has("diff")) {
      report_.diff += references::UnifiedDiff(document.path, document.text, text);
      return corrected;
    }
    const Root root = SIBYL_TRY(Root::Open(location.work_tree));
    // Somebody may have saved the document since it was read.
    if (SIBYL_TRY(root.Read(document.path)) != document.text) {
      return Error{
          .kind = ErrorKind::kUnavailable,
          .message = fmt::format("correcting {}: it changed while it was checked", document.path)};
    }
    SIBYL_TRY(root.Write(document.path, text));
    for (std::size_t i = 0; i < document.references.size(); ++i) {
      if (!IsEdited(document.references[i], edits)) continue;
      corrected.insert(i);
      ++report_.corrected;
    }
    return corrected;
  }

  const oracle::Context& context_;
  const Arguments& arguments_;
  CodeCitations& report_;
};

}  // namespace

std::string TargetText(const references::Target& target) {
  if (target.lines.IsWhole()) return target.path;
  if (target.lines.first == target.lines.last) {
    return fmt::format("{}:{}", target.path, target.lines.first);
  }
  return fmt::format("{}:{}-{}", target.path, target.lines.first, target.lines.last);
}

std::string CitationMessage(const Judged& judged) {
  const std::string place = TargetText(judged.target);
  const bool is_named = !judged.symbol.empty();
  switch (judged.status) {
    case CitationStatus::kHolds:
      return is_named ? fmt::format("`{}` is at {}", judged.symbol, place)
                      : fmt::format("{} is unchanged", place);
    case CitationStatus::kDrifted:
      return is_named ? fmt::format("`{}` is no longer at {}", judged.symbol, place)
                      : fmt::format("{} has changed since this was written", place);
    case CitationStatus::kWrong:
      if (is_named && !judged.reason.empty()) {
        return fmt::format("`{}` is not at {}: {}", judged.symbol, place, judged.reason);
      }
      if (!judged.reason.empty())
        return fmt::format("{} cannot be right: {}", place, judged.reason);
      return is_named ? fmt::format("`{}` is not at {}, and was not when this was written",
                                    judged.symbol, place)
                      : fmt::format("{} does not match the text, and did not when this was written",
                                    place);
    case CitationStatus::kMissing:
      return judged.reason;
    case CitationStatus::kOutOfRange:
      return fmt::format("{} is out of range: {}", place, judged.reason);
    case CitationStatus::kUndecided:
      return judged.reason.empty() ? "the text names nothing that can be checked" : judged.reason;
  }
  return {};
}

std::string SuggestionText(const Judged& judged) {
  if (!judged.suggestion) return {};
  return fmt::format("{} {}", judged.is_certain ? "now" : "perhaps",
                     TargetText(*judged.suggestion));
}

std::string CitationCode(CitationStatus status) {
  return fmt::format("citation/{}", StatusName(status));
}

fs::path CitationCache(const oracle::Context& context) {
  if (context.store) return *context.store / "references";
  const Result<evidence::Store> store = evidence::Store::Default();
  return store.ok() ? store->folder() / "references" : fs::path();
}

std::vector<Rule> CodeCitationRules() {
  return {
      {.code = "citation/drifted", .meaning = "the cited code has moved since this was written"},
      {.code = "citation/wrong", .meaning = "the cited lines never had what is claimed"},
      {.code = "citation/missing", .meaning = "the cited file does not exist"},
      {.code = "citation/out-of-range", .meaning = "the cited file has fewer lines"},
      {.code = "citation/history", .meaning = "commits that are needed are missing"},
      {.code = "citation/unread", .meaning = "the code citations of a repository were not checked"},
  };
}

Result<std::optional<GitRepository>> ReadableRepository(const oracle::Context& context,
                                                        const fs::path& folder) {
  std::optional<GitRepository> found = SIBYL_TRY(FindGitRepository(folder));
  if (!found || context.roots.empty()) return found;
  const bool is_allowed =
      std::any_of(context.roots.begin(), context.roots.end(), [&](const fs::path& root) {
        return oracle::PathBelow(root, found->work_tree / ".git").has_value();
      });
  if (!is_allowed) found.reset();
  return found;
}

Result<CodeCitations> CheckCodeCitations(const oracle::Context& context, const Arguments& arguments,
                                         const std::vector<fs::path>& documents) {
  CodeCitations report;
  std::map<std::string, std::optional<GitRepository>> of_folder;
  std::map<std::string, Group> groups;
  for (const fs::path& document : documents) {
    const fs::path folder = document.parent_path();
    auto known = of_folder.find(folder.string());
    if (known == of_folder.end()) {
      Result<std::optional<GitRepository>> found = ReadableRepository(context, folder);
      if (!found.ok()) {
        report.findings.push_back({.severity = Severity::kWarning,
                                   .code = "citation/unread",
                                   .message = found.error().message,
                                   .hint = found.error().hint});
      }
      known = of_folder
                  .emplace(folder.string(),
                           found.ok() ? *std::move(found) : std::optional<GitRepository>())
                  .first;
    }
    if (!known->second) continue;
    const fs::path& root = known->second->work_tree;
    const std::optional<fs::path> relative = oracle::PathBelow(root, document);
    if (!relative) {
      report.findings.push_back({.severity = Severity::kWarning,
                                 .code = "citation/unread",
                                 .message = "the document is in a repository only through a link",
                                 .hint = "name it by its path in the repository",
                                 .place = {.file = oracle::ShownPath(context, document).string()}});
      continue;
    }
    Group& group = groups[root.string()];
    group.location = *known->second;
    const std::string path = relative->generic_string();
    if (group.as_named.emplace(path, document).second) group.paths.push_back(path);
  }
  GroupChecker checker(context, arguments, report);
  for (const auto& [root, group] : groups) SIBYL_TRY(checker.Check(group));
  return report;
}

void AddToOutcome(const CodeCitations& citations, Outcome& outcome) {
  outcome.data["code_citations"] = citations.entries;
  Json counts = Json::object();
  for (const CitationStatus status :
       {CitationStatus::kHolds, CitationStatus::kDrifted, CitationStatus::kWrong,
        CitationStatus::kMissing, CitationStatus::kOutOfRange, CitationStatus::kUndecided}) {
    const std::string name(StatusName(status));
    const auto count = citations.counts.find(name);
    counts[name] = count == citations.counts.end() ? 0 : count->second;
  }
  outcome.data["code_counts"] = std::move(counts);
  outcome.data["correctable"] = citations.correctable;
  outcome.data["corrected"] = citations.corrected;
  outcome.data["in_records"] = citations.in_records;
  if (!citations.diff.empty()) outcome.data["diff"] = citations.diff;
  if (!citations.fixes.empty()) outcome.data["fixes"] = citations.fixes;
  for (const Finding& finding : citations.findings) {
    outcome.holds = outcome.holds && finding.severity != Severity::kError;
    outcome.findings.push_back(finding);
  }
}

}  // namespace sibyl::engine
