// SPDX-License-Identifier: Apache-2.0
// The journal: the ledger of one working copy, an SQLite file. Durable at every
// commit; any number of processes may have it open. docs/formats/journal.md
// describes the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/files/own_folder.h"
#include "base/result.h"
#include "runner/database.h"
#include "runner/ledger.h"

namespace sibyl::runner {

constexpr std::string_view kJournalFile = "journal.db";

/// One thread at a time; must not be used across a fork.
class Journal : public Ledger {
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
  /// Random, created with the file, so that leases of one journal are not valid
  /// for the next.
  const std::string& id() const { return id_; }

  std::string place() const override { return path_.string(); }
  std::optional<std::string> moved_aside() const override { return moved_aside_; }
  std::string SignLease(std::string_view lease) const override;
  Result<BegunRun> Begin(const RunSpec& spec, Existing existing) override;
  Result<std::optional<std::int64_t>> FindOpen(std::string_view name) override;
  Result<std::string> OpenName(std::int64_t run) override;
  Status FinishRun(std::string_view name, std::string_view payload) override;
  Result<std::vector<JobRow>> Jobs(std::int64_t run) override;
  Result<std::vector<JobRow>> Changes(std::int64_t run, std::string& mark) override;
  Result<std::vector<RunInfo>> OpenRuns() override;
  Result<std::vector<JobRow>> Running(std::int64_t run) override;
  Result<std::optional<Lease>> Claim(std::int64_t run, const Claimant& claimant) override;
  Result<Acceptance> Keep(std::int64_t run, const Lease& lease, std::string_view payload,
                          std::string_view progress) override;
  Result<Acceptance> Settle(std::int64_t run, const Lease& lease,
                            const Settlement& settlement) override;
  Result<std::vector<std::size_t>> Renew(std::int64_t run,
                                         const std::vector<Renewal>& renewals) override;
  Result<Acceptance> Expire(std::int64_t run, const Lease& lease, Loss loss,
                            const MostLosses& most) override;
  Status PutBack(std::int64_t run, std::size_t place, std::string_view reason) override;
  Status CancelWaiting(std::int64_t run, std::string_view reason) override;
  Result<Snapshot> ReadAll() override;

  // For the files of this room.
  Database& database() { return database_; }
  std::int64_t Now() const { return clock_->Now().time_since_epoch().count(); }
  /// The number of the newest run that was finished when this was opened.
  std::int64_t finished_before() const { return finished_before_; }

 private:
  Journal(const OwnFolder& own, Database database, std::string id, const Clock& clock);
  Result<bool> IsOpen(std::int64_t run);
  Result<bool> IsOtherPublishing(std::int64_t run);
  Status Grant(std::int64_t run, const Claimant& claimant, Lease& lease);
  Status FinishIfOver(std::int64_t run);
  Result<Acceptance> Write(std::int64_t run, const Lease& lease, const Settlement& settlement,
                           const Counted& counted);

  OwnFolder own_;
  std::filesystem::path path_;
  Database database_;
  std::string id_;
  const Clock* clock_;
  std::optional<std::string> moved_aside_;
  std::int64_t finished_before_ = 0;
};

/// All jobs of a run, in order. kCorrupt if a row is invalid.
Result<std::vector<JobRow>> ReadJobs(Database& database, std::int64_t run);

/// Whether an open database is a valid journal: kCorrupt if not, kUsage if it
/// is newer. Its origin is not checked. The tables of an older version become
/// those of this one.
Status CheckAndUpgrade(Database& database);

/// The journal's id, if it is signed for this oracle; kCorrupt if not.
Result<std::string> CheckOrigin(Database& database, const OwnFolder& own);

}  // namespace sibyl::runner
