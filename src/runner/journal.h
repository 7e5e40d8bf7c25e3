// SPDX-License-Identifier: Apache-2.0
// The journal: one SQLite file that says which jobs a run has, who works on
// them and what became of them. Durable at every commit; any number of
// processes may have it open. docs/formats/journal.md describes the file.
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

/// One thread at a time; not to be taken over a fork.
class Journal {
 public:
  /// Makes the file when it is not there. A file that is damaged, or that does
  /// not carry our signature for this oracle, is moved aside, never deleted, and
  /// a new one begun: see moved_aside(). kUsage when a newer sibyl wrote it;
  /// kUnavailable when the disk is full or read-only. `clock` is borrowed; it
  /// says what is written for people to read, and decides nothing.
  ///
  /// Open it before you read what the run is about: a run that another process
  /// finishes after this moment is joined and not run again.
  static Result<Journal> Open(const OwnFolder& own, const Clock& clock);

  const std::filesystem::path& path() const { return path_; }
  /// Where the file is now that was moved aside, from the oracle.
  const std::optional<std::string>& moved_aside() const { return moved_aside_; }
  /// Random, made with the file: what was said about one journal does not hold
  /// for the next.
  const std::string& id() const { return id_; }

  /// Ends a run whose last job was finished by other means than RunJobs, so that
  /// nobody takes it up again: what Run would have journalled. No such run is
  /// fine.
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

/// Whether an open database is a whole journal: kCorrupt when not, kUsage when
/// it is a newer one. Who made it is not looked at.
Status CheckJournal(Database& database);

/// The journal's id, when it carries our signature for this oracle; kCorrupt
/// when not.
Result<std::string> CheckOrigin(Database& database, const OwnFolder& own);

}  // namespace sibyl::runner
