// SPDX-License-Identifier: Apache-2.0
#include "interface/web/http_head.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/http_token.h"
#include "base/numbers.h"
#include "base/percent.h"
#include "base/strings.h"

namespace sibyl::interface {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

bool IsHeaderValue(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' ? c != '\t' : c == '\x7f';
  });
}

std::string_view TrimBlanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

struct RequestLine {
  std::string_view authority;  // of an absolute target, as proxies send it
  bool is_version_1_0 = false;
};

// "GET /path?query HTTP/1.1"
std::optional<RequestLine> ReadRequestLine(std::string_view line, HttpRequest& request) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || last == first) return std::nullopt;
  const std::string_view method = line.substr(0, first);
  std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  RequestLine read{.authority = {}, .is_version_1_0 = version == "HTTP/1.0"};
  if (!IsHttpToken(method) || (!read.is_version_1_0 && version != "HTTP/1.1")) return std::nullopt;
  if (target.find_first_of(" #") != std::string_view::npos || !IsHeaderValue(target)) {
    return std::nullopt;
  }
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!target.starts_with(scheme)) continue;
    const std::size_t end = std::min(target.find_first_of("/?", scheme.size()), target.size());
    read.authority = target.substr(scheme.size(), end - scheme.size());
    if (read.authority.empty()) return std::nullopt;
    target = end == target.size() ? "/" : target.substr(end);
  }
  if (!target.starts_with('/')) return std::nullopt;
  const std::size_t mark = target.find('?');
  request.method = method;
  request.path = DecodePercentLeniently(target.substr(0, mark));
  if (mark != std::string_view::npos) request.query = target.substr(mark + 1);
  if (request.path.find('\0') != std::string::npos) return std::nullopt;
  return read;
}

std::optional<HttpRefusal> ReadHeaders(std::string_view lines, std::size_t most,
                                       HttpRequest& request) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find(kLineEnd), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + kLineEnd.size(), lines.size()));
    const std::size_t colon = line.find(':');
    const bool is_header = colon != std::string_view::npos && IsHttpToken(line.substr(0, colon)) &&
                           IsHeaderValue(line.substr(colon + 1));
    if (!is_header) return HttpRefusal{400, "malformed header line"};
    if (request.headers.size() >= most) return HttpRefusal{431, "too many headers"};
    request.headers.push_back({.name = LowerCase(line.substr(0, colon)),
                               .value = std::string(TrimBlanks(line.substr(colon + 1)))});
  }
  return std::nullopt;
}

std::size_t CountOf(const HttpRequest& request, std::string_view name) {
  return static_cast<std::size_t>(
      std::count_if(request.headers.begin(), request.headers.end(),
                    [&](const HttpHeader& header) { return header.name == name; }));
}

// Whether one of the comma-separated words of the Connection headers is `word`.
bool ConnectionSays(const HttpRequest& request, std::string_view word) {
  for (const HttpHeader& header : request.headers) {
    if (header.name != "connection") continue;
    std::string_view rest = header.value;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      if (EqualsIgnoringCase(TrimBlanks(rest.substr(0, comma)), word)) return true;
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return false;
}

// Headers that matter here must not be repeated: which one counts would depend
// on the parser.
std::optional<HttpRefusal> CheckHeaders(const HttpRequest& request, const RequestLine& line) {
  constexpr std::array<std::string_view, 13> kSingle = {
      "content-length", "transfer-encoding",    "authorization",
      "origin",         "content-type",         "sec-fetch-site",
      "expect",         "mcp-session-id",       "mcp-method",
      "mcp-name",       "mcp-protocol-version", "sec-fetch-mode",
      "sec-fetch-dest"};
  const std::size_t hosts = CountOf(request, "host");
  if (hosts > 1 || (hosts == 0 && !line.is_version_1_0)) {
    return HttpRefusal{400, "exactly one Host header is required"};
  }
  if (!line.authority.empty() && !EqualsIgnoringCase(line.authority, request.Header("host"))) {
    return HttpRefusal{400, "the request target and the Host header name different servers"};
  }
  for (const std::string_view name : kSingle) {
    if (CountOf(request, name) > 1) return HttpRefusal{400, "a header is repeated"};
  }
  if (!request.Has("transfer-encoding")) return std::nullopt;
  if (request.Has("content-length")) {
    return HttpRefusal{400, "Content-Length and Transfer-Encoding must not be combined"};
  }
  if (line.is_version_1_0) return HttpRefusal{400, "Transfer-Encoding in HTTP/1.0"};
  if (!EqualsIgnoringCase(request.Header("transfer-encoding"), "chunked")) {
    return HttpRefusal{501, "unsupported Transfer-Encoding"};
  }
  return std::nullopt;
}

std::optional<std::size_t> ReadLength(std::string_view digits) {
  constexpr std::size_t kMostDigits = 19;
  if (digits.size() > kMostDigits) return std::nullopt;
  return ParseNumber<std::size_t>(digits);
}

}  // namespace

std::optional<HttpRefusal> ReadHttpHead(std::string_view text, std::size_t most_headers,
                                        HttpHead& head) {
  const std::size_t line_end = text.find(kLineEnd);
  HttpRequest& request = head.request;
  const std::optional<RequestLine> line = ReadRequestLine(text.substr(0, line_end), request);
  if (!line) return HttpRefusal{400, "the first line is not an HTTP/1.1 request line"};
  const std::size_t begin = line_end + kLineEnd.size();
  const std::string_view lines = text.substr(begin, text.size() - begin - kLineEnd.size());
  if (auto refusal = ReadHeaders(lines, most_headers, request)) return refusal;
  if (auto refusal = CheckHeaders(request, *line)) return refusal;
  request.keeps_alive = line->is_version_1_0 ? ConnectionSays(request, "keep-alive")
                                             : !ConnectionSays(request, "close");
  head.expects_continue = EqualsIgnoringCase(request.Header("expect"), "100-continue");
  if (request.Has("transfer-encoding")) head.framing = BodyFraming::kChunked;
  if (request.Has("content-length")) {
    const std::optional<std::size_t> length = ReadLength(request.Header("content-length"));
    if (!length) return HttpRefusal{400, "Content-Length is not a number"};
    head.length = *length;
    head.framing = *length == 0 ? BodyFraming::kNone : BodyFraming::kLength;
  }
  return std::nullopt;
}

}  // namespace sibyl::interface
