// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/frame.h"

#include <gtest/gtest.h>

#include <vector>

namespace sibyl::interface::lsp {
namespace {

// The messages, and "!" with the problem for what was skipped.
std::vector<std::string> ReadFrames(std::string_view bytes, std::size_t step,
                                    const FrameLimits& limits = {}) {
  FrameReader reader(limits);
  std::vector<std::string> read;
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    reader.Append(bytes.substr(at, step));
    for (auto got = reader.Next(text); got != FrameReader::Got::kNothingYet;
         got = reader.Next(text)) {
      read.push_back(got == FrameReader::Got::kMessage ? text : "!" + text);
    }
  }
  return read;
}

TEST(LspFrame, ReadsMessagesHoweverTheyAreCut) {
  const std::string bytes = FormatFrame("{}") + FormatFrame("") +
                            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
                            "content-length:  4 \r\n\r\n[\r\n]";
  for (const std::size_t step : {1U, 2U, 3U, 7U, 1000U}) {
    EXPECT_EQ(ReadFrames(bytes, step), (std::vector<std::string>{"{}", "", "[\r\n]"})) << step;
  }
}

TEST(LspFrame, ReportsWhatIsNoFrameOnceAndGoesOnAtTheNext) {
  const std::string good = FormatFrame("{}");
  for (const std::size_t step : {1U, 5U, 10'000U}) {
    EXPECT_EQ(ReadFrames("{\"jsonrpc\": 1}\nhello\r\n\r\n" + good, step).size(), 2U);
    EXPECT_EQ(ReadFrames("Content-Length: x\r\n\r\n{}" + good, step),
              (std::vector<std::string>{"!Content-Length is not a number", "{}"}));
    EXPECT_EQ(ReadFrames("Content-Length: 99999999999999999999\r\n\r\n" + good, step),
              (std::vector<std::string>{"!Content-Length is not a number", "{}"}));
    EXPECT_EQ(ReadFrames("Content-Length: -1\r\n\r\n" + good, step),
              (std::vector<std::string>{"!Content-Length is not a number", "{}"}));
    EXPECT_EQ(ReadFrames("Content-Type: a\r\n\r\n{}" + good, step),
              (std::vector<std::string>{"!a header has no Content-Length", "{}"}));
    EXPECT_EQ(ReadFrames(std::string(9'000, 'x') + "\n" + good, step),
              (std::vector<std::string>{"!a header field is too long", "{}"}));
  }
}

TEST(LspFrame, ALengthThatNobodySendsIsNotBelieved) {
  const std::string bytes = "Content-Length: 99999999999999\r\n\r\n" + FormatFrame("{}");
  for (const std::size_t step : {1U, 50U, 1000U}) {
    EXPECT_EQ(ReadFrames(bytes, step).back(), "{}");
  }
}

TEST(LspFrame, SkipsABodyThatIsTooLarge) {
  const std::string bytes = FormatFrame(std::string(100, 'x')) + FormatFrame("{}");
  for (const std::size_t step : {1U, 50U, 1000U}) {
    EXPECT_EQ(ReadFrames(bytes, step, {.body_bytes = 99}),
              (std::vector<std::string>{"!a message of 100 bytes exceeds the limit of 99", "{}"}));
  }
}

TEST(LspFrame, BoundsAHeaderOfManyFields) {
  std::string bytes;
  for (int i = 0; i < 1'000; ++i) bytes += "X-Field: value\r\n";
  const std::vector<std::string> read = ReadFrames(bytes + FormatFrame("{}"), 4'096);
  EXPECT_EQ(read, (std::vector<std::string>{"!a header is too long", "{}"}));
}

}  // namespace
}  // namespace sibyl::interface::lsp
