// SPDX-License-Identifier: Apache-2.0
#include "engine/source/restore_sources.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "evidence/history/pinned_history.h"
#include "evidence/origins/toolkit.h"
#include "git/origin.h"

namespace sibyl::engine {
namespace {

constexpr std::string_view kNotRestored = "source/unrestored";

// A folder or a toolkit is on this machine or it is not, and only its user can agree to it:
// that says nothing against the oracle. What others serve should be there.
Finding NotRestored(const evidence::Pin& pin, const Error& error) {
  const bool is_of_machine =
      evidence::ParseToolkitOrigin(pin.origin) || git::IsLocalOrigin(pin.origin);
  return {.severity = is_of_machine ? Severity::kWarning : Severity::kError,
          .code = std::string(kNotRestored),
          .message = fmt::format("{} was not restored: {}", pin.name, error.message),
          .hint = error.hint,
          .place = {.file = std::string(evidence::kLockFile)}};
}

}  // namespace

Result<std::vector<Finding>> RestoreSources(const evidence::Lock& lock,
                                            const evidence::Surroundings& around) {
  std::vector<Finding> findings;
  for (const evidence::Pin& pin : lock.pins) {
    const bool has_history = pin.history == 0 || evidence::OpenHistoryOf(pin, around).ok();
    if (has_history && evidence::OpenSnapshot(pin, around).ok()) continue;
    if (around.progress) around.progress("fetching " + pin.name);
    Status restored = evidence::RestoreSource(pin, around);
    if (restored.ok()) restored = evidence::RestoreHistory(pin, around);
    if (restored.ok()) continue;
    if (restored.error().kind == ErrorKind::kCancelled) return restored.error();
    findings.push_back(NotRestored(pin, restored.error()));
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
