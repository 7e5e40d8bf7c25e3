// SPDX-License-Identifier: Apache-2.0
#include "git/git_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/process/environment.h"
#include "base/process/git_command.h"
#include "base/strings.h"
#include "git/git_complaint.h"
#include "git/origin.h"

namespace sibyl::git {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kMaxOutput = std::size_t{256} << 20;

// Converts git's progress lines to ours, with an estimate.
class Teller {
 public:
  explicit Teller(const FetchOptions& options) : options_(options) {}

  void Hear(std::string_view piece) {
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
  std::string line_;
  int last_percent_ = -1;
  SteadyClock::time_point began_;
};

// Polls for cancellation: if the server is silent, git prints nothing.
std::jthread WatchForCancelling(const FetchOptions& options, std::stop_source& stop) {
  if (!options.cancelled) return {};
  return std::jthread([&options, &stop](const std::stop_token& is_over) {
    constexpr std::chrono::milliseconds kGlance{50};
    std::mutex mutex;
    std::condition_variable_any over;
    std::unique_lock lock(mutex);
    while (!is_over.stop_requested()) {
      if (options.cancelled()) {
        stop.request_stop();
        return;
      }
      over.wait_for(lock, is_over, kGlance, [] { return false; });
    }
  });
}

Command CommandOf(const GitRun& run) {
  // Packs are kept as packs, however small: a pack is installed when it is whole,
  // while single objects would be there one by one.
  std::vector<std::string> arguments = {"--git-dir=" + run.repository.string(),
                                        "-c",
                                        "core.hooksPath=/dev/null",
                                        "-c",
                                        "gc.auto=0",
                                        "-c",
                                        "maintenance.auto=false",
                                        "-c",
                                        "fetch.unpackLimit=1",
                                        "-c",
                                        "protocol.version=2",
                                        "-c",
                                        "http.lowSpeedLimit=1",
                                        "-c",
                                        "http.lowSpeedTime=120"};
  arguments.insert(arguments.end(), run.arguments.begin(), run.arguments.end());
  Command command = sibyl::GitCommand(arguments);
  command.input = run.input;
  command.input_file = run.input_file;
  // Repositories on this machine are read without git (repository.h), so that
  // nothing in them takes effect: no file protocol.
  command.environment["GIT_TERMINAL_PROMPT"] = "0";
  command.environment["GIT_ALLOW_PROTOCOL"] = "http:https:ssh:git";
  command.environment["GIT_NO_LAZY_FETCH"] = "1";
  command.environment["LC_ALL"] = "C";
  if (!EnvironmentVariable("GIT_SSH_COMMAND")) {
    command.environment["GIT_SSH_COMMAND"] = "ssh -o BatchMode=yes";
  }
  command.limits = {.time = run.time, .output_bytes = kMaxOutput, .file_bytes = run.file_bytes};
  return command;
}

template <std::size_t kCount>
bool SaysOneOf(std::string_view text, const std::string_view (&words)[kCount]) {
  return std::any_of(std::begin(words), std::end(words), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// If git gives no reason.
constexpr std::string_view kUnwritten[] = {"couldn't write", "unable to write", "cannot write"};
constexpr std::string_view kLogin[] = {"terminal prompts disabled", "Authentication failed",
                                       "Permission denied"};
constexpr std::string_view kNotFound[] = {"' not found"};
constexpr std::string_view kRedirected[] = {"returned error: 30"};
// A server that says no also hangs up, which looks like a break.
constexpr std::string_view kRefused[] = {"not our ref", "unadvertised object", "remote error",
                                         "couldn't find remote ref"};
constexpr std::string_view kBroke[] = {"early EOF",
                                       "RPC failed",
                                       "unexpected disconnect",
                                       "hung up unexpectedly",
                                       "Connection reset",
                                       "Connection timed out",
                                       "Operation too slow",
                                       "transfer closed",
                                       "Recv failure",
                                       "Empty reply from server",
                                       "returned error: 429",
                                       "returned error: 5"};

// git's error message, or how it ended if it gave none.
std::string Complaint(const Outcome& outcome) {
  std::string complaint = ReasonOf(outcome.errors);
  return complaint.empty() ? "git: " + Describe(outcome) : complaint;
}

GitTrouble TroubleOf(const Outcome& outcome) {
  if (SaysDiskIsFull(outcome.errors) || SaysOneOf(outcome.errors, kUnwritten)) {
    return GitTrouble::kHere;
  }
  if (SaysOneOf(outcome.errors, kLogin)) return GitTrouble::kOther;
  if (SaysOneOf(outcome.errors, kRefused)) return GitTrouble::kRefused;
  return SaysOneOf(outcome.errors, kBroke) ? GitTrouble::kBreak : GitTrouble::kOther;
}

std::string HintOf(const Outcome& outcome, GitTrouble trouble) {
  if (trouble == GitTrouble::kHere && !SaysDiskIsFull(outcome.errors)) {
    return "check disk space and permissions; what was received is kept, and the next run resumes "
           "from there";
  }
  if (trouble == GitTrouble::kHere) {
    return "free disk space, or set XDG_CACHE_HOME to a disk with space; what was received is "
           "kept, and the next run resumes from there";
  }
  if (trouble == GitTrouble::kBreak) {
    return "what was received is kept; run it again to resume";
  }
  if (SaysOneOf(outcome.errors, kLogin)) {
    return "the server requires a login, or the repository does not exist; sibyl uses git's "
           "credential helpers and ssh keys, so make sure that 'git ls-remote URL' works";
  }
  if (SaysOneOf(outcome.errors, kNotFound)) {
    return "check the address; a private repository needs git's credentials for that server";
  }
  return "check the address and the network connection";
}

}  // namespace

Result<Outcome> RunGit(const GitRun& run, const FetchOptions& options) {
  Command command = CommandOf(run);
  for (const std::string& setting : options.git_settings) {
    command.arguments.insert(command.arguments.begin(), {"-c", setting});
  }
  std::stop_source stop;
  Teller teller(options);
  command.on_errors = [&teller](std::string_view piece) { teller.Hear(piece); };
  const std::jthread watcher = WatchForCancelling(options, stop);
  return RunProgram(command, stop.get_token());
}

Status GitRemote::Pause(std::chrono::milliseconds pause) const {
  if (options_.progress) options_.progress("fetching: the transfer was interrupted, retrying");
  constexpr std::chrono::milliseconds kGlance{50};
  for (; pause > std::chrono::milliseconds(0); pause -= kGlance) {
    if (options_.cancelled && options_.cancelled()) {
      return Error{.kind = ErrorKind::kCancelled, .message = "fetching: cancelled"};
    }
    std::this_thread::sleep_for(std::min(pause, kGlance));
  }
  return {};
}

Result<std::string> GitRemote::Run(const GitRun& run) {
  Outcome outcome = SIBYL_TRY(RunGit(run, options_));
  if (outcome.succeeded()) return std::move(outcome.output);
  trouble_ = TroubleOf(outcome);
  return Error{
      .kind = ErrorKind::kUnavailable,
      .message = fmt::format("fetching {}: {}", WithoutCredentials(url_), Complaint(outcome)),
      .hint = HintOf(outcome, trouble_),
      .cause =
          SaysOneOf(outcome.errors, kRedirected) ? ErrorCause::kRedirected : ErrorCause::kOther};
}

// The address goes by the command line: in the file of settings it would leave a
// password there. So do git's marks of a partial clone.
std::vector<std::string> FetchWithoutFiles(const std::string& url, std::string_view negotiation) {
  const auto setting = [](std::string_view key, std::string_view value) {
    return fmt::format("remote.{}.{}={}", kPartialRemote, key, value);
  };
  return {"-c",
          setting("url", url),
          "-c",
          setting("promisor", "true"),
          "-c",
          setting("partialclonefilter", "blob:none"),
          "-c",
          fmt::format("fetch.negotiationAlgorithm={}", negotiation),
          "fetch",
          "--no-tags",
          "--no-write-fetch-head",
          "--progress",
          "--force",
          "--recurse-submodules=no",
          "--filter=blob:none"};
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

}  // namespace sibyl::git
