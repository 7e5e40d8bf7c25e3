// SPDX-License-Identifier: Apache-2.0
// The head of a response, line by line as libcurl passes it, and the values that we
// use; the body follows the first empty line.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "net/receiver.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl::net;  // NOLINT: one function
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  Request request{.url = *ParseUrl("https://a.example/"), .types = {"text/*"}};
  request.limits.header_bytes = 4096;
  request.limits.body_bytes = 1024;
  Receiver receiver(request, nullptr);
  while (!rest.empty() && !receiver.headers_ended()) {
    const std::size_t end = rest.find('\n');
    const std::size_t length = end == std::string_view::npos ? rest.size() : end + 1;
    if (receiver.TakeHeaderLine(rest.substr(0, length)) != TransferStep::kGoOn) break;
    rest.remove_prefix(length);
  }
  if (receiver.headers_ended() && !receiver.error()) {
    if (receiver.TakeBody(rest) == TransferStep::kGoOn && receiver.response().body.size() > 1024) {
      std::abort();
    }
  }
  const sibyl::Time now{std::chrono::seconds(1'790'000'000)};
  for (const Header& header : receiver.response().headers.fields()) {
    for (const char c : header.value) {
      if (c == '\r' || c == '\n' || c == '\0') std::abort();
    }
    const auto wait = ParseRetryAfter(header.value, now);
    if (wait && wait->count() < 0) std::abort();
    static_cast<void>(ParseHttpDate(header.value));
    const ContentType type = ParseContentType(header.value);
    if (type.type.find_first_of(" ;,\"") != std::string::npos) std::abort();
  }
  return 0;
}
