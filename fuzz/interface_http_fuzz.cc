// SPDX-License-Identifier: Apache-2.0
// Bytes on a socket are a request, not yet one, or refused; and who sends them
// in pieces gets the same answer as who sends them at once.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "interface/web/guard.h"
#include "interface/web/http_message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl::interface;  // NOLINT(google-build-using-namespace)
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const HttpLimits limits{.head_bytes = 2048, .headers = 16, .body_bytes = 4096};
  const HttpReading whole = ReadHttpRequest(bytes, limits);
  if (whole.state != HttpReading::State::kComplete) return 0;
  if (whole.consumed > size || whole.consumed == 0) std::abort();
  if (whole.request.body.size() > limits.body_bytes) std::abort();
  // What comes behind a request does not change it.
  const HttpReading alone = ReadHttpRequest(bytes.substr(0, whole.consumed), limits);
  if (alone.state != HttpReading::State::kComplete || alone.consumed != whole.consumed ||
      alone.request.body != whole.request.body) {
    std::abort();
  }
  const HttpReading cut = ReadHttpRequest(bytes.substr(0, whole.consumed - 1), limits);
  if (cut.state == HttpReading::State::kComplete && cut.consumed >= whole.consumed) std::abort();
  AccessOf(whole.request, {.address = "127.0.0.1", .port = 1, .token = "0123456789abcdef"});
  for (const HttpHeader& value : ReadQuery(whole.request.query)) {
    if (value.name.size() > whole.request.query.size()) std::abort();
  }
  return 0;
}
