// SPDX-License-Identifier: Apache-2.0
#include "runner/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace sibyl::runner {
namespace {

namespace fs = std::filesystem;

// Longer than any transaction of ours, even on a disk that is busy.
constexpr int kPatienceMs = 20'000;

ErrorKind KindOf(int code) {
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_SCHEMA:
    case SQLITE_MISMATCH:
    case SQLITE_ERROR:  // a table or column that is not there
      return ErrorKind::kCorrupt;
    case SQLITE_TOOBIG:
      return ErrorKind::kUsage;
    default:
      return ErrorKind::kUnavailable;
  }
}

std::string_view HintFor(int code) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process is writing; run it again when that process is done";
    case SQLITE_FULL:
      return "free some space and run it again; what was done is kept";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return "check the permissions of the folder, and whether the disk is mounted read-only";
    default:
      return "";
  }
}

Error Failure(sqlite3* connection, int code) {
  std::string said = connection != nullptr ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  const int system = connection != nullptr ? sqlite3_system_errno(connection) : 0;
  const int kind = code & 0xff;
  if ((kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN) && system != 0) {
    said += fmt::format(" ({})", std::generic_category().message(system));
  }
  return Error{.kind = KindOf(code),
               .message = fmt::format("the journal: {}", said),
               .hint = std::string(HintFor(code))};
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement& Statement::Bind(std::int64_t value) {
  const int code = sqlite3_bind_int64(statement_.get(), ++bound_, value);
  if (code != SQLITE_OK) failure_ = code;
  return *this;
}

// As a blob would be exact, but text compares with text; SQLite keeps the bytes
// of either.
Statement& Statement::Bind(std::string_view text) {
  const char* bytes = text.data() != nullptr ? text.data() : "";
  const int code = sqlite3_bind_text64(statement_.get(), ++bound_, bytes, text.size(),
                                       SQLITE_TRANSIENT, SQLITE_UTF8);  // NOLINT: its own cast
  if (code != SQLITE_OK) failure_ = code;
  return *this;
}

Result<bool> Statement::Step() {
  sqlite3* connection = sqlite3_db_handle(statement_.get());
  if (failure_ != 0) return Failure(nullptr, failure_);
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return Failure(connection, sqlite3_extended_errcode(connection));
}

Status Statement::Run() {
  while (SIBYL_TRY(Step())) {
  }
  return {};
}

std::int64_t Statement::Integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string Statement::Text(int column) const {
  // In this order: asking for the text may convert and so change the length.
  const unsigned char* text = sqlite3_column_text(statement_.get(), column);
  const int bytes = sqlite3_column_bytes(statement_.get(), column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(bytes)};
}

void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Result<Database> Database::Open(const fs::path& path, Access access) {
  const int flags = access == Access::kReadOnly ? SQLITE_OPEN_READONLY
                                                : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  // NOFOLLOW is about every name of the path; links to the folder are the user's.
  std::error_code error;
  const fs::path folder = fs::canonical(path.parent_path(), error);
  const fs::path file = error ? path : folder / path.filename();
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(
      file.c_str(), &connection,
      flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW, nullptr);
  Database database(connection);
  if (code != SQLITE_OK) {
    return While(fmt::format("opening {}", path.string()), Failure(connection, code));
  }
  sqlite3_busy_timeout(connection, kPatienceMs);
  // The file is untrusted: nothing in its schema may execute, row size is
  // limited, and it cannot attach other files.
  constexpr int kLongestRow = 256 << 20;
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kLongestRow);
  sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  return database;
}

Status Database::Execute(const std::string& sql) {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return Failure(connection_.get(), code);
  return {};
}

Result<Statement> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK) return Failure(connection_.get(), code);
  return Statement(statement);
}

Result<std::int64_t> Database::Number(std::string_view sql) {
  Statement statement = SIBYL_TRY(Prepare(sql));
  if (!SIBYL_TRY(statement.Step())) return std::int64_t{0};
  return statement.Integer(0);
}

std::size_t Database::changes() const {
  return static_cast<std::size_t>(sqlite3_changes64(connection_.get()));
}

std::int64_t Database::last_insert_id() const {
  return sqlite3_last_insert_rowid(connection_.get());
}

Result<Transaction> Transaction::Begin(Database& database) {
  SIBYL_TRY(database.Execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  if (database_ == nullptr) return;
  // Fails only where there is nothing to roll back: SQLite did so itself.
  const Status ignored = database_->Execute("ROLLBACK");
  static_cast<void>(ignored.ok());
}

Status Transaction::Commit() {
  SIBYL_TRY(database_->Execute("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace sibyl::runner
