// SPDX-License-Identifier: Apache-2.0
#include "ranking_fts5.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "passages/line_table.h"
#include "ranking_measures.h"

namespace sibyl::bench {
namespace {

constexpr std::size_t kWindowLines = 40;

Error Failed(std::string_view doing, sqlite3* database) {
  return {.kind = ErrorKind::kUnavailable,
          .message = fmt::format("fts5: {}: {}", doing, sqlite3_errmsg(database))};
}

Status Run(sqlite3* database, const std::string& sql) {
  if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return Failed(sql.substr(0, 40), database);
}

/// A prepared statement, finalised when it goes.
class Statement {
 public:
  static Result<Statement> Prepare(sqlite3* database, const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
      return Failed(sql.substr(0, 40), database);
    }
    return Statement(statement);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(Statement&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
  Statement& operator=(Statement&&) = delete;

  void Bind(int at, std::string_view text) {
    sqlite3_bind_text(statement_, at, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  void Bind(int at, std::int64_t number) { sqlite3_bind_int64(statement_, at, number); }
  int Step() { return sqlite3_step(statement_); }
  void Reset() { sqlite3_reset(statement_); }
  std::string_view Text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    const int size = sqlite3_column_bytes(statement_, column);
    return bytes == nullptr ? std::string_view()
                            : std::string_view(bytes, static_cast<std::size_t>(size));
  }
  std::int64_t Number(int column) const { return sqlite3_column_int64(statement_, column); }

 private:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
  sqlite3_stmt* statement_;
};

// The words as FTS5 strings joined by OR.
std::string MatchOf(const std::string& text) {
  std::string match;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    word.erase(std::remove(word.begin(), word.end(), '"'), word.end());
    const bool has_token = std::any_of(word.begin(), word.end(), [](unsigned char c) {
      return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
             (c >= 'A' && c <= 'Z');
    });
    if (!has_token) continue;
    if (!match.empty()) match += " OR ";
    match += '"' + word + '"';
  }
  return match;
}

std::string CorpusOf(sqlite3* database) {
  Result<Statement> statement = Statement::Prepare(database, "SELECT name FROM corpus");
  if (!statement.ok() || statement->Step() != SQLITE_ROW) return {};
  return std::string(statement->Text(0));
}

}  // namespace

PlainBm25::~PlainBm25() { sqlite3_close(database_); }
PlainBm25::PlainBm25(PlainBm25&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)), is_complete_(other.is_complete_) {}

Result<PlainBm25> PlainBm25::Open(const std::filesystem::path& file, std::string_view corpus) {
  sqlite3* database = nullptr;
  const int code = sqlite3_open(file.c_str(), &database);
  PlainBm25 ranker(database);
  if (code != SQLITE_OK) return Failed("opening " + file.string(), database);
  if (CorpusOf(database) == corpus) {
    ranker.is_complete_ = true;
    return ranker;
  }
  SIBYL_TRY(Run(database,
                "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-200000;"
                "DROP TABLE IF EXISTS corpus; DROP TABLE IF EXISTS places;"
                "DROP TABLE IF EXISTS windows;"
                "CREATE TABLE corpus(name TEXT);"
                "CREATE TABLE places(source TEXT, blob TEXT, path TEXT, first INT, last INT);"
                "CREATE VIRTUAL TABLE windows USING fts5(text, content='');"
                "BEGIN"));
  return ranker;
}

Status PlainBm25::Add(std::string_view source, const evidence::Snapshot& snapshot) {
  Statement place =
      SIBYL_TRY(Statement::Prepare(database_, "INSERT INTO places VALUES(?, ?, ?, ?, ?)"));
  Statement window =
      SIBYL_TRY(Statement::Prepare(database_, "INSERT INTO windows(rowid, text) VALUES(?, ?)"));
  bool is_stored = true;
  // One thread: SQLite has one writer, and rows come in the same order always.
  snapshot.Scan({.threads = 1}, [&](const evidence::ScannedFile& file) {
    const passages::LineTable lines(file.text);
    for (std::size_t first = 0; first < lines.count(); first += kWindowLines) {
      const std::size_t last = std::min(first + kWindowLines, lines.count()) - 1;
      place.Bind(1, source);
      place.Bind(2, file.blob.Hex());
      place.Bind(3, file.path);
      place.Bind(4, static_cast<std::int64_t>(first) + 1);
      place.Bind(5, static_cast<std::int64_t>(last) + 1);
      is_stored = is_stored && place.Step() == SQLITE_DONE;
      place.Reset();
      window.Bind(1, sqlite3_last_insert_rowid(database_));
      window.Bind(2, file.text.substr(lines.begin(first), lines.end(last) - lines.begin(first)));
      is_stored = is_stored && window.Step() == SQLITE_DONE;
      window.Reset();
    }
  });
  if (!is_stored) return Failed("adding windows", database_);
  return {};
}

Status PlainBm25::Finish(std::string_view corpus) {
  {
    Statement name = SIBYL_TRY(Statement::Prepare(database_, "INSERT INTO corpus VALUES(?)"));
    name.Bind(1, corpus);
    if (name.Step() != SQLITE_DONE) return Failed("naming the corpus", database_);
  }
  SIBYL_TRY(Run(database_, "COMMIT"));
  is_complete_ = true;
  return {};
}

Result<std::vector<SourceLines>> PlainBm25::Search(const std::string& text) const {
  std::vector<SourceLines> hits;
  const std::string match = MatchOf(text);
  if (match.empty()) return hits;
  Statement search = SIBYL_TRY(Statement::Prepare(
      database_, fmt::format("SELECT source, blob, path, first, last FROM windows"
                             " JOIN places ON places.rowid = windows.rowid"
                             " WHERE windows MATCH ? ORDER BY windows.rank LIMIT {}",
                             kJudgedHits)));
  search.Bind(1, match);
  while (search.Step() == SQLITE_ROW) {
    const std::optional<git::ObjectId> blob = git::ObjectId::FromHex(search.Text(1));
    if (!blob) continue;
    hits.push_back({.source = std::string(search.Text(0)),
                    .blob = *blob,
                    .path = std::string(search.Text(2)),
                    .first_line = static_cast<std::uint32_t>(search.Number(3)),
                    .last_line = static_cast<std::uint32_t>(search.Number(4))});
  }
  return hits;
}

}  // namespace sibyl::bench
