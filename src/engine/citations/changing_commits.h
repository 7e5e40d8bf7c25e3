// SPDX-License-Identifier: Apache-2.0
// Which commits changed the file of a citation since the commit it names; of sources with a
// history.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/json.h"
#include "evidence/citation.h"
#include "evidence/evidence.h"
#include "evidence/history/history.h"

namespace sibyl::engine {

/// Opens each history once. Not thread-safe.
class ChangingCommits {
 public:
  /// `around` must outlive it.
  ChangingCommits(evidence::Lock lock, const evidence::Surroundings& around)
      : lock_(std::move(lock)), around_(around) {}

  /// The latest first, at most three: {"commit", "date", "subject"}. Empty if the source has no
  /// history, or if that does not have the commit. Only the file is known, not its lines: a
  /// history has no earlier texts.
  Json Since(const evidence::SourceCitation& citation);

 private:
  const evidence::History* HistoryOf(const std::string& origin);

  evidence::Lock lock_;
  const evidence::Surroundings& around_;
  std::map<std::string, std::unique_ptr<evidence::History>> histories_;  // null: none
};

/// "1a2b3c4d5e (2026-03-01) Subject" of each.
std::string CommitsText(const Json& commits);

}  // namespace sibyl::engine
