// SPDX-License-Identifier: Apache-2.0
#include "runner/postgres/schema.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/secret.h"
#include "runner/database.h"

namespace sibyl::runner {
namespace {

// Jobs are updated three times each; a page with some room keeps their versions
// together.
constexpr const char* kFirst = R"(
CREATE SEQUENCE sibyl.token;
CREATE TABLE sibyl.run(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  oracle text NOT NULL,
  name text NOT NULL,
  fingerprint text NOT NULL,
  nonce text NOT NULL,
  state text NOT NULL,
  last_place bigint NOT NULL,
  finish bigint NOT NULL,
  began bigint NOT NULL,
  ended bigint NOT NULL,
  server text NOT NULL DEFAULT '',
  parts_at_once bigint NOT NULL DEFAULT 0,
  tokens_per_hour bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  money_millionths bigint NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX run_open ON sibyl.run(oracle, name) WHERE state = 'open';
CREATE INDEX run_server ON sibyl.run(server) WHERE state = 'open' AND server <> '';
CREATE INDEX run_nonce ON sibyl.run(nonce);
CREATE TABLE sibyl.job(
  run bigint NOT NULL,
  place bigint NOT NULL,
  name text NOT NULL,
  fingerprint text NOT NULL,
  is_last boolean NOT NULL,
  state text NOT NULL,
  attempts bigint NOT NULL DEFAULT 0,
  losses bigint NOT NULL DEFAULT 0,
  token bigint NOT NULL DEFAULT 0,
  nonce text NOT NULL DEFAULT '',
  holder text NOT NULL DEFAULT '',
  heartbeat bigint NOT NULL DEFAULT 0,
  lease_ms bigint NOT NULL DEFAULT 0,
  expires timestamptz NOT NULL DEFAULT '-infinity',
  progress text NOT NULL DEFAULT '',
  reason text NOT NULL DEFAULT '',
  payload bytea NOT NULL DEFAULT '',
  began bigint NOT NULL DEFAULT 0,
  ended bigint NOT NULL DEFAULT 0,
  changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY(run, place)) WITH (fillfactor = 70);
CREATE INDEX job_waiting ON sibyl.job(run, place) WHERE state = 'waiting';
CREATE INDEX job_running ON sibyl.job(run, place) WHERE state = 'running';
CREATE TABLE sibyl.spending(
  name text PRIMARY KEY,
  run bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  tokens bigint NOT NULL,
  money_millionths bigint NOT NULL);
CREATE INDEX spending_run ON sibyl.spending(run, at);
)";

// `losses` counts crashes only from here on; a program of version 1 counts every
// loss there.
constexpr const char* kLosses = R"(
ALTER TABLE sibyl.job ADD COLUMN lost bigint NOT NULL DEFAULT 0,
  ADD COLUMN released bigint NOT NULL DEFAULT 0;
)";

// When a claim of the run last found no place on the server of its model.
constexpr const char* kAsked = R"(
ALTER TABLE sibyl.run ADD COLUMN asked timestamptz NOT NULL DEFAULT '-infinity';
)";

// Whether a row is what was spent, or a reservation of a request that is under way.
constexpr const char* kSettled = R"(
ALTER TABLE sibyl.spending ADD COLUMN settled boolean NOT NULL DEFAULT false;
)";

constexpr std::array<Migration, 4> kMigrations = {
    Migration{.version = 1, .reads = 1, .sql = kFirst},
    Migration{.version = 2, .reads = 1, .sql = kLosses},
    Migration{.version = 3, .reads = 2, .sql = kAsked},
    Migration{.version = 4, .reads = 3, .sql = kSettled}};

struct Versions {
  int version = 0;
  int reads = 0;
  std::string secret;
};

// Nothing if there are no tables. A query of the catalog, since to_regclass()
// may answer from a cache that is older than the lock that Migrate waited for.
Result<std::optional<Versions>> ReadVersions(Connection& connection) {
  const Rows there = SIBYL_TRY(
      connection.Run("SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON "
                     "n.oid = c.relnamespace WHERE n.nspname = 'sibyl' AND c.relname = 'ledger'"));
  if (there.count() == 0) return std::optional<Versions>();
  const Rows rows = SIBYL_TRY(connection.Run("SELECT version, reads, secret FROM sibyl.ledger"));
  if (rows.count() != 1) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("the ledger at {}: its table 'ledger' has {} rows",
                                        connection.shown(), rows.count()),
                 .hint = "use another database, or restore this one from a backup"};
  }
  return std::optional<Versions>({.version = static_cast<int>(rows.Integer(0, 0)),
                                  .reads = static_cast<int>(rows.Integer(0, 1)),
                                  .secret = rows.Text(0, 2)});
}

Status CheckVersions(const Connection& connection, const Versions& found, int ours) {
  if (found.reads <= ours) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("the ledger at {}: used by a newer sibyl (version {}, which "
                                      "this one cannot use)",
                                      connection.shown(), found.version),
               .hint = "upgrade sibyl on this machine"};
}

Status CreateLedger(Connection& connection) {
  constexpr std::size_t kSecretBytes = 32;
  const std::string secret = SIBYL_TRY(RandomHex(kSecretBytes));
  SIBYL_TRY(connection.RunAll(
      "CREATE SCHEMA IF NOT EXISTS sibyl; CREATE TABLE sibyl.ledger(version bigint NOT NULL, "
      "reads bigint NOT NULL, secret text NOT NULL)"));
  SIBYL_TRY(connection.Run("INSERT INTO sibyl.ledger(version, reads, secret) VALUES(0, 0, $1)",
                           {secret}));
  return {};
}

// In one transaction; the lock makes several new programs take turns.
Result<Versions> Migrate(Connection& connection, std::span<const Migration> migrations) {
  PostgresTransaction transaction = SIBYL_TRY(PostgresTransaction::Begin(connection));
  SIBYL_TRY(connection.Run("SELECT pg_catalog.pg_advisory_xact_lock(8388608, 1)"));
  std::optional<Versions> found = SIBYL_TRY(ReadVersions(connection));
  if (!found) {
    SIBYL_TRY(CreateLedger(connection));
    found = SIBYL_TRY(ReadVersions(connection));
  }
  SIBYL_TRY(CheckVersions(connection, *found, migrations.back().version));
  for (const Migration& migration : migrations) {
    if (migration.version <= found->version) continue;
    SIBYL_TRY(connection.RunAll(migration.sql));
    SIBYL_TRY(connection.Run("UPDATE sibyl.ledger SET version = $1, reads = $2",
                             {std::int64_t{migration.version}, std::int64_t{migration.reads}}));
    found->version = migration.version;
    found->reads = migration.reads;
  }
  SIBYL_TRY(transaction.Commit());
  return *found;
}

}  // namespace

std::span<const Migration> Migrations() { return kMigrations; }

Result<SchemaInfo> OpenSchema(Connection& connection, std::span<const Migration> migrations,
                              Access access) {
  const int ours = migrations.back().version;
  std::optional<Versions> found = SIBYL_TRY(ReadVersions(connection));
  if (found) SIBYL_TRY(CheckVersions(connection, *found, ours));
  if (!found && access == Access::kReadOnly) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("the ledger at {}: nothing has been recorded yet",
                                        connection.shown())};
  }
  const bool is_old = !found || found->version < ours;
  if (is_old && access == Access::kReadWrite) found = SIBYL_TRY(Migrate(connection, migrations));
  return SchemaInfo{.secret = found->secret, .version = found->version};
}

}  // namespace sibyl::runner
