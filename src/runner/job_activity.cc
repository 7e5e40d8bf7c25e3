// SPDX-License-Identifier: Apache-2.0
#include "runner/job_activity.h"

#include <fmt/format.h>

#include <string>

#include "base/hash.h"
#include "base/process/environment.h"
#include "base/telemetry/log.h"
#include "runner/process_id.h"

namespace sibyl::runner {
namespace {

constexpr std::size_t kTraceDigits = 32;

bool IsTraceHandedOn() {
  const std::string value = EnvironmentVariable("SIBYL_TRACE").value_or("");
  return !value.empty() && value != "0";
}

}  // namespace

Activity ActivityOf(const Ledger& ledger, std::int64_t run, std::string_view job) {
  const ProcessId process = ThisProcess();
  Activity activity{.run = std::to_string(run),
                    .part = std::string(job),
                    .worker = fmt::format("{}:{}", process.host, process.number),
                    .trace = CurrentActivity().trace};
  if (!activity.trace) {
    const std::string hash = Sha256(ledger.SignLease(fmt::format("trace of run {}", run)));
    activity.trace = Trace{.id = hash.substr(0, kTraceDigits),
                           .parent = {},
                           .is_sampled = true,
                           .is_handed_on = IsTraceHandedOn()};
  }
  return activity;
}

void LogJob(const Ledger& ledger, const LoggedJob& job) {
  if (!IsLogOn()) return;
  std::string_view message;
  LogLevel level = LogLevel::kInfo;
  switch (job.kind) {
    case EventKind::kStarted:
      message = "part started";
      break;
    case EventKind::kRetried:
      message = "attempt failed";
      level = LogLevel::kWarning;
      break;
    case EventKind::kFinished:
      message = "part finished";
      if (job.state != JobState::kDone) level = LogLevel::kError;
      break;
    case EventKind::kReleased:
      message = job.is_lost ? "part lost" : "part released";
      if (job.is_lost) level = LogLevel::kWarning;
      break;
    case EventKind::kStep:
    case EventKind::kTick:
      return;
  }
  const ActivityScope scope(ActivityOf(ledger, job.run, job.name));
  // What has become of it is not known here.
  if (job.kind == EventKind::kReleased && job.is_lost) {
    return WriteLog(level, message, {{"attempt", job.attempt}});
  }
  WriteLog(level, message, {{"state", JobStateName(job.state)}, {"attempt", job.attempt}});
}

}  // namespace sibyl::runner
