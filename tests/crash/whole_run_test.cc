// SPDX-License-Identifier: Apache-2.0
// Issue 5: a whole run, from the open plan to the commit, killed at every write
// of its journal and at every change of the oracle, and run again: files,
// history and git's view are those of a run that nobody disturbed.
#include <gtest/gtest.h>

#include "library/library.h"
#include "library/test_oracle.h"
#include "runner/runner.h"
#include "runner/test_disk.h"

namespace sibyl {
namespace {

using library::FaultyDisk;
using library::TestOracle;
using runner::TestDisk;

// What a run does around its jobs, with writers that know their text.
class Expansion {
 public:
  Expansion(const TestOracle& oracle, library::Disk* disk)
      : oracle_(oracle), options_(oracle.options(disk)) {}

  std::function<void()> during = [] {};  ///< Called by the first job.

  Status Go() {
    runner::Journal journal = SIBYL_TRY(runner::Journal::Open(
        oracle_.path() / ".sibyl" / runner::kJournalFile, library::kTestClock));
    const std::string name(library::kTestPlanPath);
    if (const auto pending = SIBYL_TRY(library::FinishPending(options_))) {
      SIBYL_TRY(journal.FinishRun(name, library::FormatPublished(*pending)));
      return library::Forget(options_);
    }
    const Result<std::string> text = ReadFile(oracle_.path() / name);
    if (!text.ok()) return {};  // done and moved: nothing to expand
    runner::RunSpec spec = Spec(*text);
    const runner::RunReport report = SIBYL_TRY(runner::RunJobs(journal, spec, {.jobs = 2}));
    if (report.ending != runner::Ending::kFinished) {
      return Error{.kind = ErrorKind::kUnavailable, .message = report.last->reason};
    }
    return library::Forget(options_);
  }

 private:
  runner::RunSpec Spec(const std::string& text) {
    const library::Deliveries all = library::TestDeliveries(library::Part3::kDelivered);
    runner::RunSpec spec{.name = all.plan, .fingerprint = text, .jobs = {}, .last = {}};
    for (const library::Delivery& part : all.delivered) {
      spec.jobs.push_back({.name = part.draft.path,
                           .fingerprint = "f",
                           .work = [this, text = part.draft.text, number = part.part](
                                       runner::JobContext& context) -> Result<std::string> {
                             if (number == 0) during();
                             if (number == 1 && context.attempt() == 1) {
                               return Error{.message = "too little was found"};
                             }
                             return text;
                           }});
    }
    spec.last = runner::LastJob{
        .name = "publish",
        .work = [this, all, text](
                    runner::JobContext&,
                    const std::vector<runner::JobOutcome>& outcomes) -> Result<std::string> {
          library::Deliveries deliveries = all;
          deliveries.plan_text = text;
          for (std::size_t i = 0; i < outcomes.size(); ++i) {
            deliveries.delivered[i].draft.text = outcomes[i].payload;
          }
          const library::Published published =
              SIBYL_TRY(library::PublishDeliveries(deliveries, options_));
          return library::FormatPublished(published);
        }};
    return spec;
  }

  const TestOracle& oracle_;
  library::PublishOptions options_;
};

int Expand(const TestOracle& oracle, library::Disk* disk = nullptr) {
  return Expansion(oracle, disk).Go().ok() ? 0 : 1;
}

std::map<std::string, std::string> Undisturbed() {
  const TestOracle oracle;
  EXPECT_EQ(library::InChild([&] { return Expand(oracle); }), 0);
  return oracle.Everything();
}

// `doomed` is told at which operation to meet its end, and says 0 when it met
// none; then the run goes on.
void EndsTheSameWherever(const std::function<int(const TestOracle&, int)>& doomed) {
  const auto expected = Undisturbed();
  ASSERT_EQ(expected.at("git status"), "");
  bool went_through = false;
  int at = 0;
  while (!went_through) {
    ASSERT_LT(++at, 500);
    const TestOracle oracle;
    const int ended = library::InChild([&] { return doomed(oracle, at); });
    went_through = ended == 0;
    ASSERT_EQ(library::InChild([&] { return Expand(oracle); }), 0) << at;
    ASSERT_EQ(oracle.Everything(), expected) << "after trouble at operation " << at;
  }
  EXPECT_GT(at, 25);
}

TEST(WholeRun, KilledAtEveryJournalWriteItEndsTheSame) {
  EndsTheSameWherever([](const TestOracle& oracle, int at) {
    TestDisk::Install();
    TestDisk::Arm(TestDisk::Trouble::kKill, at);
    return Expand(oracle);
  });
}

TEST(WholeRun, KilledAtEveryChangeOfTheOracleItEndsTheSame) {
  EndsTheSameWherever([](const TestOracle& oracle, int at) {
    FaultyDisk disk(FaultyDisk::Trouble::kKill, at);
    return Expand(oracle, &disk);
  });
}

TEST(WholeRun, WithAFullDiskAtEveryJournalWriteItEndsTheSame) {
  EndsTheSameWherever([](const TestOracle& oracle, int at) {
    TestDisk::Install();
    TestDisk::Arm(TestDisk::Trouble::kFull, at);
    const int ended = Expand(oracle);
    // Failing to tidy up at the end is no failure; it met its trouble all the same.
    return ended != 0 || TestDisk::has_struck() ? 1 : 0;
  });
}

TEST(WholeRun, WithAFullDiskAtEveryChangeOfTheOracleItEndsTheSame) {
  EndsTheSameWherever([](const TestOracle& oracle, int at) {
    FaultyDisk disk(FaultyDisk::Trouble::kFull, at);
    const int ended = Expand(oracle, &disk);
    return ended != 0 || disk.operations() >= at ? 1 : 0;
  });
}

TEST(WholeRun, TwoAtOnceMakeOneOracleAndOneCommit) {
  const auto expected = Undisturbed();
  for (int round = 0; round < 5; ++round) {
    const TestOracle oracle;
    const pid_t other = ::fork();
    if (other == 0) ::_exit(Expand(oracle));
    const int ours = library::InChild([&] { return Expand(oracle); });
    int status = 0;
    ::waitpid(other, &status, 0);
    EXPECT_EQ(ours, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ASSERT_EQ(oracle.Everything(), expected) << round;
  }
}

TEST(WholeRun, APlanThatIsEditedWhileItRunsIsKeptAndWhatWasDoneIsNotDoneAgain) {
  const TestOracle oracle;
  const std::string name(library::kTestPlanPath);
  const std::string edited = std::string(library::kTestPlan) + "\nA note of mine.\n";
  const auto before = oracle.Git({"rev-parse", "HEAD"});
  Expansion first(oracle, nullptr);
  first.during = [&] { oracle.Write(name, edited); };
  const Status refused = first.Go();
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("the plan was edited while the run was going"),
            std::string::npos);
  EXPECT_EQ(oracle.Read(name), edited);
  EXPECT_EQ(oracle.Git({"rev-parse", "HEAD"}), before);
  EXPECT_FALSE(oracle.Has("cuda/02-streams.md"));

  Expansion second(oracle, nullptr);
  second.during = [] { ADD_FAILURE() << "a part that did not change was done again"; };
  ASSERT_TRUE(second.Go().ok());
  const std::string now =
      oracle.Read("_ingest-auto/completed/expansion-gadget-2026-11-15/ingestion.md");
  EXPECT_TRUE(now.ends_with("\nA note of mine.\n"));
  EXPECT_NE(now.find("- [x] PART 1"), std::string::npos);
}

}  // namespace
}  // namespace sibyl
