// SPDX-License-Identifier: Apache-2.0
// Any bytes as a journal, and any rows in a signed one: accepted or rejected, by a
// reader and by a run; a run that starts runs every job at most once. Input that is
// not a database is used as rows: fields divided by
// tabs, the first line a run, the others its jobs.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/files/files.h"
#include "base/files/own_folder.h"
#include "base/files/temporary_folder.h"
#include "base/strings.h"
#include "runner/journal.h"
#include "runner/runner.h"
#include "runner/snapshot.h"

namespace {

namespace fs = std::filesystem;
using namespace sibyl::runner;  // NOLINT: a fuzz target is one file

constexpr std::size_t kRunColumns = 8;
constexpr std::size_t kJobColumns = 17;

void Require(bool holds) {
  if (!holds) std::abort();
}

const sibyl::FixedClock kClock(sibyl::Time(std::chrono::seconds(1'800'000'000)));

std::vector<std::string> FieldsOf(std::string_view line, std::size_t count) {
  std::vector<std::string> fields;
  while (fields.size() < count) {
    const std::size_t end = std::min(line.find('\t'), line.size());
    fields.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return fields;
}

void Insert(Database& database, std::string_view table, std::size_t count, std::string_view line) {
  std::string sql = "INSERT INTO " + std::string(table) + " VALUES(?";
  for (std::size_t i = 1; i < count; ++i) sql += ",?";
  auto statement = database.Prepare(sql + ")");
  if (!statement.ok()) return;
  for (const std::string& field : FieldsOf(line, count)) statement->Bind(std::string_view(field));
  static_cast<void>(statement->Run().ok());  // a row that is there already
}

void AddRows(const sibyl::OwnFolder& own, std::string_view text) {
  auto journal = Journal::Open(own, kClock);
  Require(journal.ok());
  bool is_first = true;
  for (const std::string_view line : sibyl::SplitLines(text)) {
    Insert(journal->database(), is_first ? "run" : "job", is_first ? kRunColumns : kJobColumns,
           line);
    is_first = false;
  }
}

// A stranger's database under our signature, as far as it can be one.
void Sign(const sibyl::OwnFolder& own, const fs::path& path) {
  auto database = Database::Open(path, Access::kReadWrite);
  if (!database.ok()) return;
  static_cast<void>(
      database->Execute("CREATE TABLE origin(id TEXT NOT NULL, signature TEXT NOT NULL)").ok());
  static_cast<void>(database->Execute("DELETE FROM origin; PRAGMA user_version=2").ok());
  static_cast<void>(database
                        ->Change("INSERT INTO origin VALUES('fuzz', ?)",
                                 std::string_view(own.Sign("journal", "fuzz")))
                        .ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const sibyl::TemporaryFolder folder;
  static const sibyl::TemporaryFolder home;
  static const sibyl::UserState state = *sibyl::UserState::Open(home.path());
  const auto own = sibyl::OwnFolder::Open(folder.path(), state);
  Require(own.ok());
  const fs::path path = folder.path() / ".sibyl" / "journal.db";
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with("SQLite format 3") || bytes.empty()) {
    Require(sibyl::WriteFileAtomically(path, bytes).ok());
    Require(!ReadSnapshot(*own).ok() || bytes.empty());
    Sign(*own, path);
  } else {
    AddRows(*own, bytes);
  }
  if (const auto snapshot = ReadSnapshot(path); snapshot.ok()) FormatSnapshot(*snapshot);
  static_cast<void>(ReadOpenRun(*own, "plan").ok());

  auto journal = Journal::Open(*own, kClock);
  if (!journal.ok()) return 0;
  int runs = 0;
  const RunSpec spec{.name = "plan",
                     .fingerprint = "1",
                     .jobs = {{.name = "a",
                               .fingerprint = "f",
                               .work = [&runs](JobContext&) -> sibyl::Result<std::string> {
                                 ++runs;
                                 return std::string("a");
                               }}}};
  // Bytes may say that a foreign process is at work; it is not waited for long.
  const auto report = RunJobs(
      *journal, spec, {.max_time = std::chrono::milliseconds(50), .lease = std::chrono::hours(1)});
  if (report.ok()) Require(report->jobs.size() == 1 && runs <= 1);
  return 0;
}
