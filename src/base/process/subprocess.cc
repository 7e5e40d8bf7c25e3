// SPDX-License-Identifier: Apache-2.0
#include "base/process/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

#include "base/files/file_descriptor.h"
#include "base/files/write_all.h"
#include "base/os_error.h"
#include "base/process/environment.h"
#include "base/process/subprocess_child.h"
#include "base/process/this_program.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

// "No limit" must not overflow the clock.
constexpr std::chrono::milliseconds kLongestTime = std::chrono::hours(24 * 365);

struct Pipe {
  FileDescriptor reader;
  FileDescriptor writer;
};

Result<Pipe> MakePipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return OsError("creating a pipe", errno);
  return Pipe{.reader = FileDescriptor(ends[0]), .writer = FileDescriptor(ends[1])};
}

// The input is a file in memory rather than a pipe: nothing has to be fed while
// the program runs, so there is no deadlock, and no SIGPIPE for us when the
// program does not read it.
Result<FileDescriptor> MakeInput(const Command& command) {
  if (!command.input_file.empty()) {
    FileDescriptor file(::open(command.input_file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open()) return OsError("opening " + command.input_file.string(), errno);
    return file;
  }
  if (command.input.empty()) {
    FileDescriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!null.is_open()) return OsError("opening /dev/null", errno);
    return null;
  }
  FileDescriptor file(::memfd_create("sibyl-input", MFD_CLOEXEC));
  if (!file.is_open()) return OsError("creating the input of a program", errno);
  if (const int failure = WriteAll(file.number(), command.input)) {
    return OsError("writing the input of a program", failure);
  }
  if (::lseek(file.number(), 0, SEEK_SET) != 0) return OsError("rewinding the input", errno);
  return file;
}

bool IsProgram(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::vector<std::string> MakeEnvironment(const Command& command) {
  std::vector<std::string> entries;
  for (char** entry = environ; command.inherits_environment && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string name(text.substr(0, text.find('=')));
    if (!command.environment.contains(name)) entries.emplace_back(text);
  }
  for (const auto& [name, value] : command.environment) {
    entries.push_back(fmt::format("{}={}", name, value));
  }
  return entries;
}

// The pointers live as long as the strings.
std::vector<char*> PointersTo(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// A started process. Its group is killed and it is reaped when this object
// goes, on every path.
class Child {
 public:
  explicit Child(pid_t pid)
      : pid_(pid), ended_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ > 0) Reap();
  }

  /// Readable when the process has ended; closed on kernels before 5.3.
  int ended_descriptor() const { return ended_.number(); }

  bool HasEnded() const {
    siginfo_t about{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &about, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           about.si_pid == pid_;
  }

  void KillGroup() const { ::kill(-pid_, SIGKILL); }

  // The group first: until its leader is reaped, the process id cannot be
  // reused.
  siginfo_t Reap() {
    siginfo_t about{};
    KillUnlessEnded();
    while (::waitid(P_PID, static_cast<id_t>(pid_), &about, WEXITED | WNOWAIT) != 0) {
      if (errno != EINTR) break;
    }
    KillGroup();
    while (::waitid(P_PID, static_cast<id_t>(pid_), &about, WEXITED) != 0 && errno == EINTR) {
    }
    pid_ = -1;
    return about;
  }

 private:
  void KillUnlessEnded() const {
    if (!HasEnded()) KillGroup();
  }

  pid_t pid_;
  FileDescriptor ended_;
};

// Reads the program's output as it is written.
class Collector {
 public:
  Collector(FileDescriptor output, FileDescriptor errors, const Command& command)
      : pipes_{std::move(output), std::move(errors)},
        left_(command.limits.output_bytes),
        on_errors_(command.on_errors) {
    for (const FileDescriptor& pipe : pipes_) ::fcntl(pipe.number(), F_SETFL, O_NONBLOCK);
  }

  int descriptor(std::size_t i) const { return pipes_[i].number(); }
  std::string& text(std::size_t i) { return texts_[i]; }

  /// False once there was more than the limit.
  bool ReadAvailable() { return ReadFrom(0) && ReadFrom(1); }

 private:
  bool ReadFrom(std::size_t i) {
    std::array<char, 65'536> chunk;
    while (pipes_[i].is_open()) {
      const ssize_t got = ::read(pipes_[i].number(), chunk.data(), chunk.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return true;
      if (got <= 0) {
        pipes_[i].Close();
        return true;
      }
      const std::size_t taken = std::min(static_cast<std::size_t>(got), left_);
      texts_[i].append(chunk.data(), taken);
      left_ -= taken;
      if (i == 1 && on_errors_) on_errors_({chunk.data(), taken});
      if (taken < static_cast<std::size_t>(got)) return false;
    }
    return true;
  }

  std::array<FileDescriptor, 2> pipes_;
  std::array<std::string, 2> texts_;
  std::size_t left_;
  const std::function<void(std::string_view)>& on_errors_;
};

enum class Ended { kByItself, kTime, kOutput, kCancelled };

// Waits until the program ends or the time is up.
Ended Watch(const Child& child, Collector& collector, SteadyClock::time_point deadline,
            int cancelled_descriptor) {
  while (true) {
    if (!collector.ReadAvailable()) return Ended::kOutput;
    if (child.HasEnded()) {
      // All that it wrote is in the pipe by now.
      return collector.ReadAvailable() ? Ended::kByItself : Ended::kOutput;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
    if (left.count() <= 0) return Ended::kTime;
    // A closed descriptor is -1, which poll ignores. Without pidfd the process
    // is looked at every 10 ms.
    const std::int64_t longest = child.ended_descriptor() >= 0 ? 3'600'000 : 10;
    std::array<pollfd, 4> wanted = {{{.fd = collector.descriptor(0), .events = POLLIN},
                                     {.fd = collector.descriptor(1), .events = POLLIN},
                                     {.fd = child.ended_descriptor(), .events = POLLIN},
                                     {.fd = cancelled_descriptor, .events = POLLIN}}};
    ::poll(wanted.data(), wanted.size(), static_cast<int>(std::min(left.count(), longest)));
    if (wanted[3].revents != 0) return Ended::kCancelled;
  }
}

Outcome MakeOutcome(const siginfo_t& about, Ended ended, Collector& collector) {
  Outcome outcome;
  outcome.output = std::move(collector.text(0));
  outcome.errors = std::move(collector.text(1));
  if (about.si_code == CLD_EXITED) {
    outcome.exit_code = about.si_status;
  } else {
    outcome.signal = about.si_status;
  }
  if (ended == Ended::kTime || outcome.signal == SIGXCPU) outcome.limit = Limit::kTime;
  if (ended == Ended::kOutput) outcome.limit = Limit::kOutput;
  if (outcome.signal == SIGXFSZ) outcome.limit = Limit::kFileSize;
  return outcome;
}

Error CouldNotStart(const std::string& program, const Command& command, const ChildFailure& why) {
  if (why.step == ChildStep::kFolder) {
    return OsError(fmt::format("running {} in {}", program, command.folder.string()), why.code);
  }
  return OsError(fmt::format("running {}", program), why.code);
}

Result<fs::path> Resolve(const std::string& program) {
  if (program.find('/') != std::string::npos) return fs::path(program);
  if (const auto found = FindProgram(program)) return *found;
  return Error{
      .kind = ErrorKind::kNotFound,
      .message = fmt::format("running {}: no such program in PATH", program),
      .hint = IsInOwnImage(ThisProgram())
                  ? fmt::format("the image of sibyl has no other programs: in an image that has "
                                "{}, 'COPY --from=sibyl:VERSION /opt/sibyl /opt/sibyl' adds sibyl",
                                program)
                  : fmt::format("install it, or add the folder that contains {} to PATH", program)};
}

// Bytes that a C string cannot hold would silently cut an argument.
Status CheckForZeros(const Command& command) {
  const auto has_zero = [](const std::string& text) {
    return text.find('\0') != std::string::npos;
  };
  bool found = has_zero(command.program) || has_zero(command.folder.string()) ||
               std::any_of(command.arguments.begin(), command.arguments.end(), has_zero);
  for (const auto& [name, value] : command.environment) {
    found = found || has_zero(name) || has_zero(value) || name.empty() ||
            name.find('=') != std::string::npos;
  }
  if (!found) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("running {}: invalid argument or environment variable",
                                      command.program)};
}

}  // namespace

std::optional<fs::path> FindProgram(std::string_view name) {
  if (name.empty()) return std::nullopt;
  const std::string path = EnvironmentVariable("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find(':', start), path.size());
    // An empty entry means the current folder, which may contain untrusted
    // files: it is not searched.
    const fs::path candidate = fs::path(path.substr(start, end - start)) / name;
    if (end > start && IsProgram(candidate)) return candidate;
    start = end + 1;
  }
  return std::nullopt;
}

std::string Describe(const Outcome& outcome) {
  switch (outcome.limit) {
    case Limit::kTime:
      return "timed out";
    case Limit::kOutput:
      return "stopped: it printed too much";
    case Limit::kFileSize:
      return "stopped: it wrote too large a file";
    case Limit::kNone:
      break;
  }
  if (outcome.exit_code) return fmt::format("exit code {}", *outcome.exit_code);
  const char* name = ::sigdescr_np(outcome.signal);
  return fmt::format("signal {} ({})", outcome.signal, name == nullptr ? "unknown" : name);
}

Result<Outcome> RunProgram(const Command& command, const std::stop_token& stop) {
  SIBYL_TRY(CheckForZeros(command));
  const std::string program = SIBYL_TRY(Resolve(command.program)).string();
  const FileDescriptor input = SIBYL_TRY(MakeInput(command));
  Pipe output = SIBYL_TRY(MakePipe());
  Pipe errors = SIBYL_TRY(MakePipe());
  Pipe failure = SIBYL_TRY(MakePipe());
  const FileDescriptor cancelled(::eventfd(0, EFD_CLOEXEC));
  if (!cancelled.is_open()) return OsError("creating an event", errno);

  std::vector<std::string> arguments = {command.program};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> environment = MakeEnvironment(command);
  const std::vector<char*> argument_pointers = PointersTo(arguments);
  const std::vector<char*> environment_pointers = PointersTo(environment);
  const std::string folder = command.folder.string();
  const ChildPlan plan = {.program = program.c_str(),
                          .arguments = argument_pointers.data(),
                          .environment = environment_pointers.data(),
                          .folder = folder.empty() ? nullptr : folder.c_str(),
                          .input = input.number(),
                          .output = output.writer.number(),
                          .errors = errors.writer.number(),
                          .failure = failure.writer.number(),
                          .parent = ::getpid(),
                          .limits = command.limits};

  const auto deadline = SteadyClock::now() + std::min(command.limits.time, kLongestTime);
  const Result<pid_t> pid = StartChild(plan);
  if (!pid.ok()) return pid.error();
  Child child(*pid);
  output.writer.Close();
  errors.writer.Close();
  failure.writer.Close();
  if (const auto why = ReadChildFailure(failure.reader.number())) {
    return CouldNotStart(command.program, command, *why);
  }

  const std::stop_callback on_stop(stop, [&cancelled] {
    const std::uint64_t one = 1;
    // Writing 1 to a fresh event cannot fail.
    [[maybe_unused]] const ssize_t wrote = ::write(cancelled.number(), &one, sizeof one);
  });
  Collector collector(std::move(output.reader), std::move(errors.reader), command);
  const Ended ended = Watch(child, collector, deadline, cancelled.number());
  const siginfo_t about = child.Reap();
  if (ended == Ended::kCancelled) {
    return Error{.kind = ErrorKind::kCancelled,
                 .message = fmt::format("running {}: cancelled", command.program)};
  }
  return MakeOutcome(about, ended, collector);
}

}  // namespace sibyl
