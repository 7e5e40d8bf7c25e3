// SPDX-License-Identifier: Apache-2.0
#include "base/process/git_command.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/files/files.h"
#include "base/one_line.h"
#include "base/process/environment.h"
#include "base/strings.h"
#include "base/terminal.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

// Everything else that starts with GIT_ is removed, since new variables may be
// added.
constexpr std::string_view kKeptVariables[] = {
    "GIT_ASKPASS",           "GIT_SSH",           "GIT_SSH_COMMAND",  "GIT_SSH_VARIANT",
    "GIT_TERMINAL_PROMPT",   "GIT_CONFIG_GLOBAL", "GIT_CONFIG_COUNT", "GIT_CONFIG_NOSYSTEM",
    "GIT_ALLOW_PROTOCOL",    "GIT_CONFIG_SYSTEM", "GIT_EXEC_PATH",    "GIT_TEMPLATE_DIR",
    "GIT_PROTOCOL_FROM_USER"};
constexpr std::string_view kKeptPrefixes[] = {
    "GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_TRACE", "GIT_CONFIG_KEY_",  "GIT_SSL_",
    "GIT_PROXY_",  "GIT_HTTP_",      "GIT_CURL_", "GIT_CONFIG_VALUE_"};

bool IsKept(std::string_view name) {
  if (!name.starts_with("GIT_")) return true;
  return std::find(std::begin(kKeptVariables), std::end(kKeptVariables), name) !=
             std::end(kKeptVariables) ||
         std::any_of(std::begin(kKeptPrefixes), std::end(kKeptPrefixes),
                     [name](std::string_view prefix) { return name.starts_with(prefix); });
}

// fsmonitor is a program or a daemon; what it saves is not worth asking it.
// ext:: runs any command as a transport.
std::vector<std::string> WithSafeOptions(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"-c", "safe.bareRepository=explicit",
                                  "-c", "core.fsmonitor=false",
                                  "-c", "protocol.ext.allow=never"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

bool Exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// "gitdir: PATH" in the file `.git`; empty when it says something else.
fs::path NamedGitDir(const fs::path& folder) {
  constexpr std::string_view kPointer = "gitdir:";
  constexpr std::size_t kLongest = 8'192;
  const Result<std::string> text = ReadFile(folder / ".git", {.max_bytes = kLongest});
  if (!text.ok() || !text->starts_with(kPointer)) return {};
  const std::string_view line = Trim(std::string_view(*text).substr(kPointer.size()));
  if (line.empty() || line.find('\n') != std::string_view::npos) return {};
  return folder / fs::path(line);
}

bool IsOnSameDevice(const fs::path& a, const fs::path& b) {
  struct stat of_a {};
  struct stat of_b {};
  return ::stat(a.c_str(), &of_a) == 0 && ::stat(b.c_str(), &of_b) == 0 &&
         of_a.st_dev == of_b.st_dev;
}

// What git tracks can be any path of the work tree but never one with a
// component `.git`.
bool CouldBeTracked(const fs::path& git_dir, const fs::path& work_tree) {
  const fs::path inside = git_dir.lexically_relative(work_tree);
  if (inside.empty() || *inside.begin() == "..") return false;
  return std::none_of(inside.begin(), inside.end(),
                      [](const fs::path& name) { return name == ".git"; });
}

// As git decides it: root acting for a user counts as that user too.
bool IsOwnedByUs(const fs::path& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0) return false;
  if (about.st_uid == ::geteuid()) return true;
  const auto sudo = EnvironmentVariable("SUDO_UID");
  return ::geteuid() == 0 && sudo && *sudo == std::to_string(about.st_uid);
}

// With an explicit git dir, git does not check its owner. For another user's
// repository git is therefore run without it, so that safe.directory decides.
Status CheckOwner(const GitRepository& repository) {
  if (IsOwnedByUs(repository.git_dir) && IsOwnedByUs(repository.work_tree) &&
      IsOwnedByUs(repository.work_tree / ".git")) {
    return {};
  }
  Command command = GitCommand({"rev-parse", "--absolute-git-dir"});
  command.folder = repository.work_tree;
  command.environment["LC_ALL"] = "C";
  const Outcome outcome = SIBYL_TRY(RunProgram(command));
  std::error_code ignored;
  const fs::path found{std::string(Trim(outcome.output))};
  if (outcome.succeeded() && fs::equivalent(found, repository.git_dir, ignored)) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("using the git repository {}: it belongs to another user",
                                      repository.work_tree.string()),
               .hint = fmt::format("if you trust it: git config --global --add safe.directory {}",
                                   repository.work_tree.string())};
}

}  // namespace

std::map<std::string, std::string> GitEnvironment() {
  std::map<std::string, std::string> kept;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t end = text.find('=');
    if (end == std::string_view::npos || !IsKept(text.substr(0, end))) continue;
    kept.emplace(text.substr(0, end), text.substr(end + 1));
  }
  return kept;
}

bool IsGitDir(const fs::path& folder) {
  const bool has_objects = Exists(folder / "objects") && Exists(folder / "refs");
  return Exists(folder / "HEAD") && (has_objects || Exists(folder / "commondir"));
}

Result<std::optional<GitRepository>> FindGitRepository(const fs::path& folder) {
  std::error_code error;
  const fs::path start = fs::canonical(folder, error);
  if (error) return std::optional<GitRepository>();
  for (fs::path at = start;; at = at.parent_path()) {
    fs::path git_dir = at / ".git";
    if (fs::is_regular_file(git_dir, error)) git_dir = NamedGitDir(at);
    git_dir = git_dir.empty() ? fs::path() : fs::canonical(git_dir, error);
    if (!git_dir.empty() && !error && IsGitDir(git_dir)) {
      if (CouldBeTracked(git_dir, at)) {
        return Error{
            .kind = ErrorKind::kUsage,
            .message = fmt::format(
                "using the git repository {}: its .git points to {}, inside the repository itself",
                at.string(), git_dir.string()),
            .hint = "git never creates such a .git; if you did not set it up, delete it"};
      }
      GitRepository repository{.git_dir = std::move(git_dir), .work_tree = at};
      SIBYL_TRY(CheckOwner(repository));
      return std::optional(std::move(repository));
    }
    if (!at.has_relative_path() || !IsOnSameDevice(at, at.parent_path())) {
      return std::optional<GitRepository>();
    }
  }
}

Command GitCommand(const std::vector<std::string>& arguments) {
  return {.program = "git",
          .arguments = WithSafeOptions(arguments),
          .environment = GitEnvironment(),
          .inherits_environment = false};
}

Command GitCommand(const GitRepository& repository, const fs::path& folder,
                   const std::vector<std::string>& arguments) {
  Command command = GitCommand(arguments);
  // The work tree is told apart from the folder: git would take the current
  // folder for it.
  command.folder = folder;
  command.environment["GIT_DIR"] = repository.git_dir.string();
  command.environment["GIT_WORK_TREE"] = repository.work_tree.string();
  return command;
}

Result<std::vector<std::string>> TrackedBelow(const GitRepository& repository,
                                              const fs::path& folder, const std::string& name) {
  Command command = GitCommand(repository, folder, {"ls-files", "-z", "--", ":(icase)" + name});
  command.environment["LC_ALL"] = "C";
  const Outcome outcome = SIBYL_TRY(RunProgram(command));
  if (!outcome.succeeded()) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("listing the files that git tracks under {}: {}", name,
                                        Harmless(OneLine(outcome.errors)))};
  }
  std::vector<std::string> paths;
  for (std::string_view rest = outcome.output; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    paths.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return paths;
}

}  // namespace sibyl
