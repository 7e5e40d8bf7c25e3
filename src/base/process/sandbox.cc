// SPDX-License-Identifier: Apache-2.0
#include "base/process/sandbox.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <map>
#include <utility>

#include "base/files/files.h"
#include "base/mutex.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kProcesses = 128;
constexpr std::string_view kHostName = "sibyl-sandbox";

// As root, switch to nobody before bwrap, in the whole system and not only in
// the sandbox. The kernel does not count root's processes, and a process that
// escapes as nobody has no rights.
constexpr std::array<std::string_view, 4> kBecomeNobody = {"--reuid=65534", "--regid=65534",
                                                           "--clear-groups", "--"};

// --unshare-all alone continues without a user namespace; --unshare-user does
// not.
constexpr std::array<std::string_view, 11> kIsolation = {
    "--unshare-all", "--unshare-user", "--disable-userns",  "--uid",      "65534",     "--gid",
    "65534",         "--new-session",  "--die-with-parent", "--clearenv", "--hostname"};

// Inside: writes the input to the file named first, then becomes the program.
constexpr std::string_view kTakeInput = R"(cat >"$0" && exec "$@" </dev/null)";

bool IsExecutable(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

// The kernel counts all processes of a user, so the limit is above what runs
// now: "0.20 0.18 0.12 1/523 1234". From Linux 5.14 on only those inside count.
std::size_t ProcessLimit() {
  constexpr std::size_t kUnknown = 4096;
  const Result<std::string> load = ReadFile("/proc/loadavg");
  if (!load.ok()) return kUnknown;
  const std::size_t slash = load->find('/');
  if (slash == std::string::npos) return kUnknown;
  std::size_t now = 0;
  const char* const begin = load->data() + slash + 1;
  const auto [end, error] = std::from_chars(begin, load->data() + load->size(), now);
  return error == std::errc() ? now + kProcesses : kUnknown;
}

class ArgumentList {
 public:
  template <typename... Parts>
  void Add(const Parts&... parts) {
    (list_.emplace_back(parts), ...);
  }
  template <typename List>
  void AddAll(const List& parts) {
    for (const auto& part : parts) list_.emplace_back(part);
  }
  std::vector<std::string> Take() && { return std::move(list_); }

 private:
  std::vector<std::string> list_;
};

// On most systems /bin, /lib and /lib64 are links into /usr; on some they are
// folders.
void AddSystemFolders(ArgumentList& arguments) {
  for (const char* folder : {"/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec"}) {
    arguments.Add("--ro-bind-try", folder, folder);
  }
  for (const char* place : {"/bin", "/lib", "/lib64"}) {
    std::error_code error;
    const fs::path target = fs::read_symlink(place, error);
    if (error) {
      arguments.Add("--ro-bind-try", place, place);
    } else {
      arguments.Add("--symlink", target.string(), place);
    }
  }
  // Where /usr/bin/g++ and others lead to on Debian; it holds only links.
  arguments.Add("--ro-bind-try", "/etc/alternatives", "/etc/alternatives");
}

Result<std::vector<std::string>> BubblewrapArguments(const SandboxedCommand& command) {
  ArgumentList arguments;
  arguments.AddAll(kIsolation);
  arguments.Add(kHostName);
  const std::string folder = fs::path(command.program).parent_path().string();
  arguments.Add("--setenv", "PATH", (folder.empty() ? "" : folder + ":") + "/usr/bin:/bin");
  arguments.Add("--setenv", "HOME", "/tmp", "--setenv", "TMPDIR", "/tmp");
  arguments.Add("--setenv", "LC_ALL", "C");
  AddSystemFolders(arguments);
  for (const fs::path& readable : command.readable) {
    std::error_code error;
    if (!fs::exists(readable, error)) continue;
    if (!IsSystemPath(readable)) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("running {} in a sandbox: {} is not under /usr or /opt",
                                          command.program, readable.string())};
    }
    const std::string real = fs::canonical(readable, error).string();
    arguments.Add("--ro-bind-try", real, real);
  }
  // All that can be written is /tmp, which is in memory and has a size: /dev
  // and / would be file systems in memory without one.
  arguments.Add("--dev", "/dev", "--remount-ro", "/dev");
  arguments.Add("--size", std::to_string(command.file_bytes), "--tmpfs", "/tmp");
  arguments.Add("--remount-ro", "/", "--chdir", "/tmp", "--");
  if (!command.input_name.empty()) {
    arguments.Add("/bin/sh", "-c", kTakeInput, command.input_name);
  }
  arguments.Add(command.program);
  arguments.AddAll(command.arguments);
  return std::move(arguments).Take();
}

// bwrap exits with 128 + N when signal N ended the program.
void RestoreSignal(Outcome& outcome) {
  if (!outcome.exit_code || *outcome.exit_code <= 128 || *outcome.exit_code >= 128 + NSIG) return;
  outcome.signal = *outcome.exit_code - 128;
  outcome.exit_code.reset();
  if (outcome.signal == SIGXFSZ) outcome.limit = Limit::kFileSize;
  if (outcome.signal == SIGXCPU) outcome.limit = Limit::kTime;
}

std::string FirstLine(std::string_view text) {
  constexpr std::size_t kMost = 200;
  text = Trim(text);
  text = text.substr(0, std::min(text.find('\n'), kMost));
  return ReplaceInvalidUtf8(text);
}

// A program that prints this itself is only treated as not run.
bool FailedBeforeTheProgram(const Outcome& outcome) {
  return !outcome.succeeded() && outcome.exit_code &&
         (outcome.errors.starts_with("bwrap: ") || outcome.errors.starts_with("setpriv: "));
}

std::optional<fs::path> FindBubblewrap(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return IsExecutable(name) ? std::optional<fs::path>(name) : std::nullopt;
  }
  if (const auto found = FindSystemProgram(name)) return found;
  // PATH may contain untrusted folders ("."): only a full path is accepted.
  const auto found = FindProgram(name);
  return found && found->is_absolute() ? found : std::nullopt;
}

}  // namespace

std::optional<fs::path> FindSystemProgram(std::string_view name) {
  for (const char* folder : {"/usr/bin", "/bin"}) {
    fs::path path = fs::path(folder) / name;
    if (IsExecutable(path)) return path;
  }
  return std::nullopt;
}

bool IsSystemPath(const fs::path& path) {
  std::error_code error;
  const std::string real = fs::canonical(path, error).string();
  return !error && (real.starts_with("/usr/") || real.starts_with("/opt/"));
}

Result<Sandbox> Sandbox::Probe(const std::string& bubblewrap) {
  const auto found = FindBubblewrap(bubblewrap);
  if (!found) {
    return Error{
        .kind = ErrorKind::kUnavailable,
        .message = fmt::format("the sandbox, bubblewrap ({}), is not installed", bubblewrap),
        .hint = "install it: apt install bubblewrap"};
  }
  std::vector<std::vector<std::string>> launchers;
  const auto setpriv = FindSystemProgram("setpriv");
  if (::geteuid() == 0 && setpriv) {
    ArgumentList launcher;
    launcher.Add(setpriv->string());
    launcher.AddAll(kBecomeNobody);
    launcher.Add(found->string());
    launchers.push_back(std::move(launcher).Take());
  }
  launchers.push_back({found->string()});
  std::string why;
  for (std::vector<std::string>& launcher : launchers) {
    Sandbox sandbox(std::move(launcher));
    // The host's name is another one: only the real thing prints this.
    const Result<Outcome> outcome = sandbox.Run({.program = "/bin/uname", .arguments = {"-n"}});
    if (outcome.ok() && outcome->succeeded() && Trim(outcome->output) == kHostName) return sandbox;
    why = !outcome.ok()             ? outcome.error().message
          : outcome->errors.empty() ? Describe(*outcome)
                                    : FirstLine(outcome->errors);
  }
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("the sandbox, bubblewrap ({}), does not work here: {}",
                                      found->string(), why),
               .hint =
                   "it needs version 0.8 or later and user namespaces: check sysctl "
                   "user.max_user_namespaces and kernel.unprivileged_userns_clone, and whether "
                   "your container allows them"};
}

Result<Sandbox> Sandbox::Open(const SandboxOptions& options) {
  static Mutex mutex;
  static std::map<std::string, Result<Sandbox>> probed;
  const MutexLock lock(mutex);
  const auto known = probed.find(options.bubblewrap);
  if (known != probed.end()) return known->second;
  return probed.emplace(options.bubblewrap, Probe(options.bubblewrap)).first->second;
}

Result<Outcome> Sandbox::Run(const SandboxedCommand& command, const std::stop_token& stop) const {
  std::error_code error;
  if (!fs::exists(command.program, error)) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("no such program: {}", command.program)};
  }
  std::vector<std::string> arguments(launcher_.begin() + 1, launcher_.end());
  const std::vector<std::string> inside = SIBYL_TRY(BubblewrapArguments(command));
  arguments.insert(arguments.end(), inside.begin(), inside.end());
  // The environment of bwrap can be read inside, --clearenv or not: it is in
  // the memory of the first process.
  Outcome outcome = SIBYL_TRY(RunProgram({.program = launcher_[0],
                                          .arguments = std::move(arguments),
                                          .input = command.input,
                                          .folder = "/",
                                          .environment = {{"PATH", "/usr/bin:/bin"}},
                                          .inherits_environment = false,
                                          .limits = {.time = command.time,
                                                     .output_bytes = command.output_bytes,
                                                     .memory_bytes = command.memory_bytes,
                                                     .file_bytes = command.file_bytes,
                                                     .processes = ProcessLimit()}},
                                         stop));
  if (FailedBeforeTheProgram(outcome)) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("running {} in a sandbox: {}", command.program,
                                        FirstLine(outcome.errors))};
  }
  RestoreSignal(outcome);
  return outcome;
}

}  // namespace sibyl
