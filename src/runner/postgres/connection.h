// SPDX-License-Identifier: Apache-2.0
// A thin wrapper around libpq that returns Results. Only this header's .cc uses
// libpq.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct pg_conn;
struct pg_result;

namespace sibyl::runner {

/// A parameter of a statement.
class Value {
 public:
  Value(std::int64_t number) : bytes_(std::to_string(number)) {}  // NOLINT: implicit
  /// Text as PostgreSQL stores it: UTF-8 without NUL; other bytes are replaced.
  Value(std::string_view text);                                      // NOLINT: implicit
  Value(const std::string& text) : Value(std::string_view(text)) {}  // NOLINT: implicit
  Value(const char* text) : Value(std::string_view(text)) {}         // NOLINT: implicit
  static Value Bytes(std::string_view bytes);
  /// '{"a","b"}', for a parameter that is an array.
  static Value Array(const std::vector<std::string>& texts);
  static Value Array(const std::vector<std::int64_t>& numbers);

  const std::string& bytes() const { return bytes_; }
  bool is_binary() const { return is_binary_; }

 private:
  Value() = default;
  std::string bytes_;
  bool is_binary_ = false;
};

class Rows {
 public:
  std::size_t count() const;
  /// Rows that an UPDATE, INSERT or DELETE touched.
  std::size_t changed() const;
  std::int64_t Integer(std::size_t row, int column) const;
  bool Bool(std::size_t row, int column) const;
  std::string Text(std::size_t row, int column) const;
  /// Of a bytea.
  std::string Bytes(std::size_t row, int column) const;

 private:
  friend class Connection;
  struct Clear {
    void operator()(pg_result* result) const;
  };
  explicit Rows(pg_result* result) : result_(result) {}
  std::unique_ptr<pg_result, Clear> result_;
};

/// Identifies a session in the server, also when its connection is lost.
struct BackendId {
  std::int64_t process = 0;
  std::string started;
};

/// One thread at a time. Must not be used across a fork.
class Connection {
 public:
  /// `application` is the name of the session in the server, at most 63 bytes; empty:
  /// what the address says.
  static Result<Connection> Open(const std::string& address, const std::string& application = {});

  /// One statement, prepared the first time; `sql` outlives the connection.
  Result<Rows> Run(std::string_view sql, const std::vector<Value>& values = {});
  /// Several statements without parameters.
  Status RunAll(const std::string& sql);

  /// After a failure: whether the connection was lost, so that it is unknown
  /// whether the statement was executed.
  bool is_lost() const { return is_lost_; }
  /// After a failure: rolled back because of another transaction; repeat it.
  bool is_conflict() const { return is_conflict_; }

  const BackendId& backend() const { return backend_; }
  /// Without user and password: "postgresql://host:5432/sibyl".
  const std::string& shown() const { return shown_; }

  /// Ends a transaction that failed; keeps what is known about the failure.
  void RollBack();

  /// Waits for notifications on the channels that this listens to. False if none
  /// came; an Error if the connection was lost.
  Result<bool> WaitForNotification(int wake_descriptor);

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };
  explicit Connection(pg_conn* connection) : connection_(connection) {}
  Status SetUp(const std::string& application);
  Result<Rows> Take(pg_result* result);
  Error Failure(std::string_view state, std::string_view said);

  std::unique_ptr<pg_conn, Finish> connection_;
  std::map<std::string_view, std::string> prepared_;  // names, by statement
  int prepared_count_ = 0;
  BackendId backend_;
  std::string shown_;
  bool is_lost_ = false;
  bool is_conflict_ = false;
};

/// Rolled back unless committed.
class PostgresTransaction {
 public:
  static Result<PostgresTransaction> Begin(Connection& connection);
  PostgresTransaction(PostgresTransaction&& other) noexcept;
  PostgresTransaction& operator=(PostgresTransaction&&) = delete;
  ~PostgresTransaction();

  Status Commit();

 private:
  explicit PostgresTransaction(Connection& connection) : connection_(&connection) {}
  Connection* connection_;  // null when it is over
};

}  // namespace sibyl::runner
