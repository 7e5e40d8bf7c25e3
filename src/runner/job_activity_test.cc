// SPDX-License-Identifier: Apache-2.0
#include "runner/job_activity.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/files/file_descriptor.h"
#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/json.h"
#include "base/strings.h"
#include "base/telemetry/log.h"
#include "base/telemetry/metrics.h"
#include "runner/measured_ledger.h"
#include "runner/process_id.h"
#include "runner/test_runs.h"

namespace sibyl::runner {
namespace {

TEST(JobActivity, EveryLineAboutAJobHasItsRunWorkerAndTrace) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "log";
  const FileDescriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  Journal journal = OpenJournal(folder.path());
  {
    const JsonLog log(out.number());
    RunSpec spec{.name = "plan", .fingerprint = "1"};
    spec.jobs = {Quick("a.md")};
    ASSERT_TRUE(RunJobs(journal, spec, {}).ok());
    LogJob(journal, {.kind = EventKind::kReleased,
                     .state = JobState::kWaiting,
                     .run = 1,
                     .name = "b.md",
                     .attempt = 1,
                     .is_lost = true});
  }
  std::vector<std::string> messages;
  const std::string text = *ReadFile(file);
  for (const std::string_view line : SplitLines(text)) {
    const Json json = ParseJson(line).value();
    messages.push_back(json["message"].get<std::string>());
    EXPECT_TRUE(json.contains("run") && json.contains("part") && json.contains("attempt")) << line;
    const ProcessId process = ThisProcess();
    EXPECT_EQ(json.value("worker", ""), process.host + ":" + std::to_string(process.number));
    EXPECT_EQ(json.value("trace", "").size(), 32U) << line;
    EXPECT_EQ(json.contains("state"), messages.back() != "part lost") << line;
  }
  EXPECT_EQ(messages, (std::vector<std::string>{"part started", "part finished", "part lost"}));
}

TEST(MeasuredLedgerTest, WhatAlarmsWatchIsCountedFromZero) {
  const TemporaryFolder folder;
  const MeasuredLedger ledger(std::make_unique<Journal>(OpenJournal(folder.path())));
  const std::string text = Metrics::OfProcess().Format();
  for (const char* counter :
       {"\nsibyl_parts_settled_total{state=\"done\"} ",
        "\nsibyl_parts_settled_total{state=\"failed\"} ", "\nsibyl_writes_refused_total ",
        "\nsibyl_lease_losses_total{reason=\"crashed\"} ",
        "\nsibyl_lease_losses_total{reason=\"expired\"} "}) {
    EXPECT_NE(text.find(counter), std::string::npos) << counter;
  }
}

}  // namespace
}  // namespace sibyl::runner
