// SPDX-License-Identifier: Apache-2.0
// The journal: one SQLite file with the jobs of a run, their holders and their
// outcomes. Durable at every commit; any number of processes may have it open.
// docs/formats/journal.md describes the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/files/own_folder.h"
#include "base/result.h"
#include "runner/database.h"

namespace sibyl::runner {

constexpr std::string_view kJournalFile = "journal.db";

/// One thread at a time; must not be used across a fork.
class Journal {
 public:
  /// Creates the file if it is missing. A file that is damaged, or not signed
  /// for this oracle, is moved aside, never deleted, and a new one is created:
  /// see moved_aside(). kUsage if a newer sibyl wrote it; kUnavailable if the
  /// disk is full or read-only. `clock` is borrowed; it is used only for times
  /// shown to people.
  ///
  /// Open it before reading the plan: a run that another process finishes after
  /// this moment is joined and not run again.
  static Result<Journal> Open(const OwnFolder& own, const Clock& clock);

  const std::filesystem::path& path() const { return path_; }
  /// Where the file is now that was moved aside, from the oracle.
  const std::optional<std::string>& moved_aside() const { return moved_aside_; }
  /// Random, created with the file, so that leases of one journal are not valid
  /// for the next.
  const std::string& id() const { return id_; }

  /// Ends a run whose last job was finished by other means than RunJobs, as if
  /// it had been run, so that it is not resumed. Does nothing if there is no
  /// such run.
  Status FinishRun(std::string_view name, std::string_view payload);

  // For the files of this room.
  Database& database() { return database_; }
  std::int64_t Now() const { return clock_->Now().time_since_epoch().count(); }
  /// The number of the newest run that was finished when this was opened.
  std::int64_t finished_before() const { return finished_before_; }

 private:
  Journal(std::filesystem::path path, Database database, std::string id, const Clock& clock)
      : path_(std::move(path)),
        database_(std::move(database)),
        id_(std::move(id)),
        clock_(&clock) {}

  std::filesystem::path path_;
  Database database_;
  std::string id_;
  const Clock* clock_;
  std::optional<std::string> moved_aside_;
  std::int64_t finished_before_ = 0;
};

/// Whether an open database is a valid journal: kCorrupt if not, kUsage if it
/// is newer. Its origin is not checked.
Status CheckJournal(Database& database);

/// The journal's id, if it is signed for this oracle; kCorrupt if not.
Result<std::string> CheckOrigin(Database& database, const OwnFolder& own);

}  // namespace sibyl::runner
