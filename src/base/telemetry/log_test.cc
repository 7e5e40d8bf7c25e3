// SPDX-License-Identifier: Apache-2.0
#include "base/telemetry/log.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/strings.h"
#include "base/telemetry/activity.h"

namespace sibyl {
namespace {

class LogTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_.path() / "log"; }
  std::vector<Json> Lines() const {
    std::vector<Json> lines;
    const std::string text = *ReadFile(file());
    for (const std::string_view line : SplitLines(text)) {
      const Result<Json> json = ParseJson(line);
      EXPECT_TRUE(json.ok() && json->is_object()) << line;
      if (json.ok()) lines.push_back(*json);
    }
    return lines;
  }

  TemporaryFolder folder_;
  FileDescriptor out_{::open(file().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)};
  JsonLog::Now now_ = [] {
    return std::chrono::system_clock::time_point(std::chrono::milliseconds(1'794'733'500'042));
  };
};

TEST_F(LogTest, ALineIsAnObjectWithTheActivityOfItsThread) {
  const JsonLog log(out_.number(), now_);
  WriteLog(LogLevel::kInfo, "started");
  {
    const ActivityScope scope({.run = "17",
                               .part = "a/b.md",
                               .worker = "node:9",
                               .trace = Trace{.id = std::string(32, 'a'), .parent = {}}});
    WriteLog(LogLevel::kWarning, "two\nlines", {{"status", 429}, {"model", "m"}});
  }
  WriteLog(LogLevel::kError, "ended");
  const std::vector<Json> lines = Lines();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(
      lines[0],
      (Json{{"time", "2026-11-15T09:05:00.042Z"}, {"level", "info"}, {"message", "started"}}));
  EXPECT_EQ(lines[1], (Json{{"time", "2026-11-15T09:05:00.042Z"},
                            {"level", "warning"},
                            {"message", "two\nlines"},
                            {"run", "17"},
                            {"part", "a/b.md"},
                            {"worker", "node:9"},
                            {"trace", std::string(32, 'a')},
                            {"status", 429},
                            {"model", "m"}}));
  EXPECT_EQ(lines[2].size(), 3U);
  EXPECT_EQ(lines[2]["level"], "error");
}

TEST_F(LogTest, PasswordsInAddressesAreRemovedAndAnyBytesAreText) {
  const JsonLog log(out_.number(), now_);
  WriteLog(LogLevel::kError, "opening https://ada:sesame@example.org/x failed",
           {{"url", "postgresql://ada:sesame@db/x"}, {"bytes", "\xff\x01"}});
  EXPECT_EQ(ReadFile(file())->find("sesame"), std::string::npos);
  EXPECT_EQ(Lines().size(), 1U);
}

TEST_F(LogTest, NothingIsWrittenWithoutALog) {
  EXPECT_FALSE(IsLogOn());
  WriteLog(LogLevel::kInfo, "nobody reads this");
  { const JsonLog log(out_.number(), now_); }
  WriteLog(LogLevel::kInfo, "nor this");
  EXPECT_TRUE(Lines().empty());
}

TEST_F(LogTest, LinesOfSeveralThreadsAreWhole) {
  const JsonLog log(out_.number(), now_);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([i] {
        const ActivityScope scope(
            {.run = std::to_string(i), .part = {}, .worker = {}, .trace = {}});
        for (int k = 0; k < 50; ++k) WriteLog(LogLevel::kInfo, std::string(200, 'x'));
      });
    }
  }
  EXPECT_EQ(Lines().size(), 200U);
}

}  // namespace
}  // namespace sibyl
