// SPDX-License-Identifier: Apache-2.0
#include "references/kept/git_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "base/files/files.h"
#include "base/hash.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "references/file_tree.h"
#include "references/on_one_line.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kMaxVersions = 2'000;
constexpr std::size_t kMaxRenames = 50;
constexpr std::size_t kMaxOutput = std::size_t{256} << 20;
constexpr std::chrono::minutes kMaxTime{2};
constexpr std::size_t kKeyDigits = 32;

// Renames are found by similarity, for which git reads blobs. Where some are
// missing (a partial clone) that fails, and only unchanged files are followed.
constexpr std::string_view kSimilar = "-M";
constexpr std::string_view kIdentical = "-M100%";

Result<std::string> RunLog(const GitRepository& repository, const std::vector<std::string>& commits,
                           const std::vector<std::string>& more) {
  std::string errors;
  for (const std::string_view renames : {kSimilar, kIdentical}) {
    std::vector<std::string> arguments = {"log",
                                          "-z",
                                          "--raw",
                                          "--no-abbrev",
                                          std::string(renames),
                                          "--no-ext-diff",
                                          "--no-textconv",
                                          "--no-show-signature",
                                          "--no-color",
                                          "--format=format:%x01%H %P"};
    arguments.insert(arguments.end(), commits.begin(), commits.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    Command command = GitCommand(repository, repository.work_tree, arguments);
    command.environment["LC_ALL"] = "C";
    command.environment["GIT_NO_LAZY_FETCH"] = "1";
    command.limits.output_bytes = kMaxOutput;
    command.limits.time = kMaxTime;
    Outcome outcome = SIBYL_TRY(RunProgram(command));
    if (outcome.succeeded()) return std::move(outcome.output);
    errors = outcome.errors.empty() ? Describe(outcome) : outcome.errors;
  }
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("reading the history of {}: {}",
                                      repository.work_tree.string(), Harmless(OnOneLine(errors)))};
}

bool IsAncestor(const GitRepository& repository, const std::string& before,
                const std::string& after) {
  const Result<Outcome> outcome = RunProgram(
      GitCommand(repository, repository.work_tree, {"merge-base", "--is-ancestor", before, after}));
  return outcome.ok() && outcome->succeeded();
}

// The log of a commit never changes. A file has a title with the hash of the rest,
// the id of the commit, a line end and the log. Damaged files count as absent.
constexpr std::string_view kLogTitle = "sibyl log 2 ";

std::string WithTitle(const std::string& body) {
  return fmt::format("{}{}\n{}", kLogTitle, Sha256(body), body);
}

Result<std::string> ReadTitled(const std::filesystem::path& file) {
  std::string bytes = SIBYL_TRY(ReadFile(file, {.max_bytes = kMaxOutput}));
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  std::string body = bytes.substr(std::min(end + 1, bytes.size()));
  if (!bytes.starts_with(kLogTitle) ||
      bytes.substr(kLogTitle.size(), end - kLogTitle.size()) != Sha256(body)) {
    return Error{.kind = ErrorKind::kNotFound, .message = "damaged, or of another version"};
  }
  return body;
}

Result<std::string> ReadLog(const LogRequest& request, std::string_view name,
                            const std::vector<std::string>& more) {
  const std::string head = request.head.Hex();
  if (request.cache.empty()) return RunLog(request.repository, {head}, more);
  const std::filesystem::path file =
      request.cache /
      fmt::format("{}-{}", name, Sha256(request.repository.git_dir.string()).substr(0, kKeyDigits));
  std::string log;
  bool is_complete = false;
  if (Result<std::string> kept = ReadTitled(file); kept.ok()) {
    const std::size_t end = kept->find('\n');
    const std::string before = kept->substr(0, end);
    if (end != std::string::npos && git::ObjectId::FromHex(before)) {
      if (before == head) return kept->substr(end + 1);
      if (IsAncestor(request.repository, before, head)) {
        log = SIBYL_TRY(RunLog(request.repository, {head, "^" + before}, more));
        // Commits are separated by NUL.
        if (!log.empty()) log += '\0';
        log += kept->substr(end + 1);
        is_complete = true;
      }
    }
  }
  if (!is_complete) log = SIBYL_TRY(RunLog(request.repository, {head}, more));
  // Without a cache the answer is the same.
  if (request.keeps && CreateFolders(request.cache).ok()) {
    const Status written = WriteFileAtomically(file, WithTitle(head + "\n" + log));
    static_cast<void>(written.ok());
  }
  return log;
}

std::string_view TakeToken(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\0'), rest.size());
  const std::string_view token = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return token;
}

git::ObjectId IdOf(std::string_view digits) {
  return git::ObjectId::FromHex(digits).value_or(git::ObjectId());
}

// ":100644 100644 OLD NEW M"
void ReadChange(std::string_view header, std::string_view& rest, CommitChanges& commit) {
  std::vector<std::string_view> fields;
  while (!header.empty() && fields.size() < 5) {
    const std::size_t space = std::min(header.find(' '), header.size());
    fields.push_back(header.substr(0, space));
    header.remove_prefix(std::min(space + 1, header.size()));
  }
  const std::string_view first = TakeToken(rest);
  if (fields.size() < 5 || fields[4].empty()) return;
  FileChange change{.blob = IdOf(fields[3]), .path = std::string(first), .status = fields[4][0]};
  if (change.status == 'R' || change.status == 'C') {
    change.before = std::string(first);
    change.path = std::string(TakeToken(rest));
  }
  commit.files.push_back(std::move(change));
}

// Files that one commit deleted in one folder and added in another, if only one has that
// name: git sees no move where most of the file was changed too, or where blobs are
// missing.
std::vector<std::pair<std::string, std::string>> MovedByName(const CommitChanges& commit) {
  struct Paths {
    std::vector<std::string_view> deleted;
    std::vector<std::string_view> added;
  };
  std::map<std::string_view, Paths> names;
  for (const FileChange& file : commit.files) {
    const std::string_view path = file.path;
    Paths& paths = names[path.substr(path.rfind('/') + 1)];
    if (file.status == 'D') paths.deleted.push_back(path);
    if (file.status == 'A') paths.added.push_back(path);
  }
  std::vector<std::pair<std::string, std::string>> moved;
  for (const auto& [name, paths] : names) {
    if (paths.deleted.size() != 1 || paths.added.size() != 1) continue;
    moved.emplace_back(paths.deleted.front(), paths.added.front());
  }
  return moved;
}

}  // namespace

std::vector<CommitChanges> ParseGitLog(std::string_view output) {
  std::vector<CommitChanges> commits;
  while (!output.empty()) {
    std::string_view token = TakeToken(output);
    if (token.starts_with('\x01')) {
      token.remove_prefix(1);
      const std::size_t end = std::min(token.find('\n'), token.size());
      const std::string_view ids = token.substr(0, end);
      const std::size_t space = ids.find(' ');
      CommitChanges commit{.commit = IdOf(ids.substr(0, space))};
      if (space != std::string_view::npos) {
        commit.parent = IdOf(ids.substr(space + 1, git::ObjectId::kDigits));
      }
      commits.push_back(std::move(commit));
      token = end < token.size() ? token.substr(end + 1) : std::string_view();
    }
    if (token.starts_with(':') && !commits.empty()) {
      ReadChange(token.substr(1), output, commits.back());
    }
  }
  return commits;
}

Result<DocumentHistory> DocumentHistory::Read(const LogRequest& request) {
  const std::string output = SIBYL_TRY(
      ReadLog(request, "documents", {"--", "*.md", "*.mdx", "*.markdown", "*.mdc", "*.MD"}));
  return DocumentHistory(ParseGitLog(output));
}

std::vector<DocumentVersion> DocumentHistory::VersionsOf(std::string_view path) const {
  std::vector<DocumentVersion> versions;
  std::string name(path);
  std::optional<git::ObjectId> copied;  // what it was when it was added
  std::size_t copies = 0;
  for (const CommitChanges& commit : changes_) {
    for (const FileChange& file : commit.files) {
      if (file.status == 'D') continue;
      if (copied ? file.blob != *copied : file.path != name) continue;
      versions.push_back({.commit = commit.commit, .parent = commit.parent, .blob = file.blob});
      if (versions.size() >= kMaxVersions) return versions;
      copied.reset();
      name = file.before.empty() ? file.path : file.before;
      if (file.status == 'A') {
        if (++copies > kMaxRenames) return versions;
        copied = file.blob;
      }
      break;
    }
  }
  return versions;
}

Result<LostFiles> LostFiles::Read(const LogRequest& request) {
  const std::string output = SIBYL_TRY(ReadLog(request, "lost", {"--diff-filter=RDA", "--"}));
  return LostFiles(ParseGitLog(output));
}

LostFiles::LostFiles(const std::vector<CommitChanges>& changes) {
  // The newest change of a path decides.
  for (const CommitChanges& commit : changes) {
    for (const FileChange& file : commit.files) {
      if (file.status == 'R') {
        moved_.emplace(file.before, file.path);
        came_from_.emplace(file.path, file.before);
      }
    }
    for (const auto& [before, now] : MovedByName(commit)) {
      moved_.emplace(before, now);
      came_from_.emplace(now, before);
    }
    for (const FileChange& file : commit.files) {
      if (file.status == 'D') moved_.emplace(file.path, std::string());
    }
  }
}

std::vector<std::string> LostFiles::EndingWith(std::string_view suffix) const {
  std::vector<std::string> found;
  for (const auto& [path, target] : moved_) {
    if (path == suffix || (path.ends_with(suffix) && path.size() > suffix.size() &&
                           path[path.size() - suffix.size() - 1] == '/')) {
      found.push_back(path);
    }
  }
  return found;
}

std::vector<std::string> LostFiles::Abbreviated(std::string_view written) const {
  std::vector<std::string> found;
  for (const auto& [path, target] : moved_) {
    if (IsAbbreviated(written, path)) found.push_back(path);
  }
  if (found.size() > 1) found.clear();
  return found;
}

std::vector<std::string> LostFiles::NamesOf(const std::string& path) const {
  std::vector<std::string> names = {path};
  for (std::size_t i = 0; i < names.size() && names.size() < kMaxRenames; ++i) {
    const auto [begin, end] = came_from_.equal_range(names[i]);
    std::vector<std::string> before;
    for (auto at = begin; at != end; ++at) {
      if (std::find(names.begin(), names.end(), at->second) == names.end()) {
        before.push_back(at->second);
      }
    }
    names.insert(names.end(), before.begin(), before.end());
  }
  return names;
}

std::string LostFiles::NowAt(const std::string& path) const {
  std::string at = path;
  for (std::size_t i = 0; i < kMaxRenames; ++i) {
    const auto moved = moved_.find(at);
    if (moved == moved_.end()) return at;
    if (moved->second.empty()) return {};
    at = moved->second;
  }
  return {};
}

}  // namespace sibyl::references
