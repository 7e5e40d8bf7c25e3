// SPDX-License-Identifier: Apache-2.0
#include "base/files/own_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/process/git_command.h"
#include "base/terminal.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAside = "aside";
constexpr std::string_view kSignedPrefix = "sibyl-signature: ";
constexpr std::size_t kSignatureDigits = 64;
constexpr std::size_t kMostEntries = 100'000;
constexpr std::size_t kDeepest = 16;

Error Refused(const Root& oracle, std::string_view why, std::string hint) {
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("opening {}: {}", oracle.Shown(kOwnFolder).string(), why),
               .hint = std::move(hint)};
}

Result<Root> OpenOracle(const fs::path& oracle) {
  std::error_code error;
  const fs::path canonical = fs::canonical(oracle, error);
  return Root::Open(error ? oracle : canonical);
}

// Oracles of which git tracks nothing, by the index in which that was read. A
// server opens the same one with every call, and git takes longer than the call.
class UntrackedOracles {
 public:
  bool Contains(const std::string& oracle, const FileAbout& index) SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    const auto found = known_.find(oracle);
    return found != known_.end() && found->second.bytes == index.bytes &&
           found->second.modified_ns == index.modified_ns;
  }

  void Add(const std::string& oracle, const FileAbout& index) SIBYL_EXCLUDES(mutex_) {
    constexpr std::size_t kMost = 1000;
    const MutexLock lock(mutex_);
    if (known_.size() >= kMost) known_.clear();
    known_.insert_or_assign(oracle, index);
  }

 private:
  Mutex mutex_;
  std::map<std::string, FileAbout> known_ SIBYL_GUARDED_BY(mutex_);
};

// Tracked files in it come from others, or will be shared with others.
Status CheckUntracked(const Root& oracle) {
  static UntrackedOracles untracked;
  if (!FindProgram("git")) return {};
  const auto repository = SIBYL_TRY(FindGitRepository(oracle.path()));
  if (!repository) return {};
  const Root git_dir = SIBYL_TRY(Root::Open(repository->git_dir));
  const std::optional<FileAbout> index = git_dir.About("index");
  if (!index) return {};  // nothing was ever added
  const std::string path =
      fmt::format("{}\n{}", repository->git_dir.string(), oracle.path().string());
  if (untracked.Contains(path, *index)) return {};
  const std::vector<std::string> tracked =
      SIBYL_TRY(TrackedBelow(*repository, oracle.path(), std::string(kOwnFolder)));
  if (tracked.empty()) {
    untracked.Add(path, *index);
    return {};
  }
  return Refused(
      oracle,
      fmt::format("git tracks {}, so it may come from someone else", Harmless(tracked.front())),
      "run 'git rm -r --cached .sibyl' and delete the folder; nothing in it is needed");
}

}  // namespace

Status OwnFolder::CheckContent() const {
  const Walked walked =
      SIBYL_TRY(root_.Walk(".", {.max_entries = kMostEntries, .max_depth = kDeepest}));
  for (const RootEntry& entry : walked.entries) {
    if (entry.kind == FileKind::kFile) continue;
    // Another process of ours may have removed it since it was listed.
    const auto now = root_.About(entry.name);
    if (!now || now->kind == FileKind::kFile) continue;
    return Refused(
        oracle_,
        fmt::format("{} in it is {}", Harmless(entry.name),
                    entry.kind == FileKind::kLink ? "a symbolic link" : "not a regular file"),
        "sibyl never creates one; delete it, or the whole folder: nothing in it is needed");
  }
  const bool is_unread = std::any_of(walked.unread.begin(), walked.unread.end(),
                                     [this](const auto& name) { return root_.Exists(name); });
  if (!walked.is_cut && !is_unread) return {};
  return Refused(oracle_,
                 "it contains more files than sibyl writes, or folders that cannot be read",
                 "delete it; nothing in it is needed");
}

Result<std::optional<OwnFolder>> OwnFolder::OpenExisting(const Root& oracle,
                                                         const UserState& state) {
  const auto about = oracle.About(kOwnFolder);
  if (!about) return std::optional<OwnFolder>();
  if (about->kind == FileKind::kLink) {
    return Refused(oracle, "it is a symbolic link",
                   "remove the link ('rm .sibyl'); sibyl then creates a folder");
  }
  if (about->kind != FileKind::kFolder) {
    return Refused(oracle, "it is not a folder", "delete it; sibyl then creates a folder");
  }
  if (about->owner != ::geteuid()) {
    return Refused(oracle, "it belongs to another user", "delete it, or run sibyl as that user");
  }
  Root root = SIBYL_TRY(oracle.OpenFolder(kOwnFolder));
  OwnFolder folder(oracle, std::move(root), state);
  SIBYL_TRY(folder.CheckContent());
  return std::optional(std::move(folder));
}

Result<std::optional<OwnFolder>> OwnFolder::Find(const fs::path& oracle, const UserState& state) {
  const Root root = SIBYL_TRY(OpenOracle(oracle));
  std::optional<OwnFolder> folder = SIBYL_TRY(OpenExisting(root, state));
  if (folder) SIBYL_TRY(CheckUntracked(root));
  return folder;
}

Result<OwnFolder> OwnFolder::Open(const fs::path& oracle, const UserState& state) {
  const Root root = SIBYL_TRY(OpenOracle(oracle));
  std::optional<OwnFolder> folder = SIBYL_TRY(OpenExisting(root, state));
  SIBYL_TRY(CheckUntracked(root));
  if (!folder) {
    SIBYL_TRY(root.MakeFolders(kOwnFolder));
    folder = SIBYL_TRY(OpenExisting(root, state));
  }
  if (!folder) return Refused(root, "it was removed by another process", "run it again");
  // Only for this working copy, also in oracles that others created.
  constexpr std::string_view kIgnore = ".gitignore";
  if (!folder->root().Exists(kIgnore)) SIBYL_TRY(folder->root().Write(kIgnore, "*\n"));
  return *std::move(folder);
}

std::string OwnFolder::Sign(std::string_view purpose, std::string_view text) const {
  const std::string path = oracle_.path().string();
  return state_.Sign(fmt::format("oracle {}", purpose),
                     fmt::format("{}:{}{}", path.size(), path, text));
}

bool OwnFolder::Verifies(std::string_view purpose, std::string_view text,
                         std::string_view signature) const {
  const std::string path = oracle_.path().string();
  return state_.Verifies(fmt::format("oracle {}", purpose),
                         fmt::format("{}:{}{}", path.size(), path, text), signature);
}

std::string OwnFolder::WithSignature(std::string_view purpose, std::string_view text) const {
  return fmt::format("{}{}\n{}", kSignedPrefix, Sign(purpose, text), text);
}

std::optional<std::string> OwnFolder::Verified(std::string_view purpose,
                                               std::string_view bytes) const {
  constexpr std::size_t kHead = kSignedPrefix.size() + kSignatureDigits;
  if (bytes.size() <= kHead || !bytes.starts_with(kSignedPrefix) || bytes[kHead] != '\n') {
    return std::nullopt;
  }
  const std::string_view text = bytes.substr(kHead + 1);
  if (!Verifies(purpose, text, bytes.substr(kSignedPrefix.size(), kSignatureDigits))) {
    return std::nullopt;
  }
  return std::string(text);
}

Result<std::string> OwnFolder::MoveAside(const std::string& name,
                                         std::initializer_list<std::string_view> suffixes) const {
  const fs::path aside(kAside);
  SIBYL_TRY(root_.MakeFolders(aside));
  const auto is_taken = [&](const fs::path& to) {
    return root_.Exists(to) ||
           std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view suffix) {
             return root_.Exists(to.string() + std::string(suffix));
           });
  };
  const std::string last = fs::path(name).filename().string();
  fs::path to;
  for (std::size_t number = 1; to.empty() || is_taken(to); ++number) {
    to = aside / fmt::format("{}-{}", last, number);
  }
  // The siblings first: as long as the file itself is there, it is found again.
  for (const std::string_view suffix : suffixes) {
    const std::string sibling = name + std::string(suffix);
    if (!root_.Exists(sibling)) continue;
    SIBYL_TRY(root_.MoveNew(sibling, to.string() + std::string(suffix)));
  }
  if (root_.Exists(name)) SIBYL_TRY(root_.MoveNew(name, to));
  return (fs::path(kOwnFolder) / to).string();
}

Finding MovedAside(std::string_view what, std::string_view now_at) {
  return {.severity = Severity::kWarning,
          .code = std::string(kMovedAsideCode),
          .message = fmt::format("{} was not made by you on this machine for this folder, or is "
                                 "damaged; it was moved aside and is not used",
                                 what),
          .hint = fmt::format("check {}, and delete it if you do not need it", now_at),
          .place = {.file = std::string(now_at)}};
}

Finding NotOurs(std::string_view what, std::string_view path) {
  return {.severity = Severity::kWarning,
          .code = std::string(kNotOursCode),
          .message = fmt::format("{} was not made by you on this machine for this folder, or is "
                                 "damaged; the next 'sibyl expand' moves it aside",
                                 what),
          .place = {.file = std::string(path)}};
}

}  // namespace sibyl
