// SPDX-License-Identifier: Apache-2.0
// Requests on a connection, in pieces of any size: the first bytes of the input
// choose the pieces, the rest is what a client sends. The result must not depend
// on the pieces, work and memory are linear in the bytes, and no byte of a body
// is taken before the head was judged.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "interface/web/guard.h"
#include "interface/web/http_reader.h"

namespace {

using namespace sibyl::interface;  // NOLINT(google-build-using-namespace)
using State = HttpReader::State;

constexpr HttpLimits kLimits{.head_bytes = 512, .headers = 8, .body_bytes = 1024};

void Require(bool holds) {
  if (!holds) std::abort();
}

struct Log {
  std::vector<HttpRequest> requests;
  State state = State::kHead;
  int status = 0;
  std::size_t consumed = 0;
};

// What the server's guard decides about the body; here by a header of the head.
std::size_t MostBodyOf(const HttpRequest& head) {
  AccessOf(head, {.address = "127.0.0.1", .port = 1, .token = "0123456789abcdef"});
  if (head.method == "GET") return 0;
  return head.Has("x-small") ? 16 : kLimits.body_bytes;
}

void CheckBounds(const HttpReader& reader, std::size_t consumed) {
  Require(reader.steps() <= 2 * consumed);
  // Strings grow by doubling; a parsed head has at most `headers` entries.
  constexpr std::size_t kFixed = 4096;
  Require(reader.buffered_bytes() <= 2 * reader.wire_bytes() + kFixed);
  Require(reader.wire_bytes() <= kLimits.head_bytes + kLimits.body_bytes + 3);
  if (reader.state() == State::kHead || reader.state() == State::kHeadRead) {
    Require(reader.request().body.empty());
  }
}

Log Read(std::string_view bytes, std::string_view sizes) {
  HttpReader reader(kLimits);
  Log log;
  std::size_t turn = 0;
  while (log.consumed < bytes.size() && reader.state() != State::kRefused) {
    const std::size_t size =
        sizes.empty() ? bytes.size()
                      : 1 + static_cast<unsigned char>(sizes[turn++ % sizes.size()]) % 64U;
    const std::size_t taken = reader.Feed(bytes.substr(log.consumed, size));
    log.consumed += taken;
    CheckBounds(reader, log.consumed);
    if (reader.state() == State::kHeadRead) {
      Require(reader.Feed(bytes.substr(log.consumed, size)) == 0);
      reader.AcceptBody(MostBodyOf(reader.request()));
    } else {
      Require(taken > 0 || reader.state() == State::kRefused);
    }
    if (reader.state() != State::kComplete) continue;
    Require(reader.request().body.size() <= kLimits.body_bytes);
    log.requests.push_back(reader.Take());
    Require(reader.state() == State::kHead && !reader.has_begun());
  }
  log.state = reader.state();
  log.status = reader.state() == State::kRefused ? reader.refusal().status : 0;
  return log;
}

void RequireSame(const Log& a, const Log& b) {
  Require(a.state == b.state && a.status == b.status && a.consumed == b.consumed);
  Require(a.requests.size() == b.requests.size());
  for (std::size_t i = 0; i < a.requests.size(); ++i) {
    const HttpRequest& one = a.requests[i];
    const HttpRequest& other = b.requests[i];
    Require(one.method == other.method && one.path == other.path && one.query == other.query);
    Require(one.body == other.body && one.keeps_alive == other.keeps_alive);
    Require(std::equal(one.headers.begin(), one.headers.end(), other.headers.begin(),
                       other.headers.end(), [](const HttpHeader& x, const HttpHeader& y) {
                         return x.name == y.name && x.value == y.value;
                       }));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kSizes = 4;
  if (size < kSizes) return 0;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::string_view bytes = all.substr(kSizes);
  const Log whole = Read(bytes, {});
  RequireSame(whole, Read(bytes, all.substr(0, kSizes)));
  RequireSame(whole, Read(bytes, std::string_view("\0", 1)));
  // What follows a request does not change it.
  if (whole.requests.size() == 1 && whole.state == State::kHead) {
    const Log alone = Read(bytes.substr(0, whole.consumed), {});
    RequireSame(whole, alone);
  }
  return 0;
}
