// SPDX-License-Identifier: Apache-2.0
// A thin wrapper around SQLite that returns Results. Only this header's .cc and
// the test disk use SQLite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace sibyl::runner {

class Statement {
 public:
  /// Binds the next parameter. Step reports a failure.
  Statement& Bind(std::int64_t value);
  Statement& Bind(std::string_view text);

  /// True: there is a row. False: that was all.
  Result<bool> Step();
  /// To the end; for statements that return no rows.
  Status Run();

  /// Columns of the current row, from zero. A column of another type is
  /// converted as SQLite does; NULL is 0 or empty.
  std::int64_t Integer(int column) const;
  std::string Text(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
  int failure_ = 0;
};

enum class Access : std::uint8_t { kReadWrite, kReadOnly };

/// One thread at a time. Must not be used across a fork.
class Database {
 public:
  /// kReadWrite creates a missing file. Nothing is read yet: the first
  /// statement fails on a file that is not a database.
  static Result<Database> Open(const std::filesystem::path& path, Access access);

  /// One or more statements without parameters, their rows dropped.
  Status Execute(const std::string& sql);
  Result<Statement> Prepare(std::string_view sql);
  /// One statement that returns no rows, with its parameters.
  template <typename... Values>
  Status Change(std::string_view sql, const Values&... values) {
    Statement statement = SIBYL_TRY(Prepare(sql));
    (statement.Bind(values), ...);
    return statement.Run();
  }
  /// A statement that returns one number.
  Result<std::int64_t> Number(std::string_view sql);

  /// Rows that the last INSERT, UPDATE or DELETE touched.
  std::size_t changes() const;
  std::int64_t last_insert_id() const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  explicit Database(sqlite3* connection) : connection_(connection) {}

  std::unique_ptr<sqlite3, Close> connection_;
};

/// Takes the write lock at once, so that what is read inside is still valid
/// when it is written. Rolled back unless committed.
class Transaction {
 public:
  static Result<Transaction> Begin(Database& database);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  /// Durable when this returns ok.
  Status Commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}

  Database* database_;  // null when it is over
};

}  // namespace sibyl::runner
