// SPDX-License-Identifier: Apache-2.0
#include "expansion/ledger/open_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/files/root.h"
#include "base/hash.h"
#include "base/process/environment.h"
#include "base/process/git_command.h"
#include "base/strings.h"
#include "base/toml_table_reader.h"
#include "oracle/oracle.h"
#include "oracle/user_config.h"
#include "runner/journal.h"
#include "runner/measured_ledger.h"
#include "runner/postgres/address.h"
#include "runner/postgres/postgres_ledger.h"
#include "runner/process_id.h"

namespace sibyl::expansion {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPatience{30'000};
// A monitor asks again soon.
constexpr std::chrono::milliseconds kMonitorPatience{1'000};

constexpr std::string_view kTable = "ledger";
constexpr std::string_view kUrlKey = "url";

Result<std::string> AddressInConfig(const oracle::Context& context) {
  const oracle::UserConfigText config = SIBYL_TRY(oracle::ReadUserConfig(context));
  const toml::table root = SIBYL_TRY(ParseToml(config.text, config.shown));
  const TomlTableReader reader(config.shown, fmt::format("[{}]", kTable));
  const toml::table* table = SIBYL_TRY(reader.Find(root, kTable));
  if (table == nullptr) return std::string();
  for (const auto& [key, node] : *table) {
    if (key.str() == kUrlKey) return reader.Text(kUrlKey, node);
    return reader.Complain(node, fmt::format("unknown key '{}'", key.str()),
                           "known: url, a connection string of PostgreSQL");
  }
  return std::string();
}

// The first commits of a repository are the same in every clone.
Result<std::string> RootCommits(const GitRepository& repository) {
  const Root git_dir = SIBYL_TRY(Root::Open(repository.git_dir));
  if (git_dir.Exists("shallow")) {
    return Error{.kind = ErrorKind::kUsage,
                 .message =
                     "the oracle is in a shallow clone, which a shared ledger cannot tell "
                     "from other oracles",
                 .hint = "run: git fetch --unshallow"};
  }
  const Outcome listed = SIBYL_TRY(RunProgram(
      GitCommand(repository, repository.work_tree, {"rev-list", "--max-parents=0", "HEAD"})));
  if (!listed.succeeded()) return std::string();  // no commit yet
  std::vector<std::string_view> commits = SplitLines(listed.output);
  std::sort(commits.begin(), commits.end());
  std::string text;
  for (const std::string_view commit : commits) text += fmt::format("{}\n", commit);
  return text;
}

// Which oracle it is, on every machine: the history of its repository and its
// folder there. One without a history is known by its machine and path.
Result<std::string> OracleKey(const fs::path& oracle) {
  const std::optional<GitRepository> repository = SIBYL_TRY(FindGitRepository(oracle));
  if (repository) {
    const std::string commits = SIBYL_TRY(RootCommits(*repository));
    const std::string folder = fs::relative(oracle, repository->work_tree).generic_string();
    if (!commits.empty()) return Sha256(fmt::format("history {}{}", commits, folder));
  }
  return Sha256(fmt::format("path {} {}", runner::ThisProcess().host, oracle.string()));
}

Result<runner::PostgresOptions> OptionsFor(const std::string& address, const fs::path& oracle) {
  std::string key = SIBYL_TRY(OracleKey(oracle));
  return runner::PostgresOptions{.address = address, .oracle = std::move(key)};
}

// Of an oracle in PostgreSQL, for reading; nothing without an address.
Result<std::unique_ptr<runner::PostgresLedger>> OpenForReading(const oracle::Context& context,
                                                               std::chrono::milliseconds patience) {
  const std::string address = SIBYL_TRY(LedgerAddress(context));
  if (address.empty()) return std::unique_ptr<runner::PostgresLedger>();
  // As in OwnFolder, whose path is canonical.
  std::error_code error;
  const fs::path oracle = SIBYL_TRY(oracle::RequireOracle(context));
  const fs::path canonical = fs::canonical(oracle, error);
  runner::PostgresOptions options = SIBYL_TRY(OptionsFor(address, error ? oracle : canonical));
  options.access = runner::Access::kReadOnly;
  options.patience = patience;
  return runner::PostgresLedger::Open(options, context.clock);
}

Result<OwnFolder> RequireOwnFolder(const oracle::Context& context) {
  std::optional<OwnFolder> own = SIBYL_TRY(oracle::FindOwnFolder(context));
  if (own) return *std::move(own);
  return Error{.kind = ErrorKind::kNotFound, .message = "nothing has been run here yet"};
}

}  // namespace

Result<std::string> LedgerAddress(const oracle::Context& context) {
  if (const auto address = EnvironmentVariable("SIBYL_LEDGER")) return *address;
  return AddressInConfig(context);
}

Result<std::unique_ptr<runner::Ledger>> OpenLedger(const oracle::Context& context,
                                                   const OwnFolder& own, std::string_view role) {
  const std::string address = SIBYL_TRY(LedgerAddress(context));
  std::unique_ptr<runner::Ledger> ledger;
  if (address.empty()) {
    ledger =
        std::make_unique<runner::Journal>(SIBYL_TRY(runner::Journal::Open(own, context.clock)));
  } else {
    runner::PostgresOptions options = SIBYL_TRY(OptionsFor(address, own.oracle().path()));
    options.role = role;
    ledger = SIBYL_TRY(runner::PostgresLedger::Open(options, context.clock));
  }
  return std::unique_ptr<runner::Ledger>(
      std::make_unique<runner::MeasuredLedger>(std::move(ledger)));
}

Result<runner::Snapshot> ReadSnapshot(const oracle::Context& context) {
  const auto ledger = SIBYL_TRY(OpenForReading(context, kPatience));
  if (ledger) return ledger->ReadAll();
  return runner::ReadSnapshot(SIBYL_TRY(RequireOwnFolder(context)));
}

Result<std::optional<runner::OpenRun>> ReadOpenRun(const oracle::Context& context,
                                                   std::string_view name) {
  const auto ledger = SIBYL_TRY(OpenForReading(context, kPatience));
  if (!ledger) return runner::ReadOpenRun(SIBYL_TRY(RequireOwnFolder(context)), name);
  const std::optional<std::int64_t> run = SIBYL_TRY(ledger->FindOpen(name));
  if (!run) return std::optional<runner::OpenRun>();
  runner::OpenRun open{.id = *run, .jobs = {}};
  open.jobs = SIBYL_TRY(ledger->Jobs(*run));
  return std::optional<runner::OpenRun>(std::move(open));
}

Result<runner::LedgerCounts> ReadCounts(const oracle::Context& context) {
  const auto ledger = SIBYL_TRY(OpenForReading(context, kMonitorPatience));
  if (ledger) return ledger->Counts();
  const auto folder = SIBYL_TRY(RequireOwnFolder(context));
  return runner::CountsOf(SIBYL_TRY(runner::ReadSnapshot(folder)));
}

bool IsLedgerAddress(std::string_view text) { return runner::IsAddress(text); }

Result<runner::Snapshot> ReadLedger(const std::string& address, const Clock& clock) {
  const auto ledger = SIBYL_TRY(runner::PostgresLedger::Open(
      {.address = address, .oracle = {}, .access = runner::Access::kReadOnly}, clock));
  return ledger->ReadAll();
}

}  // namespace sibyl::expansion
