// SPDX-License-Identifier: Apache-2.0
// What operators see of a ledger, of either kind: counts, times, traces and lines of
// the log.
#include <fcntl.h>

#include <set>

#include "base/files/file_descriptor.h"
#include "base/files/files.h"
#include "base/json.h"
#include "base/strings.h"
#include "base/telemetry/activity.h"
#include "base/telemetry/log.h"
#include "base/telemetry/metrics.h"
#include "base/telemetry/test_exposition.h"
#include "ledgers.h"
#include "runner/measured_ledger.h"
#include "runner/serve_runs.h"

namespace sibyl::runner {
namespace {

using std::chrono::milliseconds;

class MeasuredTest : public LedgerTest {
 protected:
  std::unique_ptr<Ledger> OpenMeasured() { return std::make_unique<MeasuredLedger>(Open()); }

  static double Value(const std::string& name, const Exposition::Labels& labels = {}) {
    return ReadExposition(Metrics::OfProcess().Format()).Value(name, labels).value_or(0);
  }
};

// Other tests of this process count too.
TEST_P(MeasuredTest, OperationsAreCountedAndTimed) {
  const Exposition before = ReadExposition(Metrics::OfProcess().Format());
  const auto more = [&](const std::string& name, const Exposition::Labels& labels = {}) {
    return Value(name, labels) - before.Value(name, labels).value_or(0);
  };
  const auto ledger = OpenMeasured();
  JobQueue queue = MustBegin(*ledger, SpecOf(2));
  const Lease a = MustClaim(queue);
  EXPECT_TRUE(IsAccepted(queue.Expire(a, Loss::kCrashed, {})));
  EXPECT_FALSE(IsAccepted(queue.Complete(a, "late")));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "A")));
  EXPECT_TRUE(IsAccepted(queue.Fail(MustClaim(queue), "broken", 1)));
  EXPECT_FALSE(MayClaim(queue, Claiming::kNotLast));
  EXPECT_FALSE(ledger->Jobs(999'999).ok());
  EXPECT_EQ(more("sibyl_claims_total", {{"result", "granted"}}), 3);
  EXPECT_EQ(more("sibyl_claims_total", {{"result", "none"}}), 1);
  EXPECT_EQ(more("sibyl_ledger_seconds_count", {{"operation", "claim"}}), 4);
  EXPECT_EQ(more("sibyl_parts_settled_total", {{"state", "done"}}), 1);
  EXPECT_EQ(more("sibyl_parts_settled_total", {{"state", "failed"}}), 1);
  EXPECT_EQ(more("sibyl_writes_refused_total"), 1);
  EXPECT_EQ(more("sibyl_lease_losses_total", {{"reason", "crashed"}}), 1);
  EXPECT_EQ(more("sibyl_ledger_errors_total", {{"operation", "read"}}), 1);
}

class OneRun : public JobSource {
 public:
  explicit OneRun(Work work) : work_(std::move(work)) {}
  bool Wants(const RunInfo& /*run*/) override { return true; }
  Result<Work> WorkOf(const RunInfo& /*run*/, const Lease& /*job*/) override { return work_; }

 private:
  Work work_;
};

// Two workers with two connections, as on two machines.
TEST_P(MeasuredTest, ARunHasOneTraceWhoeverWorksOnIt) {
  Mutex mutex;
  std::vector<Activity> seen;
  const Work work = [&](JobContext&) -> Result<std::string> {
    const MutexLock lock(mutex);
    seen.push_back(CurrentActivity());
    return std::string("page");
  };
  const auto first = OpenMeasured();
  const auto second = OpenMeasured();
  const JobQueue queue = MustBegin(*first, SpecOf(4));
  OneRun source(work);
  ASSERT_TRUE(ServeRuns(*first, source, {.max_jobs = 2}).ok());
  ASSERT_TRUE(ServeRuns(*second, source, {.until_idle = true}).ok());
  ASSERT_EQ(seen.size(), 4U);
  for (const Activity& each : seen) {
    EXPECT_EQ(each.run, std::to_string(queue.run()));
    EXPECT_FALSE(each.part.empty() || each.worker.empty());
    ASSERT_TRUE(each.trace);
    EXPECT_EQ(each.trace->id, seen[0].trace->id);
    EXPECT_TRUE(ParseTraceparent(FormatTraceparent(*each.trace, NewSpan())));
    EXPECT_FALSE(each.trace->is_handed_on) << "only with SIBYL_TRACE";
  }
  EXPECT_TRUE(CurrentActivity().run.empty()) << "of this thread";
}

TEST_P(MeasuredTest, ATraceOfTheCallerComesFirst) {
  std::string seen;
  RunSpec spec = SpecOf(1);
  spec.jobs[0].work = [&](JobContext&) -> Result<std::string> {
    seen = CurrentActivity().trace->id;
    return std::string("page");
  };
  const auto ledger = OpenMeasured();
  const std::string id(32, 'b');
  const ActivityScope scope(
      {.run = {}, .part = {}, .worker = {}, .trace = Trace{.id = id, .parent = {}}});
  ASSERT_TRUE(RunJobs(*ledger, spec, {}).ok());
  EXPECT_EQ(seen, id);
}

// The reason of a failure may quote what a model was asked.
TEST_P(MeasuredTest, TheLogHasALineForEachPartWithoutReasons) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "log";
  const FileDescriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  RunSpec spec = SpecOf(2);
  spec.jobs[1].most_attempts = 1;
  spec.jobs[1].work = [](JobContext&) -> Result<std::string> {
    return Broken("status 400: the prompt was 'sesame'");
  };
  const auto ledger = OpenMeasured();
  {
    const JsonLog log(out.number());
    ASSERT_TRUE(RunJobs(*ledger, spec, {}).ok());
  }
  const std::string text = *ReadFile(file);
  EXPECT_EQ(text.find("sesame"), std::string::npos) << text;
  std::multiset<std::string> lines;
  for (const std::string_view line : SplitLines(text)) {
    const Result<Json> json = ParseJson(line);
    ASSERT_TRUE(json.ok()) << line;
    EXPECT_TRUE(json->contains("run") && json->contains("time")) << line;
    lines.insert((*json)["message"].get<std::string>() + " " + (*json)["part"].get<std::string>() +
                 " " + (*json)["level"].get<std::string>());
  }
  EXPECT_EQ(lines,
            (std::multiset<std::string>{"part started a info", "part started b info",
                                        "part started publish info", "part finished a info",
                                        "part finished b error", "part finished publish info"}));
}

INSTANTIATE_TEST_SUITE_P(Ledgers, MeasuredTest, testing::Values("journal", "postgres"));

}  // namespace
}  // namespace sibyl::runner
