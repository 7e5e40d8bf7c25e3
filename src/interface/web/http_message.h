// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 as a local server needs it: requests out of bytes that anybody may
// have sent, answers into bytes. Strict where two readers could disagree about
// where a request ends, and bounded everywhere.
// docs/decisions/0081 says why it is our own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::interface {

struct HttpHeader {
  std::string name;  ///< In lower case.
  std::string value;
};

struct HttpRequest {
  std::string method;
  std::string path;   ///< Decoded, without the query: "/api/search".
  std::string query;  ///< As it was sent, without '?'.
  std::vector<HttpHeader> headers;
  std::string body;
  bool keeps_alive = true;

  /// Empty when there is none; `name` in lower case.
  std::string_view Header(std::string_view name) const;
  bool Has(std::string_view name) const;
};

struct HttpLimits {
  std::size_t head_bytes = std::size_t{16} << 10;
  std::size_t headers = 64;
  std::size_t body_bytes = std::size_t{8} << 20;
};

struct HttpReading {
  enum class State : std::uint8_t { kIncomplete, kComplete, kRefused };
  State state = State::kIncomplete;
  HttpRequest request;           ///< Of kComplete.
  std::size_t consumed = 0;      ///< Of kComplete: the rest is the next request.
  int status = 400;              ///< Of kRefused.
  std::string_view reason = {};  ///< Of kRefused: a literal.
  bool waits_for_leave = false;  ///< The head is there, and "100 Continue" is awaited.
};

/// Never reads beyond the first request.
HttpReading ReadHttpRequest(std::string_view bytes, const HttpLimits& limits);

struct HttpResponse {
  int status = 200;
  std::vector<HttpHeader> headers;
  std::string body;
};

/// With length, date-less; "Connection: close" when it is the last.
std::string FormatHttpResponse(const HttpResponse& response, bool keeps_alive);
/// The head of an answer whose body follows piece by piece until the end of the
/// connection.
std::string FormatHttpStreamHead(const HttpResponse& response);

std::string_view HttpReason(int status);

/// "a%20b+c" as it was meant, '+' being a space in queries.
std::string DecodePercent(std::string_view text, bool plus_is_space);

/// "a=1&b=2", decoded, in their order.
std::vector<HttpHeader> ReadQuery(std::string_view query);

}  // namespace sibyl::interface
