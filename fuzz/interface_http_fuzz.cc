// SPDX-License-Identifier: Apache-2.0
// The head of a request is parsed or rejected; the results of the guard and the query
// parser are no larger than it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "interface/web/guard.h"
#include "interface/web/http_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl::interface;  // NOLINT(google-build-using-namespace)
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const HttpLimits limits{.head_bytes = 2048, .headers = 16, .body_bytes = 4096};
  HttpReader reader(limits);
  const std::size_t head = reader.Feed(bytes);
  if (reader.state() != HttpReader::State::kHeadRead) return 0;
  if (head > size || head > limits.head_bytes + 2 || head == 0) std::abort();
  const HttpRequest& request = reader.request();
  if (request.headers.size() > limits.headers || !request.body.empty()) std::abort();
  const GuardOptions guard{.address = "127.0.0.1", .port = 1, .token = "0123456789abcdef"};
  const Access access = AccessOf(request, guard);
  if (access == Access::kWrites &&
      request.Header("authorization").find(guard.token) == std::string_view::npos) {
    std::abort();
  }
  for (const HttpHeader& value : ReadQuery(request.query)) {
    if (value.name.size() + value.value.size() > request.query.size()) std::abort();
  }
  return 0;
}
