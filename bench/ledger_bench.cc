// SPDX-License-Identifier: Apache-2.0
// How fast workers claim and finish stub jobs in a ledger in PostgreSQL, and how
// much memory they need:
//
//   ledger_bench [JOBS] [WORKERS]
//
// The server is Debian's, in a temporary folder; with SIBYL_LEDGER, the one that
// it names. Prints a table; a number from a busy machine proves little.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <vector>

#include "base/clock.h"
#include "base/files/temporary_folder.h"
#include "base/process/environment.h"
#include "runner/job_queue.h"
#include "runner/postgres/postgres_ledger.h"
#include "runner/serve_runs.h"
#include "tests/ledger/postgres_server.h"

namespace sibyl::runner {
namespace {

using Seconds = std::chrono::duration<double>;

const FixedClock kClock{Time(std::chrono::seconds(1'800'000'000))};

template <typename T>
T Must(Result<T> result) {
  if (result.ok()) return std::move(result).value();
  fmt::print(stderr, "{}\n", result.error().message);
  std::_Exit(1);
}

double Now() { return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double ResidentMegabytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages >> pages;
  return static_cast<double>(pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) / 1e6;
}

RunSpec StubSpec(int jobs) {
  RunSpec spec{.name = "plan", .fingerprint = std::to_string(Now())};
  for (int i = 0; i < jobs; ++i) {
    spec.jobs.push_back({.name = fmt::format("pages/{:06}.md", i), .fingerprint = "f"});
  }
  spec.last = LastJob{.name = "publish"};
  return spec;
}

// Runs `body` in that many processes and waits for all.
void InProcesses(int count, const std::function<void(int)>& body) {
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    body(i);
    std::_Exit(0);
  }
  for (const pid_t child : children) ::waitpid(child, nullptr, 0);
}

double Percentile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  if (values.empty()) return 0;
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

std::vector<double> ReadNumbers(const std::filesystem::path& folder, std::string_view prefix) {
  std::vector<double> numbers;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    std::ifstream file(entry.path());
    for (double number = 0; file >> number;) numbers.push_back(number);
  }
  return numbers;
}

// Claim and finish, nothing else.
void Cycles(const std::string& address, int jobs, int workers) {
  const auto ledger = Must(PostgresLedger::Open({.address = address, .oracle = "o"}, kClock));
  const JobQueue queue = Must(JobQueue::Begin(*ledger, StubSpec(jobs), Existing::kRestart));
  const TemporaryFolder folder;
  const std::string payload(1'000, 'x');
  const double began = Now();
  InProcesses(workers, [&](int worker) {
    const auto own = Must(PostgresLedger::Open({.address = address, .oracle = "o"}, kClock));
    JobQueue mine = JobQueue::Of(*own, queue.run());
    std::ofstream claims(folder.path() / fmt::format("claim{}", worker));
    while (true) {
      const double before = Now();
      const auto lease = Must(mine.Claim(Claiming::kNotLast, std::chrono::seconds(30)));
      if (!lease) return;
      claims << (Now() - before) * 1e3 << '\n';
      Must(mine.Complete(*lease, payload));
    }
  });
  const double took = Now() - began;
  std::vector<double> claims = ReadNumbers(folder.path(), "claim");
  fmt::print("claim and finish: {} cycles by {} workers in {:.1f} s: {:.0f} a second\n",
             claims.size(), workers, took, static_cast<double>(claims.size()) / took);
  fmt::print("claim latency: p50 {:.2f} ms, p99 {:.2f} ms, longest {:.1f} ms\n",
             Percentile(claims, 0.5), Percentile(claims, 0.99), Percentile(claims, 1));
}

class StubSource : public JobSource {
 public:
  explicit StubSource(std::string payload) : payload_(std::move(payload)) {}
  bool Wants(const RunInfo& /*run*/) override { return true; }
  Result<Work> WorkOf(const RunInfo& /*run*/, const Lease& /*job*/) override {
    if (++taken_ == kEarly) early_megabytes = ResidentMegabytes();
    return Work([this](JobContext&) -> Result<std::string> { return payload_; });
  }
  double early_megabytes = 0;

 private:
  static constexpr int kEarly = 200;
  std::string payload_;
  int taken_ = 0;
};

// Plan, work through and report a long run, with whole workers.
void LongRun(const std::string& address, int jobs, int workers) {
  double began = Now();
  const auto ledger = Must(PostgresLedger::Open({.address = address, .oracle = "o"}, kClock));
  JobQueue queue = Must(JobQueue::Begin(*ledger, StubSpec(jobs), Existing::kRestart));
  fmt::print("{} parts planned in {:.1f} s\n", jobs, Now() - began);
  const TemporaryFolder folder;
  began = Now();
  InProcesses(workers, [&](int worker) {
    const auto own = Must(PostgresLedger::Open({.address = address, .oracle = "o"}, kClock));
    StubSource source(std::string(1'000, 'x'));
    const ServeReport report = Must(ServeRuns(*own, source, {.until_idle = true}));
    std::ofstream(folder.path() / fmt::format("early{}", worker)) << source.early_megabytes;
    std::ofstream(folder.path() / fmt::format("late{}", worker)) << ResidentMegabytes();
    std::ofstream(folder.path() / fmt::format("done{}", worker)) << report.done;
  });
  const double took = Now() - began;
  std::vector<double> early = ReadNumbers(folder.path(), "early");
  std::vector<double> late = ReadNumbers(folder.path(), "late");
  std::vector<double> done = ReadNumbers(folder.path(), "done");
  fmt::print("worked through by {} workers in {:.1f} s: {:.0f} a second; each {:.0f} to {:.0f}\n",
             workers, took, jobs / took, Percentile(done, 0), Percentile(done, 1));
  fmt::print("memory of a worker: {:.1f} MB after 200 parts, {:.1f} MB at the end\n",
             Percentile(early, 1), Percentile(late, 1));
  began = Now();
  const std::vector<JobRow> rows = Must(queue.Jobs());
  const auto finished = std::count_if(
      rows.begin(), rows.end(), [](const JobRow& row) { return row.state == JobState::kDone; });
  const auto last = Must(queue.Claim(Claiming::kOnlyLast, std::chrono::seconds(30)));
  Must(queue.Complete(*last, "published"));
  fmt::print("reported: {} done, run ended, in {:.1f} s; {:.0f} MB in the reporter\n", finished,
             Now() - began, ResidentMegabytes());
}

}  // namespace
}  // namespace sibyl::runner

int main(int count, char** words) {
  using namespace sibyl::runner;  // NOLINT(google-build-using-namespace)
  const int jobs = count > 1 ? std::atoi(words[1]) : 20'000;  // NOLINT(cert-err34-c)
  const int workers = count > 2 ? std::atoi(words[2]) : 16;   // NOLINT(cert-err34-c)
  std::string address = sibyl::EnvironmentVariable("SIBYL_LEDGER").value_or("");
  if (address.empty()) {
    const auto server = PostgresServer::Shared();
    if (!server.ok()) {
      fmt::print(stderr, "{}\n", server.error().message);
      return 1;
    }
    address = (*server)->NewDatabase();
  }
  double load = 0;
  ::getloadavg(&load, 1);
  fmt::print("load of the machine before: {:.1f}\n", load);
  std::fflush(stdout);
  Cycles(address, jobs, workers);
  std::fflush(stdout);
  LongRun(address, jobs, workers);
}
