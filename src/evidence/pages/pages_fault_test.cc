// SPDX-License-Identifier: Apache-2.0
// Pages when things go wrong: a disk that is full, a process that is killed, several
// at once. Whatever happened, the next call completes and the lock was never half.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "evidence/evidence.h"
#include "evidence/pages/pages.h"
#include "evidence/pages/test_web.h"
#include "evidence/test_oracle.h"

namespace sibyl::evidence {
namespace {

class FaultyPages : public ::testing::Test {
 protected:
  static constexpr int kPages = 6;

  FaultyPages() {
    for (int i = 0; i < kPages; ++i) {
      web_.Put(Url(i), TestWeb::Page("Page " + std::to_string(i),
                                     "Some words about a thing that is measured here, number " +
                                         std::to_string(i) + " of them."));
    }
  }

  static std::string Url(int number) { return "https://x.org/" + std::to_string(number); }

  static std::vector<std::string> Urls(int first, int end) {
    std::vector<std::string> urls;
    for (int i = first; i < end; ++i) urls.push_back(Url(i));
    return urls;
  }

  Surroundings around(const TestOracle& oracle) {
    Surroundings around = oracle.around();
    around.fetch_page = web_.Fetcher();
    return around;
  }

  // All pages can be added, and read, and a lock that was there could be read.
  void ExpectCompletes(const TestOracle& oracle, const std::string& what) {
    const Surroundings surroundings = around(oracle);
    ASSERT_TRUE(ReadLock(surroundings).ok()) << what;
    const Result<PagesChange> added = AddPages(Urls(0, kPages), {}, surroundings);
    ASSERT_TRUE(added.ok()) << what << ": " << added.error().message;
    EXPECT_EQ(added->pin.pages.size(), static_cast<std::size_t>(kPages)) << what;
    const Result<Snapshot> snapshot = OpenSnapshot(added->pin, oracle.around());
    ASSERT_TRUE(snapshot.ok()) << what;
    const ScanReport report = snapshot->Scan({.threads = 1}, [](const ScannedFile&) {});
    EXPECT_EQ(report.counts[0], static_cast<std::size_t>(kPages)) << what;
  }

  TestWeb web_;
};

TEST_F(FaultyPages, CompleteAfterADiskThatWasFullAtAnySize) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const unsigned limit : {0U, 60U, 300U, 700U, 900U, 1200U, 1500U, 2000U, 4000U}) {
    const TestOracle oracle;
    const rlimit small{.rlim_cur = limit, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const Result<PagesChange> added = AddPages(Urls(0, kPages), {}, around(oracle));
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    if (limit < 300) {
      EXPECT_FALSE(added.ok());
    }
    ExpectCompletes(oracle, "limit " + std::to_string(limit));
  }
  std::signal(SIGXFSZ, old_handler);
}

TEST_F(FaultyPages, CompleteAfterAKillAtAnyMoment) {
  for (int wait_ms = 0; wait_ms < 40; wait_ms += 4) {
    const TestOracle oracle;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int i = 0; i < kPages; ++i) (void)AddPages({Url(i)}, {.threads = 1}, around(oracle));
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ExpectCompletes(oracle, "killed after " + std::to_string(wait_ms) + " ms");
  }
}

TEST_F(FaultyPages, OfSeveralProcessesAreAllPinned) {
  const TestOracle oracle;
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const Result<PagesChange> added = AddPages(Urls(i, i + 3), {}, around(oracle));
      ::_exit(added.ok() ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(ReadLock(around(oracle))->Find("web")->pages.size(), 5u);
}

TEST_F(FaultyPages, ThatAreCancelledPinNothing) {
  const TestOracle oracle;
  Surroundings surroundings = around(oracle);
  int asked = 0;
  surroundings.cancelled = [&asked] { return ++asked > 3; };
  const Result<PagesChange> added = AddPages(Urls(0, kPages), {.threads = 1}, surroundings);
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().kind, ErrorKind::kCancelled);
  EXPECT_TRUE(ReadLock(surroundings)->pins.empty());
  ExpectCompletes(oracle, "cancelled");
}

}  // namespace
}  // namespace sibyl::evidence
