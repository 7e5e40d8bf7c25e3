// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 messages for a local server: types, and formatting of responses.
// http_reader.h parses requests. docs/decisions/0081 explains why we have our
// own server.
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

  /// The first of that name, empty when there is none; `name` in lower case.
  std::string_view Header(std::string_view name) const;
  bool Has(std::string_view name) const;
};

struct HttpResponse {
  int status = 200;
  std::vector<HttpHeader> headers;
  std::string body;
};

/// A plain text message; 503 with Retry-After.
HttpResponse TextResponse(int status, std::string_view reason);

struct ResponseForm {
  bool keeps_alive = true;  ///< Otherwise "Connection: close".
  bool has_body = true;     ///< False for HEAD: the length is stated, the body is not sent.
};

std::string FormatHttpResponse(const HttpResponse& response, ResponseForm form);
/// The head of a response whose body is streamed until the connection closes.
std::string FormatHttpStreamHead(const HttpResponse& response);

std::string_view HttpReason(int status);

/// "a=1&b=2", decoded, in the order given.
std::vector<HttpHeader> ReadQuery(std::string_view query);

}  // namespace sibyl::interface
