// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/stdio_loop.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "base/files/write_all.h"
#include "interface/lsp/frame.h"

namespace sibyl::interface::lsp {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

enum class Input : std::uint8_t { kBytes, kNothing, kEnd };

Input ReadSome(int in, milliseconds wait, FrameReader& frames) {
  pollfd waiting{.fd = in, .events = POLLIN, .revents = 0};
  const int ready = ::poll(&waiting, 1, static_cast<int>(wait.count()));
  if (ready == 0 || (ready < 0 && errno == EINTR)) return Input::kNothing;
  std::array<char, 65'536> bytes{};
  const ssize_t got = ::read(in, bytes.data(), bytes.size());
  if (got < 0 && errno == EINTR) return Input::kNothing;
  if (got <= 0) return Input::kEnd;
  frames.Append({bytes.data(), static_cast<std::size_t>(got)});
  return Input::kBytes;
}

milliseconds WaitFor(const LspServer& server) {
  constexpr milliseconds kLongest{10'000};
  const std::optional<TimePoint> next = server.NextCheck();
  if (!next) return kLongest;
  const auto left = std::chrono::ceil<milliseconds>(*next - steady_clock::now());
  return std::clamp(left, milliseconds(0), kLongest);
}

bool Send(int out, std::vector<Json>& messages) {
  std::string bytes;
  for (const Json& message : messages) bytes += FormatFrame(FormatRpc(message));
  messages.clear();
  return bytes.empty() || WriteAll(out, bytes) == 0;
}

}  // namespace

LspEnding ServeLsp(LspServer& server, int in, int out) {
  FrameReader frames;
  std::vector<Json> messages;
  while (true) {
    const Input input = ReadSome(in, WaitFor(server), frames);
    if (input == Input::kEnd) return LspEnding::kInOrder;
    if (input == Input::kNothing) server.CheckDue(steady_clock::now(), messages);
    std::string text;
    for (FrameReader::Got got = frames.Next(text); got != FrameReader::Got::kNothingYet;
         got = frames.Next(text)) {
      if (got == FrameReader::Got::kProblem) {
        LspServer::TakeProblem(text, messages);
      } else {
        server.Take(text, steady_clock::now(), messages);
      }
      if (!Send(out, messages)) return LspEnding::kInOrder;
      if (server.has_ended()) {
        return server.ended_in_order() ? LspEnding::kInOrder : LspEnding::kWithoutShutdown;
      }
    }
    if (!Send(out, messages)) return LspEnding::kInOrder;
  }
}

}  // namespace sibyl::interface::lsp
