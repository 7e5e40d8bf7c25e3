// SPDX-License-Identifier: Apache-2.0
#include "evidence/git_program.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <stop_token>
#include <system_error>
#include <utility>

#include "base/environment.h"
#include "base/strings.h"
#include "base/subprocess.h"
#include "evidence/origin.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::minutes kLongestListing{5};
constexpr std::chrono::hours kLongestFetch{6};
constexpr std::size_t kMaxListing = std::size_t{256} << 20;

// A fetch that was killed leaves these behind. Nobody else writes here: the
// caller holds the lock of the mirror.
void SweepRemains(const fs::path& mirror) {
  std::error_code ignored;
  fs::remove(mirror / "shallow.lock", ignored);
  for (const fs::path& folder : {mirror / "objects" / "pack", mirror / "objects"}) {
    std::vector<fs::path> remains;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("tmp_") || name.starts_with("incoming-")) remains.push_back(entry);
    }
    for (const fs::path& path : remains) fs::remove_all(path, ignored);
  }
}

// The lines of git's own progress as ours, with an estimate.
class Teller {
 public:
  Teller(const FetchOptions& options, std::stop_source& stop) : options_(options), stop_(stop) {}

  void Hear(std::string_view piece) {
    if (options_.cancelled && options_.cancelled()) stop_.request_stop();
    for (const char c : piece) {
      if (c != '\r' && c != '\n') {
        line_ += c;
        continue;
      }
      if (const auto progress = ParseGitProgress(line_)) Tell(*progress);
      line_.clear();
    }
  }

 private:
  void Tell(const GitProgress& progress) {
    if (!options_.progress || progress.percent == last_percent_) return;
    if (last_percent_ < 0) began_ = SteadyClock::now();
    last_percent_ = progress.percent;
    std::string text = fmt::format("fetching: {} % of {} objects", progress.percent,
                                   progress.objects.substr(progress.objects.find('/') + 1));
    if (!progress.amount.empty()) text += ", " + progress.amount;
    const auto elapsed =
        std::chrono::duration_cast<std::chrono::seconds>(SteadyClock::now() - began_).count();
    constexpr int kEnoughToGuess = 3;
    if (elapsed >= kEnoughToGuess && progress.percent > 0 && progress.percent < 100) {
      text +=
          fmt::format(", about {} s left", elapsed * (100 - progress.percent) / progress.percent);
    }
    options_.progress(text);
  }

  const FetchOptions& options_;
  std::stop_source& stop_;
  std::string line_;
  int last_percent_ = -1;
  SteadyClock::time_point began_;
};

Command GitCommand(const fs::path& mirror, std::vector<std::string> arguments) {
  Command command{.program = "git"};
  command.arguments = {"--git-dir=" + mirror.string(),
                       "-c",
                       "core.hooksPath=/dev/null",
                       "-c",
                       "gc.auto=0",
                       "-c",
                       "maintenance.auto=false",
                       "-c",
                       "protocol.version=2",
                       "-c",
                       "http.lowSpeedLimit=1",
                       "-c",
                       "http.lowSpeedTime=120"};
  command.arguments.insert(command.arguments.end(), std::make_move_iterator(arguments.begin()),
                           std::make_move_iterator(arguments.end()));
  command.environment = {{"GIT_TERMINAL_PROMPT", "0"},
                         {"GIT_ALLOW_PROTOCOL", "http:https:ssh:git:file"},
                         {"LC_ALL", "C"}};
  if (!EnvironmentVariable("GIT_SSH_COMMAND")) {
    command.environment["GIT_SSH_COMMAND"] = "ssh -o BatchMode=yes";
  }
  return command;
}

// What git says is wrong, in its words, without a password that was in the URL.
std::string Complaint(const Outcome& outcome, const std::string& url) {
  std::string complaint;
  for (const std::string_view line : SplitLines(outcome.errors)) {
    constexpr std::string_view kMarks[] = {"fatal: ", "error: ", "ERROR: "};
    for (const std::string_view mark : kMarks) {
      if (line.starts_with(mark) && complaint.empty()) {
        complaint = std::string(line.substr(mark.size()));
      }
    }
  }
  if (complaint.empty()) complaint = Describe(outcome);
  for (std::size_t at = complaint.find(url); at != std::string::npos; at = complaint.find(url)) {
    const std::string shown = WithoutCredentials(url);
    if (shown == url) break;
    complaint.replace(at, url.size(), shown);
  }
  return complaint;
}

Error Failure(const Outcome& outcome, const std::string& url) {
  const std::string complaint = Complaint(outcome, url);
  const auto says = [&](std::string_view words) {
    return outcome.errors.find(words) != std::string::npos;
  };
  Error error{.kind = ErrorKind::kUnavailable,
              .message = fmt::format("fetching {}: {}", WithoutCredentials(url), complaint),
              .hint = "is the address right, and can this machine reach it?"};
  if (says("terminal prompts disabled") || says("Authentication failed") ||
      says("Permission denied")) {
    error.hint =
        "the server wants a login, or there is no such repository; git's credential helpers and "
        "ssh keys are used, so 'git ls-remote URL' must work first";
  } else if (says("No space left")) {
    error.hint = "make room on the disk, or set XDG_CACHE_HOME to where there is some";
  }
  return error;
}

std::optional<ListedRef> Choose(const std::vector<ListedRef>& refs, std::string_view wanted) {
  const std::string name(wanted.empty() ? "HEAD" : wanted);
  for (const std::string& candidate :
       {name, "refs/" + name, "refs/tags/" + name, "refs/heads/" + name}) {
    for (const ListedRef& ref : refs) {
      if (ref.name == candidate) return ref;
    }
  }
  return std::nullopt;
}

/// One fetch into one mirror.
class GitFetch {
 public:
  GitFetch(const fs::path& mirror, const std::string& url, const FetchOptions& options)
      : mirror_(mirror), url_(url), options_(options) {}

  Result<ObjectId> Go(std::string_view wanted) {
    SweepRemains(mirror_);
    if (ObjectId::FromHex(wanted)) return FetchId(*ObjectId::FromHex(wanted));
    const std::string name(wanted.empty() ? "HEAD" : wanted);
    const Outcome listed = SIBYL_TRY(Run({"ls-remote", "--", url_, name}, kLongestListing));
    if (!listed.succeeded()) return Failure(listed, url_);
    const std::vector<ListedRef> refs = ParseRefs(listed.output);
    const std::optional<ListedRef> ref = Choose(refs, wanted);
    if (!ref) return UnknownRef(wanted);
    // What a tag points at stands beside it.
    const std::optional<ListedRef> peeled = Choose(refs, ref->name + "^{}");
    if (const auto here = Commit((peeled ? peeled->id : ref->id).Hex())) return *here;
    const std::string local = "refs/remotes/origin/" + ref->name;
    SIBYL_TRY(Fetch(fmt::format("+{}:{}", ref->name, local), {"--depth=1"}));
    if (const auto commit = Commit(local)) return *commit;
    return UnknownRef(wanted);
  }

 private:
  Result<Outcome> Run(std::vector<std::string> arguments, std::chrono::milliseconds time) {
    Command command = GitCommand(mirror_, std::move(arguments));
    command.limits = {.time = time, .output_bytes = kMaxListing};
    std::stop_source stop;
    Teller teller(options_, stop);
    command.on_errors = [&teller](std::string_view piece) { teller.Hear(piece); };
    return RunProgram(command, stop.get_token());
  }

  Status Fetch(const std::string& refspec, std::vector<std::string> how) {
    std::vector<std::string> arguments = {"fetch", "--no-tags", "--no-write-fetch-head",
                                          "--progress", "--force"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    arguments.insert(arguments.end(), {"--", url_, refspec});
    const Outcome outcome = SIBYL_TRY(Run(std::move(arguments), kLongestFetch));
    return outcome.succeeded() ? Status() : Status(Failure(outcome, url_));
  }

  // Most servers give any commit they have; some only what a name leads to, and
  // then everything is fetched to see whether it is there.
  Result<ObjectId> FetchId(const ObjectId& id) {
    if (const auto here = Commit(id.Hex())) return *here;
    const std::string local = "refs/remotes/origin/commits/" + id.Hex();
    const Status alone = Fetch(fmt::format("+{}:{}", id.Hex(), local), {"--depth=1"});
    if (!alone.ok()) {
      if (alone.error().kind == ErrorKind::kCancelled) return alone.error();
      std::vector<std::string> whole;
      std::error_code ignored;
      if (fs::exists(mirror_ / "shallow", ignored)) whole.emplace_back("--unshallow");
      SIBYL_TRY(Fetch("+refs/*:refs/remotes/origin/*", std::move(whole)));
    }
    if (const auto commit = Commit(id.Hex())) return *commit;
    return UnknownRef(id.Hex());
  }

  // The commit that a name leads to here, with all that it needs: git installs
  // a pack only when it is whole.
  std::optional<ObjectId> Commit(const std::string& name) {
    const Result<Outcome> parsed =
        Run({"rev-parse", "--quiet", "--verify", name + "^{commit}"}, std::chrono::seconds(60));
    if (!parsed.ok() || !parsed->succeeded()) return std::nullopt;
    return ObjectId::FromHex(Trim(parsed->output));
  }

  Error UnknownRef(std::string_view wanted) const {
    const std::string address = WithoutCredentials(url_);
    if (wanted.empty()) {
      return Error{.kind = ErrorKind::kNotFound,
                   .message = fmt::format("fetching {}: the repository is empty", address)};
    }
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("fetching {}: unknown ref '{}'", address, wanted),
                 .hint = fmt::format("git ls-remote {} shows the names", address)};
  }

  const fs::path& mirror_;
  const std::string& url_;
  const FetchOptions& options_;
};

}  // namespace

bool HasGitProgram() { return FindProgram("git").has_value(); }

Result<ObjectId> FetchWithGit(const fs::path& mirror, const std::string& url, std::string_view ref,
                              const FetchOptions& options) {
  if (url.starts_with('-') || ref.starts_with('-')) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("fetching {}: it begins with '-'", url)};
  }
  return GitFetch(mirror, url, options).Go(ref);
}

std::optional<GitProgress> ParseGitProgress(std::string_view line) {
  constexpr std::string_view kReceiving = "Receiving objects:";
  if (!line.starts_with(kReceiving)) return std::nullopt;
  line = Trim(line.substr(kReceiving.size()));
  GitProgress progress;
  const auto [stopped, error] =
      std::from_chars(line.data(), line.data() + line.size(), progress.percent);
  if (error != std::errc() || progress.percent < 0 || progress.percent > 100) return std::nullopt;
  const std::size_t open = line.find('(');
  const std::size_t close = line.find(')', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  progress.objects = std::string(line.substr(open + 1, close - open - 1));
  std::string_view rest = line.substr(close + 1);
  if (rest.starts_with(", ")) rest.remove_prefix(2);
  if (rest.find("iB") != std::string_view::npos) {
    progress.amount = std::string(Trim(rest.substr(0, rest.find(", done"))));
  }
  return progress;
}

std::vector<ListedRef> ParseRefs(std::string_view output) {
  std::vector<ListedRef> refs;
  for (const std::string_view line : SplitLines(output)) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) continue;
    const std::optional<ObjectId> id = ObjectId::FromHex(line.substr(0, tab));
    if (id) refs.push_back({.id = *id, .name = std::string(line.substr(tab + 1))});
  }
  return refs;
}

}  // namespace sibyl::evidence
