// SPDX-License-Identifier: Apache-2.0
#include "engine/source/restore_sources.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/history/pinned_history.h"
#include "evidence/origins/toolkit.h"
#include "git/origin.h"
#include "oracle/source_failures.h"

namespace sibyl::engine {
namespace {

constexpr std::string_view kNotRestored = "source/unrestored";

// A folder or a toolkit is on this machine or it is not, and only its user can agree to it:
// that says nothing against the oracle. What others serve should be there.
bool IsOfMachine(const evidence::Pin& pin) {
  return evidence::ParseToolkitOrigin(pin.origin) || git::IsLocalOrigin(pin.origin);
}

Finding NotRestored(const std::vector<oracle::SourceFailure>& same, Severity severity,
                    std::size_t pins) {
  const Error& error = same[0].error;
  return {.severity = severity,
          .code = std::string(kNotRestored),
          .message = same.size() == 1
                         ? fmt::format("{} was not restored: {}", same[0].name, error.message)
                         : fmt::format("{} of {} sources were not restored: {} ({})", same.size(),
                                       pins, error.message, oracle::SomeNames(same)),
          .hint = error.hint,
          .place = {.file = std::string(evidence::kLockFile)}};
}

}  // namespace

Result<std::vector<Finding>> RestoreSources(const evidence::Lock& lock,
                                            const evidence::Surroundings& around) {
  std::vector<oracle::SourceFailure> failures;
  std::vector<oracle::SourceFailure> of_machine;
  for (const evidence::Pin& pin : lock.pins) {
    const bool has_history = pin.history == 0 || evidence::OpenHistoryOf(pin, around).ok();
    if (has_history && evidence::OpenSnapshot(pin, around).ok()) continue;
    if (around.progress) around.progress("fetching " + pin.name);
    Status restored = evidence::RestoreSource(pin, around);
    if (restored.ok()) restored = evidence::RestoreHistory(pin, around);
    if (restored.ok()) continue;
    if (restored.error().kind == ErrorKind::kCancelled) return restored.error();
    (IsOfMachine(pin) ? of_machine : failures)
        .push_back({.name = pin.name, .error = restored.error()});
  }
  std::vector<Finding> findings;
  for (const auto& same : oracle::SameReasons(std::move(failures))) {
    findings.push_back(NotRestored(same, Severity::kError, lock.pins.size()));
  }
  for (const auto& same : oracle::SameReasons(std::move(of_machine))) {
    findings.push_back(NotRestored(same, Severity::kWarning, lock.pins.size()));
  }
  return findings;
}

Rule UnrestoredRule() {
  return {.code = kNotRestored,
          .meaning =
              "with --restore: a pinned source could not be fetched, so what cites it was "
              "not checked"};
}

}  // namespace sibyl::engine
