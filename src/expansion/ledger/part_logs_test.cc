// SPDX-License-Identifier: Apache-2.0
#include "expansion/ledger/part_logs.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"

namespace sibyl::expansion {
namespace {

namespace fs = std::filesystem;

const FixedClock kClock{Time(std::chrono::seconds(1'794'733'500))};

TEST(PartLogs, EachPartHasALogOfWhoHadItAndHowItEnded) {
  const TemporaryFolder folder;
  Result<PartLogs> logs = PartLogs::Open(folder.path() / "a/b", kClock);
  ASSERT_TRUE(logs.ok()) << logs.error().message;
  const runner::RunInfo run{.name = "plan.md"};
  const std::string name = "gad/01-cache.md";
  using runner::EventKind;
  logs->Write({.run = run, .name = name, .kind = EventKind::kStarted});
  for (int i = 0; i < 3; ++i) {
    logs->Write({.run = run,
                 .name = name,
                 .kind = EventKind::kStep,
                 .progress = {.step = "gathering", .figures = {{"points", i}}}});
  }
  logs->Write({.run = run,
               .name = name,
               .kind = EventKind::kReleased,
               .reason = "the worker\n\x1b[2J was stopped"});
  const Result<std::string> text = ReadFile(folder.path() / "a/b/gad-01-cache.md.log");
  ASSERT_TRUE(text.ok());
  std::string shown;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = text->find('\n', at);
    const std::string line = text->substr(at, end - at);
    EXPECT_TRUE(line.starts_with("2026-11-15 09:05 ")) << line;
    shown += line.substr(line.find(" plan.md: ")) + "\n";
    at = end + 1;
  }
  EXPECT_EQ(shown,
            " plan.md: started\n plan.md: at gathering\n"
            " plan.md: released: the worker\\u{A}\\u{1B}[2J was stopped\n");
}

TEST(PartLogs, NamesStayInTheFolderAndLinksAreNotFollowed) {
  EXPECT_EQ(PartLogs::NameOf("../../etc/x y"), "..-..-etc-x-y.log");
  const TemporaryFolder folder;
  Result<PartLogs> logs = PartLogs::Open(folder.path() / "logs", kClock);
  ASSERT_TRUE(logs.ok());
  fs::create_symlink(folder.path() / "elsewhere", folder.path() / "logs/a.log");
  logs->Write({.run = {}, .name = "a", .kind = runner::EventKind::kStarted});
  EXPECT_FALSE(fs::exists(folder.path() / "elsewhere"));
  EXPECT_FALSE(PartLogs::Open("/dev/null/x", kClock).ok());
}

}  // namespace
}  // namespace sibyl::expansion
