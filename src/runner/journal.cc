// SPDX-License-Identifier: Apache-2.0
#include "runner/journal.h"

#include <fmt/format.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "base/files/file_lock.h"
#include "base/secret.h"

namespace sibyl::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kApplication = 0x53494259;  // "SIBY"
constexpr std::int64_t kVersion = 3;
constexpr std::int64_t kWithoutLosses = 2;
constexpr std::string_view kPurpose = "journal";

// Byte for byte as sqlite_schema keeps them: CheckAndUpgrade compares.
constexpr std::string_view kRunTable =
    "CREATE TABLE run(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, "
    "fingerprint TEXT NOT NULL, state TEXT NOT NULL, tokens INTEGER NOT NULL, "
    "finish INTEGER NOT NULL, began INTEGER NOT NULL, ended INTEGER NOT NULL)";
constexpr std::string_view kOriginTable =
    "CREATE TABLE origin(id TEXT NOT NULL, signature TEXT NOT NULL)";
#define SIBYL_JOB_TABLE(losses)                                                         \
  "CREATE TABLE job(run INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, " \
  "fingerprint TEXT NOT NULL, is_last INTEGER NOT NULL, state TEXT NOT NULL, "          \
  "attempts INTEGER NOT NULL, " losses                                                  \
  ", token INTEGER NOT NULL, "                                                          \
  "holder TEXT NOT NULL, heartbeat INTEGER NOT NULL, lease_ms INTEGER NOT NULL, "       \
  "progress TEXT NOT NULL, reason TEXT NOT NULL, payload TEXT NOT NULL, "               \
  "began INTEGER NOT NULL, ended INTEGER NOT NULL, PRIMARY KEY(run, place)) WITHOUT ROWID"
constexpr std::string_view kJobTable =
    SIBYL_JOB_TABLE("crashes INTEGER NOT NULL, lost INTEGER NOT NULL, released INTEGER NOT NULL");
// Of version 2, which did not tell crashes from other losses.
constexpr std::string_view kOldJobTable = SIBYL_JOB_TABLE("losses INTEGER NOT NULL");
constexpr std::string_view kUpgrade =
    "INSERT INTO job(run, place, name, fingerprint, is_last, state, attempts, crashes, lost, "
    "released, token, holder, heartbeat, lease_ms, progress, reason, payload, began, ended) "
    "SELECT run, place, name, fingerprint, is_last, state, attempts, losses, 0, 0, token, holder, "
    "heartbeat, lease_ms, progress, reason, payload, began, ended FROM old_job";

// WAL needs memory that all its users share, which the machines of a network
// file system do not have. FUSE may be either; the slower mode is always right.
bool IsShared(const fs::path& folder) {
  constexpr std::array<std::uint64_t, 12> kShared = {
      0x6969,      // NFS
      0x517b,      // SMB
      0xfe534d42,  // SMB2
      0xff534d42,  // CIFS
      0x65735546,  // FUSE
      0x01021997,  // 9P
      0x6a656a63,  // virtiofs
      0x00c36400,  // Ceph
      0x0bd00bd0,  // Lustre
      0x47504653,  // GPFS
      0x5346414f,  // AFS
      0x01161970,  // GFS2
  };
  struct statfs about {};
  if (::statfs(folder.c_str(), &about) != 0) return true;
  const auto type = static_cast<std::uint64_t>(about.f_type) & 0xffffffffU;
  return std::find(kShared.begin(), kShared.end(), type) != kShared.end();
}

Error Damaged(std::string_view why) {
  return Error{.kind = ErrorKind::kCorrupt, .message = fmt::format("the journal: {}", why)};
}

Result<bool> IsEmpty(Database& database) {
  return SIBYL_TRY(database.Number("SELECT count(*) FROM sqlite_schema")) == 0 &&
         SIBYL_TRY(database.Number("PRAGMA user_version")) == 0;
}

Status SetUp(Database& database, const fs::path& folder) {
  const bool shared = IsShared(folder);
  Statement mode = SIBYL_TRY(
      database.Prepare(shared ? "PRAGMA journal_mode=DELETE" : "PRAGMA journal_mode=WAL"));
  SIBYL_TRY(mode.Step());
  if (shared && mode.Text(0) == "wal") {
    return Error{
        .kind = ErrorKind::kUnavailable,
        .message = "the journal is open on the machine that has this folder on its own disk",
        .hint = "run sibyl on that machine only, or wait until it has finished there"};
  }
  return database.Execute("PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON;");
}

Status CreateTables(Database& database, const OwnFolder& own) {
  constexpr std::size_t kIdBytes = 16;
  const std::string id = SIBYL_TRY(RandomHex(kIdBytes));
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database));
  if (!SIBYL_TRY(IsEmpty(database))) return {};  // another process created it
  SIBYL_TRY(
      database.Execute(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}; {}; {}; {};",
                                   kApplication, kVersion, kRunTable, kJobTable, kOriginTable)));
  SIBYL_TRY(database.Change("INSERT INTO origin(id, signature) VALUES(?, ?)", id,
                            own.Sign(kPurpose, id)));
  return transaction.Commit();
}

struct OpenedJournal {
  Database database;
  std::string id;
};

Result<OpenedJournal> OpenWhole(const OwnFolder& own) {
  const fs::path path = own.root().Shown(kJournalFile);
  Database database = SIBYL_TRY(Database::Open(path, Access::kReadWrite));
  SIBYL_TRY(SetUp(database, path.parent_path()));
  if (SIBYL_TRY(IsEmpty(database))) SIBYL_TRY(CreateTables(database, own));
  std::string id = SIBYL_TRY(CheckOrigin(database, own));
  SIBYL_TRY(CheckAndUpgrade(database));
  return OpenedJournal{std::move(database), std::move(id)};
}

}  // namespace

Result<std::string> CheckOrigin(Database& database, const OwnFolder& own) {
  constexpr std::size_t kLongest = 200;
  Statement origin = SIBYL_TRY(database.Prepare("SELECT id, signature FROM origin LIMIT 2"));
  if (!SIBYL_TRY(origin.Step())) return Damaged("it has no signature");
  std::string id = origin.Text(0);
  const std::string signature = origin.Text(1);
  if (id.size() > kLongest || !own.Verifies(kPurpose, id, signature) || SIBYL_TRY(origin.Step())) {
    return Damaged("it was not made by you on this machine for this folder");
  }
  return id;
}

namespace {

Status CheckTables(Database& database, std::string_view job_table) {
  // Only our tables: a file with a trigger or a view is not ours.
  Statement schema = SIBYL_TRY(database.Prepare(
      "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
      "ORDER BY name"));
  std::string tables;
  while (SIBYL_TRY(schema.Step())) tables += schema.Text(1) + "\n";
  if (tables != fmt::format("{}\n{}\n{}\n", job_table, kOriginTable, kRunTable)) {
    return Damaged("its tables do not match this format");
  }
  return {};
}

Status Upgrade(Database& database) {
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database));
  const bool is_old = SIBYL_TRY(database.Number("PRAGMA user_version")) == kWithoutLosses;
  if (!is_old) return {};  // another process has upgraded it
  SIBYL_TRY(
      database.Execute(fmt::format("ALTER TABLE job RENAME TO old_job; {}; {}; DROP TABLE old_job; "
                                   "PRAGMA user_version={};",
                                   kJobTable, kUpgrade, kVersion)));
  return transaction.Commit();
}

}  // namespace

Status CheckAndUpgrade(Database& database) {
  if (SIBYL_TRY(database.Number("PRAGMA application_id")) != kApplication) {
    return Damaged("not a sibyl journal");
  }
  const std::int64_t version = SIBYL_TRY(database.Number("PRAGMA user_version"));
  if (version > kVersion) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("the journal: written by a newer sibyl (format {})", version),
        .hint = "use that sibyl, or move .sibyl/journal.db away"};
  }
  const bool is_old = version == kWithoutLosses;
  SIBYL_TRY(CheckTables(database, is_old ? kOldJobTable : kJobTable));
  Statement check = SIBYL_TRY(database.Prepare("PRAGMA quick_check(1)"));
  if (!SIBYL_TRY(check.Step()) || check.Text(0) != "ok") {
    return Damaged(fmt::format("damaged: {}", check.Text(0)));
  }
  if (is_old) {
    SIBYL_TRY(check.Run());
    return Upgrade(database);
  }
  return {};
}

Journal::Journal(const OwnFolder& own, Database database, std::string id, const Clock& clock)
    : own_(own),
      path_(own.root().Shown(kJournalFile)),
      database_(std::move(database)),
      id_(std::move(id)),
      clock_(&clock) {}

// Includes the journal's id: numbers restart in a new journal, and an old lease
// must not be valid there.
std::string Journal::SignLease(std::string_view lease) const {
  return own_.Sign("lease", fmt::format("{} {}", id_, lease));
}

Result<Journal> Journal::Open(const OwnFolder& own, const Clock& clock) {
  constexpr std::chrono::seconds kPatience{30};
  const fs::path path = own.root().Shown(kJournalFile);
  const std::string doing = fmt::format("opening {}", path.string());
  // So that two processes that find the damage do not move each other's
  // journal aside.
  const FileLock turn = SIBYL_TRY(FileLock::Take(path.string() + ".lock", kPatience));
  std::optional<std::string> aside;
  Result<OpenedJournal> opened = OpenWhole(own);
  if (!opened.ok() && opened.error().kind == ErrorKind::kCorrupt) {
    aside = SIBYL_TRY(own.MoveAside(std::string(kJournalFile), {"-wal", "-shm", "-journal"}));
    opened = OpenWhole(own);
  }
  if (!opened.ok()) return While(doing, std::move(opened).error());
  Journal journal(own, std::move(opened->database), std::move(opened->id), clock);
  journal.moved_aside_ = std::move(aside);
  journal.finished_before_ =
      SIBYL_TRY(journal.database_.Number("SELECT coalesce(max(finish), 0) FROM run"));
  return journal;
}

Status Journal::FinishRun(std::string_view name, std::string_view payload) {
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database_));
  SIBYL_TRY(database_.Change(
      "UPDATE job SET state='done', payload=?, reason='', holder='', ended=? WHERE is_last=1 AND "
      "run IN (SELECT id FROM run WHERE name=? AND state='open')",
      payload, Now(), name));
  SIBYL_TRY(database_.Change(
      "UPDATE run SET state='finished', ended=?, finish=(SELECT max(finish) + 1 FROM run) "
      "WHERE name=? AND state='open'",
      Now(), name));
  return transaction.Commit();
}

}  // namespace sibyl::runner
