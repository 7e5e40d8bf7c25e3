// SPDX-License-Identifier: Apache-2.0
#include "expansion/ledger/part_logs.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "base/ascii.h"
#include "base/files/file_descriptor.h"
#include "base/files/write_all.h"
#include "base/terminal.h"
#include "runner/process_id.h"

namespace sibyl::expansion {
namespace {

namespace fs = std::filesystem;

std::string EventText(const runner::ServedJob& job) {
  switch (job.kind) {
    case runner::EventKind::kStarted:
      return "started";
    case runner::EventKind::kStep:
      return fmt::format("at {}", job.progress.step);
    case runner::EventKind::kRetried:
      return fmt::format("failed, waits for another attempt: {}", job.reason);
    case runner::EventKind::kReleased:
      return fmt::format("released: {}", job.reason);
    case runner::EventKind::kFinished:
      if (job.state == runner::JobState::kDone) return "written";
      return fmt::format("failed: {}", job.reason);
    case runner::EventKind::kTick:
      break;
  }
  return {};
}

}  // namespace

PartLogs::PartLogs(fs::path folder, const Clock& clock)
    : folder_(std::move(folder)), clock_(&clock) {
  const runner::ProcessId own = runner::ThisProcess();
  worker_ = fmt::format("{}/{}", own.host, own.number);
}

Result<PartLogs> PartLogs::Open(const fs::path& folder, const Clock& clock) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && fs::is_directory(folder, error)) return PartLogs(folder, clock);
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("opening the folder of logs {}: {}", folder.string(),
                                      error ? error.message() : "not a folder")};
}

void PartLogs::Write(const runner::ServedJob& job) {
  const std::string event = EventText(job);
  std::string& last = steps_[job.name];
  const bool is_repeated = job.kind == runner::EventKind::kStep && event == last;
  if (event.empty() || is_repeated) return;
  last = event;
  const fs::path path = folder_ / NameOf(job.name);
  constexpr mode_t kMode = 0644;
  const FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kMode));
  if (file.number() < 0) return;
  WriteAll(file.number(), fmt::format("{} {} {}: {}\n", FormatDateTime(clock_->Now()),
                                      Harmless(worker_), Harmless(job.run.name), Harmless(event)));
}

std::string PartLogs::NameOf(std::string_view part) {
  std::string name;
  for (const char c : part) {
    const bool is_plain = IsAlphanumeric(c) || c == '.' || c == '_' || c == '-';
    name += is_plain ? c : '-';
  }
  return name + ".log";
}

}  // namespace sibyl::expansion
