// SPDX-License-Identifier: Apache-2.0
// Any bytes as a journal: read or refused, by a reader and by a run; a run that
// begins has every job done exactly once.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/files.h"
#include "base/temporary_folder.h"
#include "runner/runner.h"
#include "runner/snapshot.h"

namespace {

using namespace sibyl::runner;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const sibyl::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "journal.db";
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Require(sibyl::WriteFileAtomically(path, bytes).ok());
  if (const auto snapshot = ReadSnapshot(path); snapshot.ok()) FormatSnapshot(*snapshot);

  const sibyl::FixedClock clock(sibyl::Time(std::chrono::seconds(1'800'000'000)));
  auto journal = Journal::Open(path, clock);
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
