// SPDX-License-Identifier: Apache-2.0
#include "runner/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "runner/process_id.h"
#include "runner/runner.h"

namespace sibyl::runner {
namespace {

constexpr std::size_t kLongestPayload = std::size_t{64} << 20;
constexpr std::array<std::string_view, 5> kStateNames = {"waiting", "running", "done", "failed",
                                                         "cancelled"};

}  // namespace

std::string_view JobStateName(JobState state) {
  return kStateNames.at(static_cast<std::size_t>(state));
}

std::optional<JobState> ParseJobState(std::string_view name) {
  const auto* found = std::find(kStateNames.begin(), kStateNames.end(), name);
  if (found == kStateNames.end()) return std::nullopt;
  return static_cast<JobState>(found - kStateNames.begin());
}

Result<std::unique_ptr<Ledger>> Ledger::Another() const {
  return Error{.kind = ErrorKind::kUsage, .message = "this ledger is for one thread"};
}

Result<Allowance> Ledger::Reserve(std::int64_t /*run*/, const std::string& /*name*/,
                                  const Spending& /*most*/) {
  return Allowance::kReserved;
}

std::string ThrottleText(const Throttle& throttle) {
  const auto minutes = std::chrono::ceil<std::chrono::minutes>(throttle.left).count();
  return fmt::format("waiting for the limit of {} tokens an hour, about {} minute{}",
                     throttle.tokens_per_hour, minutes, minutes == 1 ? "" : "s");
}

Result<std::optional<Throttle>> Ledger::ThrottleOf(std::int64_t /*run*/, std::int64_t /*tokens*/) {
  return std::optional<Throttle>();
}

Status Ledger::Spend(const std::string& /*name*/, const Spending& /*spent*/) { return {}; }

// NOLINTNEXTLINE(performance-unnecessary-value-param): a ledger that tells takes it over
std::unique_ptr<ChangeWatch> Ledger::Watch(std::function<void()> /*changed*/) { return nullptr; }

Status CheckPayload(std::string_view payload) {
  if (payload.size() <= kLongestPayload) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("writing a job to the ledger: {} bytes; the limit is {}",
                                      payload.size(), kLongestPayload)};
}

Error Superseded() {
  return Error{.kind = ErrorKind::kUnavailable,
               .message = "this run was superseded by a later one with the same name",
               .hint = "the later run continues; work on unchanged parts is kept"};
}

// We write only small numbers; anything else is a forged or damaged file.
Result<int> SmallNumber(std::int64_t number) {
  if (number >= 0 && number <= std::numeric_limits<int>::max()) return static_cast<int>(number);
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("the ledger: {} is not a valid number of attempts", number)};
}

Status CheckSpec(const RunSpec& spec) {
  std::set<std::string_view> names;
  if (spec.last) names.insert(spec.last->name);
  for (const Job& job : spec.jobs) {
    if (names.insert(job.name).second) continue;
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("running {}: two jobs are named '{}'", spec.name, job.name)};
  }
  return {};
}

bool HasSameJobs(const std::vector<JobRow>& rows, const RunSpec& spec, Compared compared) {
  if (rows.size() != spec.jobs.size() + (spec.last ? 1 : 0)) return false;
  for (std::size_t i = 0; i < spec.jobs.size(); ++i) {
    if (rows[i].name != spec.jobs[i].name || rows[i].is_last) return false;
    if (compared == Compared::kNamesAndFingerprints &&
        rows[i].fingerprint != spec.jobs[i].fingerprint) {
      return false;
    }
  }
  return !spec.last || (rows.back().name == spec.last->name && rows.back().is_last);
}

bool IsInLastJob(const std::vector<JobRow>& rows) {
  if (rows.empty() || !rows.back().is_last || rows.back().state != JobState::kRunning) return false;
  if (rows.back().is_expired.value_or(false)) return false;
  const std::optional<ProcessId> holder = ParseProcessId(rows.back().holder);
  return holder && LifeOf(*holder) != Life::kGone;
}

Settlement AfterLoss(Loss loss, int count, const MostLosses& most, std::string& reason) {
  const bool has_crashed = loss == Loss::kCrashed;
  const bool again = count < (has_crashed ? most.crashes : most.expired);
  if (again) {
    reason = has_crashed ? "the process that ran it died"
                         : "its worker gave no sign for the length of its lease";
  } else {
    reason =
        has_crashed
            ? fmt::format(
                  "its process died {} times while running it; the part may be what kills it",
                  count)
            : fmt::format("{} workers disappeared while running it; the part may be what ends them",
                          count);
  }
  return {.state = again ? JobState::kWaiting : JobState::kFailed, .reason = reason};
}

Counted CountOf(const Settlement& settlement) {
  const bool is_release = settlement.state == JobState::kWaiting && settlement.attempts_more == 0;
  return {.released = is_release ? 1 : 0};
}

Counted CountOf(Loss loss) {
  return {.crashes = loss == Loss::kCrashed ? 1 : 0, .lost = loss == Loss::kExpired ? 1 : 0};
}

}  // namespace sibyl::runner
