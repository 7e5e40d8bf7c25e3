// SPDX-License-Identifier: Apache-2.0
// Parses the head of an HTTP/1.1 request: the request line and the headers.
// Strict wherever two parsers could disagree about the end or the host of a
// request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "interface/web/http_message.h"

namespace sibyl::interface {

struct HttpRefusal {
  int status = 400;
  std::string_view reason = {};  ///< A literal.
};

enum class BodyFraming : std::uint8_t { kNone, kLength, kChunked };

struct HttpHead {
  HttpRequest request;  ///< Without a body.
  BodyFraming framing = BodyFraming::kNone;
  std::size_t length = 0;  ///< For kLength.
  bool expects_continue = false;
};

/// `text` ends with the empty line, and every line with CRLF. Linear in `text`.
std::optional<HttpRefusal> ReadHttpHead(std::string_view text, std::size_t most_headers,
                                        HttpHead& head);

}  // namespace sibyl::interface
