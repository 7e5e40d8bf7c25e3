// SPDX-License-Identifier: Apache-2.0
#include "runner/journal.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "runner/snapshot.h"
#include "runner/test_disk.h"
#include "runner/test_runs.h"

namespace sibyl::runner {
namespace {

namespace fs = std::filesystem;

RunSpec FourJobs() {
  RunSpec spec{.name = "plan", .fingerprint = "1"};
  for (const char* name : {"a", "b", "c", "d"}) spec.jobs.push_back(Quick(name));
  spec.jobs[1].work = [](JobContext& context) -> Result<std::string> {
    if (context.attempt() == 1) return Broken("thin");
    return std::string("made b");
  };
  spec.jobs[3].work = [](JobContext&) -> Result<std::string> { return Broken("never"); };
  spec.last =
      LastJob{.name = "publish",
              .work = [](JobContext&, const std::vector<JobOutcome>& all) -> Result<std::string> {
                std::string text;
                for (const JobOutcome& job : all) {
                  text += job.name + "=" + job.payload + job.reason + ";";
                }
                return text;
              }};
  return spec;
}

constexpr std::string_view kPublished = "a=made a;b=made b;c=made c;d=never;";

class JournalTest : public testing::Test {
 protected:
  const fs::path& folder() const { return folder_.path(); }
  fs::path path() const { return JournalIn(folder()); }
  std::string RunAll() {
    Result<Journal> journal = Journal::Open(TestOwn(folder()), kTestClock);
    if (!journal.ok()) return "opening: " + journal.error().message;
    const Result<RunReport> report = RunJobs(*journal, FourJobs(), {.jobs = 2});
    return report.ok() ? report->last->payload : report.error().message;
  }

  TemporaryFolder folder_;
};

TEST_F(JournalTest, MakesItsFolder) {
  EXPECT_EQ(RunAll(), kPublished);
  EXPECT_TRUE(fs::exists(path()));
}

TEST_F(JournalTest, ADamagedOneIsMovedAsideAndNothingIsDeleted) {
  EXPECT_EQ(RunAll(), kPublished);
  const std::string whole = ReadFile(path()).value();
  const std::string cases[] = {"not a database at all, but long enough to be looked at as one",
                               whole.substr(0, whole.size() / 2), std::string(4096, '\0')};
  int number = 0;
  for (const std::string& bytes : cases) {
    ++number;
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(path().string() + suffix);
    ASSERT_TRUE(WriteFileAtomically(path(), bytes).ok());
    {
      const Journal journal = OpenJournal(folder());
      const std::string aside = ".sibyl/aside/journal.db-" + std::to_string(number);
      ASSERT_TRUE(journal.moved_aside()) << number;
      EXPECT_EQ(*journal.moved_aside(), aside);
      EXPECT_EQ(ReadFile(folder() / aside).value(), bytes);
    }
    EXPECT_EQ(RunAll(), kPublished);
  }
}

// A flipped bit must never crash; what it hits decides what happens.
TEST_F(JournalTest, AnyFlippedByteIsNoticedOrHarmless) {
  EXPECT_EQ(RunAll(), kPublished);
  const std::string whole = ReadFile(path()).value();
  for (std::size_t at = 0; at < whole.size(); at += 311) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x41);
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(path().string() + suffix);
    ASSERT_TRUE(WriteFileAtomically(path(), flipped).ok());
    const Result<Snapshot> snapshot = ReadSnapshot(path());
    if (snapshot.ok()) FormatSnapshot(*snapshot);
    Result<Journal> journal = Journal::Open(TestOwn(folder()), kTestClock);
    if (!journal.ok()) continue;  // the number of a newer format, say
    const Result<RunReport> report = RunJobs(*journal, FourJobs(), {});
    EXPECT_TRUE(report.ok() || report.error().kind == ErrorKind::kCorrupt) << at;
  }
}

TEST_F(JournalTest, ANewerOneIsLeftAlone) {
  EXPECT_EQ(RunAll(), kPublished);
  {
    Journal journal = OpenJournal(folder());
    ASSERT_TRUE(journal.database().Execute("PRAGMA user_version=4").ok());
  }
  const Result<Journal> journal = Journal::Open(TestOwn(folder()), kTestClock);
  ASSERT_FALSE(journal.ok());
  EXPECT_EQ(journal.error().kind, ErrorKind::kUsage);
  EXPECT_NE(journal.error().message.find("newer sibyl (format 4)"), std::string::npos);
  EXPECT_TRUE(fs::exists(path()));
}

TEST_F(JournalTest, AStrangersTriggerIsNotARunOfOurs) {
  EXPECT_EQ(RunAll(), kPublished);
  {
    Journal journal = OpenJournal(folder());
    ASSERT_TRUE(journal.database()
                    .Execute("CREATE TRIGGER t AFTER UPDATE ON job BEGIN "
                             "DELETE FROM run; END")
                    .ok());
  }
  EXPECT_TRUE(OpenJournal(folder()).moved_aside());
}

// A clone, an archive or another oracle of the same user brings a journal.
TEST_F(JournalTest, OneThatWasMadeElsewhereIsMovedAside) {
  const TemporaryFolder elsewhere;
  { OpenJournal(elsewhere.path()); }
  const std::string bytes = ReadFile(JournalIn(elsewhere.path())).value();
  TestOwn(folder());
  ASSERT_TRUE(WriteFileAtomically(path(), bytes).ok());
  const Result<Snapshot> snapshot = ReadSnapshot(TestOwn(folder()));
  ASSERT_FALSE(snapshot.ok());
  EXPECT_EQ(snapshot.error().kind, ErrorKind::kCorrupt);
  EXPECT_TRUE(fs::exists(path())) << "reading moves nothing";
  const Journal journal = OpenJournal(folder());
  ASSERT_TRUE(journal.moved_aside());
  EXPECT_EQ(*journal.moved_aside(), ".sibyl/aside/journal.db-1");
  EXPECT_FALSE(OpenJournal(folder()).moved_aside());
}

TEST_F(JournalTest, EachHasAnIdOfItsOwn) {
  const TemporaryFolder elsewhere;
  const std::string id = OpenJournal(folder()).id();
  EXPECT_EQ(id.size(), 32U);
  EXPECT_EQ(OpenJournal(folder()).id(), id);
  EXPECT_NE(OpenJournal(elsewhere.path()).id(), id);
}

TEST_F(JournalTest, ALinkInItsPlaceIsNotFollowed) {
  const fs::path victim = folder() / "victim.db";
  const OwnFolder own = TestOwn(folder());
  fs::create_symlink(victim, path());
  EXPECT_FALSE(Journal::Open(own, kTestClock).ok());
  EXPECT_FALSE(fs::exists(victim));
}

TEST_F(JournalTest, KeepsTheNewestRunsOnly) {
  Journal journal = OpenJournal(folder());
  for (int i = 0; i < 30; ++i) {
    const RunSpec spec{
        .name = "plan", .fingerprint = std::to_string(i), .jobs = {Quick("a"), Quick("b")}};
    ASSERT_TRUE(RunJobs(journal, spec, {}).ok());
  }
  EXPECT_LE(journal.database().Number("SELECT count(*) FROM run").value(), 21);
  EXPECT_LE(journal.database().Number("SELECT count(*) FROM job WHERE payload<>''").value(), 6);
}

// Issue 22: a finished run lost what it had delivered when two others had ended.
TEST_F(JournalTest, OfAnOlderRunTheFirstLinesStay) {
  Journal journal = OpenJournal(folder());
  for (int i = 0; i < 5; ++i) {
    Job job = Quick("a");
    job.work = [](JobContext&) -> Result<std::string> { return std::string("points\ntext\nmore"); };
    const RunSpec spec{
        .name = "plan", .fingerprint = std::to_string(i), .jobs = {std::move(job), Quick("b")}};
    ASSERT_TRUE(RunJobs(journal, spec, {}).ok());
  }
  const Snapshot snapshot = journal.ReadAll().value();
  ASSERT_EQ(snapshot.runs.size(), 5U);
  EXPECT_EQ(snapshot.runs.front().jobs[0].payload, "points\ntext\nmore");
  EXPECT_EQ(snapshot.runs.back().jobs[0].payload, "points\n");
  EXPECT_EQ(snapshot.runs.back().jobs[1].payload, "");
}

// SIGKILL at every journal write, then run again.
TEST_F(JournalTest, KilledAtEveryWriteItGoesOnToTheSameEnd) {
  int survived_at = 0;
  for (int at = 1; survived_at == 0; ++at) {
    ASSERT_LT(at, 2'000);
    const TemporaryFolder oracle;
    const auto run = [&] {
      Result<Journal> journal = Journal::Open(TestOwn(oracle.path()), kTestClock);
      if (!journal.ok()) return 1;
      const Result<RunReport> report = RunJobs(*journal, FourJobs(), {.jobs = 2});
      return report.ok() && report->last->payload == kPublished ? 0 : 2;
    };
    Child doomed([&] {
      TestDisk::Install();
      TestDisk::Arm(TestDisk::Trouble::kKill, at);
      return run();
    });
    const int ended = doomed.Wait();
    if (ended == 0) survived_at = at;
    ASSERT_TRUE(ended == 0 || ended == -SIGKILL) << at << " " << ended;
    Child next(run);
    ASSERT_EQ(next.Wait(), 0) << "after a kill at write " << at;
  }
  EXPECT_GT(survived_at, 30);
}

TEST_F(JournalTest, AFullDiskAtAnyWriteIsAnErrorAndNothingIsLost) {
  bool went_through = false;
  for (int at = 1; !went_through; ++at) {
    ASSERT_LT(at, 2'000);
    const TemporaryFolder oracle;
    Child child([&] {
      TestDisk::Install();
      TestDisk::Arm(TestDisk::Trouble::kFull, at);
      Result<Journal> journal = Journal::Open(TestOwn(oracle.path()), kTestClock);
      if (!journal.ok()) return journal.error().kind == ErrorKind::kUnavailable ? 10 : 1;
      const Result<RunReport> report = RunJobs(*journal, FourJobs(), {.jobs = 2});
      if (!report.ok()) return report.error().kind == ErrorKind::kUnavailable ? 10 : 2;
      return report->last->payload == kPublished ? 0 : 3;
    });
    const int ended = child.Wait();
    went_through = ended == 0;
    ASSERT_TRUE(ended == 0 || ended == 10) << at << " " << ended;
    Child next([&] {
      Result<Journal> journal = Journal::Open(TestOwn(oracle.path()), kTestClock);
      if (!journal.ok() || journal->moved_aside()) return 1;
      const Result<RunReport> report = RunJobs(*journal, FourJobs(), {.jobs = 2});
      return report.ok() && report->last->payload == kPublished ? 0 : 2;
    });
    ASSERT_EQ(next.Wait(), 0) << "after a full disk at write " << at;
  }
}

TEST_F(JournalTest, ASnapshotIsReadWhileARunGoesOnAndAfterItWasKilled) {
  Child child([this] {
    Journal journal = OpenJournal(folder());
    RunSpec spec = FourJobs();
    spec.jobs[2].work = [](JobContext& context) -> Result<std::string> {
      context.Report({.step = "gather", .figures = {{"points", 4}}});
      return UntilStopped(context);
    };
    return RunJobs(journal, spec, {.heartbeat = std::chrono::milliseconds(10)}).ok() ? 0 : 1;
  });
  Snapshot seen;
  ASSERT_TRUE(Eventually([&] {
    Result<Snapshot> snapshot = ReadSnapshot(path());
    if (!snapshot.ok() || snapshot->runs.empty()) return false;
    seen = *std::move(snapshot);
    return seen.runs[0].jobs[2].progress.step == "gather";
  }));
  const RunSnapshot& run = seen.runs.at(0);
  EXPECT_TRUE(run.is_worked_on());
  EXPECT_EQ(run.jobs[0].payload, "made a");
  EXPECT_EQ(run.jobs[2].holder->number, child.pid());
  EXPECT_EQ(run.jobs[2].progress.figures.at(0).value, 4);
  child.Kill();
  child.Wait();
  const Snapshot after = ReadSnapshot(path()).value();
  EXPECT_FALSE(after.runs[0].is_worked_on());
  EXPECT_EQ(after.runs[0].jobs[2].state, JobState::kRunning);
  const std::string text = FormatSnapshot(after);
  EXPECT_NE(text.find("run 1 open: plan, 2027-01-15 08:00 to -, fingerprint 1"), std::string::npos)
      << text;
  EXPECT_NE(text.find("(gone)"), std::string::npos) << text;
  EXPECT_NE(text.find("at gather, points 4"), std::string::npos) << text;
}

TEST_F(JournalTest, ThereIsNoSnapshotWithoutAJournal) {
  const Result<Snapshot> snapshot = ReadSnapshot(path());
  ASSERT_FALSE(snapshot.ok());
  EXPECT_EQ(snapshot.error().kind, ErrorKind::kNotFound);
  EXPECT_TRUE(fs::is_empty(folder()));
}

// Needs the right to mount; said when it is not there.
TEST_F(JournalTest, OnAReadOnlyDiskItIsReadAndNotWritten) {
  Child child([this] {  // leaves what it wrote in the log, as a kill does
    Journal journal = OpenJournal(folder());
    static_cast<void>(RunJobs(journal, FourJobs(), {}).ok());
    ::kill(::getpid(), SIGKILL);
    return 1;
  });
  child.Wait();
  fs::remove(path().string() + "-shm");
  const std::string folder = path().parent_path().string();
  Command command{.program = "unshare",
                  .arguments = {"-m", "sh", "-c",
                                "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && "
                                "exec \"$1\" --gtest_also_run_disabled_tests "
                                "--gtest_filter=ReadOnlyDisk.DISABLED_Look",
                                folder, fs::read_symlink("/proc/self/exe").string()},
                  .environment = {{"SIBYL_TEST_FOLDER", this->folder().string()}}};
  const Result<Outcome> outcome = RunProgram(command);
  if (outcome.ok() && outcome->output.empty()) GTEST_SKIP() << "cannot mount: " << outcome->errors;
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome->succeeded()) << outcome->output << outcome->errors;
}

// Run by the test above, where the folder cannot be written.
TEST(ReadOnlyDisk, DISABLED_Look) {
  const char* path = std::getenv("SIBYL_TEST_FOLDER");  // NOLINT(concurrency-mt-unsafe)
  ASSERT_NE(path, nullptr);
  const Result<Snapshot> snapshot = ReadSnapshot(TestOwn(path));
  ASSERT_TRUE(snapshot.ok()) << snapshot.error().message;
  EXPECT_EQ(snapshot->runs.at(0).jobs.back().payload, kPublished);
  const Result<Journal> journal = Journal::Open(TestOwn(path), kTestClock);
  ASSERT_FALSE(journal.ok());
  EXPECT_EQ(journal.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(journal.error().message.find("read-only"), std::string::npos)
      << journal.error().message;
}

}  // namespace
}  // namespace sibyl::runner
