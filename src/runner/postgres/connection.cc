// SPDX-License-Identifier: Apache-2.0
#include "runner/postgres/connection.h"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::runner {
namespace {

std::string_view HintFor(std::string_view state) {
  if (state.starts_with("28")) {
    return "passwords are read from ~/.pgpass or a service file, as by psql";
  }
  if (state == "3D000") return "create the database with createdb";
  if (state == "42501")
    return "the role needs CREATE on the database once, or its own schema sibyl";
  if (state == "53100") return "the database's disk is full; free some space there";
  if (state == "53300") return "raise max_connections of the database";
  return "";
}

// What the caller may do about an SQLSTATE.
ErrorKind KindOf(std::string_view state) {
  if (state.starts_with("28") || state == "3D000" || state == "42501") return ErrorKind::kUsage;
  const bool is_form = state.starts_with("42") || state.starts_with("22");
  return is_form ? ErrorKind::kCorrupt : ErrorKind::kUnavailable;
}

// What to do if a connection was refused for good: who is refused is refused again. libpq has
// no SQLSTATE for a connection that failed.
std::optional<std::string_view> RefusalIn(std::string_view said) {
  constexpr std::string_view kTls =
      "TLS is configured as for psql: sslmode, sslrootcert, sslcert; with sslmode=require the "
      "server must offer it";
  constexpr std::string_view kPassword =
      "passwords are read from ~/.pgpass or a service file, as by psql";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kRefusals = {
      {{"definition of service",
        "services are defined in ~/.pg_service.conf, or in the file that PGSERVICEFILE names"},
       {"certificate", kTls},
       {"SSL was required", kTls},
       {"sslmode", kTls},
       {"no pg_hba.conf entry",
        "the server's pg_hba.conf does not allow this connection; check the host, role, database "
        "and sslmode of the address"},
       {"role \"", "create the role with createuser, or name another one in the address"},
       {"does not exist", "create the database with createdb, or name another one in the address"},
       {"no password supplied", kPassword},
       {"authentication", kPassword}}};
  for (const auto& [words, hint] : kRefusals) {
    if (said.find(words) != std::string_view::npos) return hint;
  }
  return std::nullopt;
}

// The first line, without the word that libpq puts before it.
std::string Said(std::string_view message) {
  std::string_view line = Trim(message.substr(0, message.find('\n')));
  for (const std::string_view word : {"ERROR:", "FATAL:", "PANIC:"}) {
    if (line.starts_with(word)) line = Trim(line.substr(word.size()));
  }
  return std::string(line);
}

std::string OrEmpty(const char* text) { return text != nullptr ? text : ""; }

}  // namespace

Value::Value(std::string_view text) : bytes_(ReplaceInvalidUtf8(text)) {
  std::replace(bytes_.begin(), bytes_.end(), '\0', '?');
}

Value Value::Bytes(std::string_view bytes) {
  Value value;
  value.bytes_ = bytes;
  value.is_binary_ = true;
  return value;
}

Value Value::Array(const std::vector<std::string>& texts) {
  Value value;
  value.bytes_ = "{";
  for (const std::string& text : texts) {
    if (value.bytes_.size() > 1) value.bytes_ += ',';
    value.bytes_ += '"';
    for (const char c : Value(text).bytes_) {
      if (c == '"' || c == '\\') value.bytes_ += '\\';
      value.bytes_ += c;
    }
    value.bytes_ += '"';
  }
  value.bytes_ += '}';
  return value;
}

Value Value::Array(const std::vector<std::int64_t>& numbers) {
  Value value;
  value.bytes_ = fmt::format("{{{}}}", fmt::join(numbers, ","));
  return value;
}

void Rows::Clear::operator()(pg_result* result) const { PQclear(result); }

std::size_t Rows::count() const { return static_cast<std::size_t>(PQntuples(result_.get())); }

std::size_t Rows::changed() const {
  return ParseNumber<std::size_t>(PQcmdTuples(result_.get())).value_or(0);
}

std::string Rows::Text(std::size_t row, int column) const {
  const int at = static_cast<int>(row);
  return {PQgetvalue(result_.get(), at, column),
          static_cast<std::size_t>(PQgetlength(result_.get(), at, column))};
}

std::int64_t Rows::Integer(std::size_t row, int column) const {
  return ParseNumber<std::int64_t>(Text(row, column)).value_or(0);
}

bool Rows::Bool(std::size_t row, int column) const { return Text(row, column) == "t"; }

std::string Rows::Bytes(std::size_t row, int column) const {
  std::size_t size = 0;
  const auto* text = reinterpret_cast<const unsigned char*>(
      PQgetvalue(result_.get(), static_cast<int>(row), column));
  unsigned char* bytes = PQunescapeBytea(text, &size);
  if (bytes == nullptr) return {};
  std::string copy(reinterpret_cast<const char*>(bytes), size);
  PQfreemem(bytes);
  return copy;
}

void Connection::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }

Result<Connection> Connection::Open(const std::string& address, const std::string& application) {
  // Before `dbname`, which is expanded and overrides them. A network that
  // swallows packets must not hold a worker for longer than a lease.
  constexpr std::array<const char*, 10> kNames = {"connect_timeout",
                                                  "keepalives_idle",
                                                  "keepalives_interval",
                                                  "keepalives_count",
                                                  "tcp_user_timeout",
                                                  "fallback_application_name",
                                                  "dbname",
                                                  "client_encoding",
                                                  nullptr,
                                                  nullptr};
  const std::array<const char*, 10> values = {
      "10", "10", "5", "3", "20000", "sibyl", address.c_str(), "UTF8", nullptr, nullptr};
  Connection connection(PQconnectdbParams(kNames.data(), values.data(), 1));
  pg_conn* raw = connection.connection_.get();
  // Warnings of the server are not for stderr.
  PQsetNoticeProcessor(
      raw, [](void*, const char*) {}, nullptr);
  if (raw == nullptr) {
    return Error{.kind = ErrorKind::kUnavailable, .message = "the ledger: out of memory"};
  }
  const std::string host = OrEmpty(PQhost(raw));
  const std::string database = OrEmpty(PQdb(raw));
  // An unknown service has neither; the address has no password (CheckAddress).
  connection.shown_ =
      host.empty() && database.empty()
          ? address
          : fmt::format("postgresql://{}:{}/{}", host, OrEmpty(PQport(raw)), database);
  if (PQstatus(raw) != CONNECTION_OK) {
    const std::string said = OrEmpty(PQerrorMessage(raw));
    const std::optional<std::string_view> refused = RefusalIn(said);
    Error error = connection.Failure("08006", said);
    error.hint = refused.value_or("check that the database runs and that this machine reaches it");
    error.kind = refused ? ErrorKind::kUsage : ErrorKind::kUnavailable;
    connection.is_lost_ = !refused;
    return error;
  }
  SIBYL_TRY(connection.SetUp(application));
  return connection;
}

// A frozen process must not keep rows locked, and no statement of ours is long. Statistics
// of a table that has just got 100,000 rows are those of a small one, with which the
// planner would collect all waiting jobs in a bitmap to find one.
Status Connection::SetUp(const std::string& application) {
  constexpr std::string_view kSettings =
      "SELECT set_config('statement_timeout', '60s', false), set_config('lock_timeout', '30s', "
      "false), set_config('idle_in_transaction_session_timeout', '15s', false), "
      "set_config('search_path', 'pg_catalog', false), set_config('client_min_messages', "
      "'warning', false), set_config('enable_bitmapscan', 'off', false), "
      "set_config('application_name', CASE WHEN $1 = '' THEN "
      "current_setting('application_name') ELSE $1 END, false), pid, backend_start::text FROM "
      "pg_catalog.pg_stat_activity WHERE pid = "
      "pg_catalog.pg_backend_pid()";
  const Rows rows = SIBYL_TRY(Run(kSettings, {application}));
  if (rows.count() != 1) return Failure("08006", "the session is not listed by the server");
  backend_ = {.process = rows.Integer(0, 7), .started = rows.Text(0, 8)};
  return {};
}

Error Connection::Failure(std::string_view state, std::string_view said) {
  is_conflict_ = state == "40001" || state == "40P01";
  // Without a state the error is libpq's own: a request that could not be written, after
  // which it still calls the connection good.
  const bool is_ended = state.empty() || state.starts_with("08") || state.starts_with("57P");
  is_lost_ = is_ended || PQstatus(connection_.get()) == CONNECTION_BAD;
  return {.kind = is_lost_ ? ErrorKind::kUnavailable : KindOf(state),
          .message = fmt::format("the ledger at {}: {}", shown_, Said(said)),
          .hint = std::string(HintFor(state))};
}

Result<Rows> Connection::Take(pg_result* result) {
  Rows rows(result);
  const ExecStatusType status = PQresultStatus(result);
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
    is_lost_ = is_conflict_ = false;
    return rows;
  }
  const std::string state = OrEmpty(PQresultErrorField(result, PG_DIAG_SQLSTATE));
  return Failure(state, OrEmpty(PQerrorMessage(connection_.get())));
}

Result<Rows> Connection::Run(std::string_view sql, const std::vector<Value>& values) {
  std::string& name = prepared_[sql];
  if (name.empty()) {
    const std::string fresh = fmt::format("s{}", ++prepared_count_);
    SIBYL_TRY(
        Take(PQprepare(connection_.get(), fresh.c_str(), std::string(sql).c_str(), 0, nullptr)));
    name = fresh;
  }
  std::vector<const char*> bytes;
  std::vector<int> sizes;
  std::vector<int> formats;
  for (const Value& value : values) {
    bytes.push_back(value.bytes().c_str());
    sizes.push_back(static_cast<int>(value.bytes().size()));
    formats.push_back(value.is_binary() ? 1 : 0);
  }
  return Take(PQexecPrepared(connection_.get(), name.c_str(), static_cast<int>(values.size()),
                             bytes.data(), sizes.data(), formats.data(), 0));
}

Status Connection::RunAll(const std::string& sql) {
  SIBYL_TRY(Take(PQexec(connection_.get(), sql.c_str())));
  return {};
}

void Connection::RollBack() {
  const Rows rows(PQexec(connection_.get(), "ROLLBACK"));
  is_lost_ = PQresultStatus(rows.result_.get()) != PGRES_COMMAND_OK;
}

Result<bool> Connection::WaitForNotification(int wake_descriptor) {
  std::array<pollfd, 2> waiting = {pollfd{PQsocket(connection_.get()), POLLIN, 0},
                                   pollfd{wake_descriptor, POLLIN, 0}};
  if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) {
    return Failure("08006", "waiting for notifications failed");
  }
  if (PQconsumeInput(connection_.get()) == 0) {
    return Failure("08006", OrEmpty(PQerrorMessage(connection_.get())));
  }
  bool any = false;
  while (PGnotify* notification = PQnotifies(connection_.get())) {
    any = true;
    PQfreemem(notification);
  }
  return any;
}

Result<PostgresTransaction> PostgresTransaction::Begin(Connection& connection) {
  SIBYL_TRY(connection.Run("BEGIN"));
  return PostgresTransaction(connection);
}

PostgresTransaction::PostgresTransaction(PostgresTransaction&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)) {}

PostgresTransaction::~PostgresTransaction() {
  if (connection_ != nullptr && !connection_->is_lost()) connection_->RollBack();
}

Status PostgresTransaction::Commit() {
  Connection& connection = *std::exchange(connection_, nullptr);
  SIBYL_TRY(connection.Run("COMMIT"));
  return {};
}

}  // namespace sibyl::runner
