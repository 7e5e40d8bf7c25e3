// SPDX-License-Identifier: Apache-2.0
#include "interface/web/http_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/strings.h"

namespace sibyl::interface {
namespace {

using State = HttpReading::State;

constexpr std::string_view kLineEnd = "\r\n";

HttpReading Refused(int status, std::string_view reason) {
  return {.state = State::kRefused, .status = status, .reason = reason};
}

bool IsTokenCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsTokenCharacter);
}

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

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "GET /path?query HTTP/1.1"; false when it is no such line.
bool ReadRequestLine(std::string_view line, HttpRequest& request, bool& is_old) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || last == first) return false;
  const std::string_view method = line.substr(0, first);
  std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  is_old = version == "HTTP/1.0";
  if (!IsToken(method) || (!is_old && version != "HTTP/1.1")) return false;
  // Proxies send the whole address; whose it is says the Host header.
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!target.starts_with(scheme)) continue;
    const std::size_t slash = target.find('/', scheme.size());
    target = slash == std::string_view::npos ? "/" : target.substr(slash);
  }
  if (!target.starts_with('/') || target.find_first_of(" #") != std::string_view::npos ||
      !IsHeaderValue(target)) {
    return false;
  }
  const std::size_t mark = target.find('?');
  request.method = method;
  request.path = DecodePercent(target.substr(0, mark), false);
  if (mark != std::string_view::npos) request.query = target.substr(mark + 1);
  return request.path.find('\0') == std::string::npos;
}

std::optional<HttpReading> ReadHeaders(std::string_view head, const HttpLimits& limits,
                                       HttpRequest& request) {
  while (!head.empty()) {
    const std::size_t end = std::min(head.find(kLineEnd), head.size());
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + kLineEnd.size(), head.size()));
    const std::size_t colon = line.find(':');
    const bool is_header = colon != std::string_view::npos && IsToken(line.substr(0, colon)) &&
                           IsHeaderValue(line.substr(colon + 1));
    if (!is_header) return Refused(400, "a header line that is none");
    if (request.headers.size() >= limits.headers) return Refused(431, "too many headers");
    request.headers.push_back({.name = LowerCase(line.substr(0, colon)),
                               .value = std::string(TrimBlanks(line.substr(colon + 1)))});
  }
  return std::nullopt;
}

// What must stand once or not at all; two of them are two opinions.
std::optional<HttpReading> CheckHeaders(const HttpRequest& request, bool is_old) {
  const auto count = [&](std::string_view name) {
    return std::count_if(request.headers.begin(), request.headers.end(),
                         [&](const HttpHeader& header) { return header.name == name; });
  };
  if (count("host") > 1 || (count("host") == 0 && !is_old)) return Refused(400, "no single Host");
  for (const std::string_view name :
       {"content-length", "transfer-encoding", "authorization", "origin", "content-type",
        "mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name"}) {
    if (count(name) > 1) return Refused(400, "a header that stands twice");
  }
  if (request.Has("content-length") && request.Has("transfer-encoding")) {
    return Refused(400, "two lengths of one body");
  }
  if (request.Has("transfer-encoding") &&
      !EqualsIgnoringCase(request.Header("transfer-encoding"), "chunked")) {
    return Refused(501, "a transfer encoding that is not known");
  }
  return std::nullopt;
}

std::optional<std::size_t> ReadNumber(std::string_view digits, int base) {
  std::size_t value = 0;
  const char* stop = digits.data() + digits.size();
  const auto [end, failure] = std::from_chars(digits.data(), stop, value, base);
  if (digits.empty() || failure != std::errc() || end != stop) return std::nullopt;
  return value;
}

// The chunks behind the head into the body.
HttpReading ReadChunks(std::string_view bytes, std::size_t head, const HttpLimits& limits,
                       HttpRequest request) {
  constexpr std::size_t kLongestSize = 256;  // with extensions, which are not looked at
  std::size_t at = head;
  while (true) {
    const std::string_view rest = bytes.substr(at);
    const std::size_t end = rest.substr(0, kLongestSize).find(kLineEnd);
    if (end == std::string_view::npos) {
      if (rest.size() >= kLongestSize) return Refused(400, "a chunk without a size");
      return {};
    }
    const std::string_view digits = rest.substr(0, std::min(rest.find(';'), end));
    const std::optional<std::size_t> size = ReadNumber(TrimBlanks(digits), 16);
    if (!size) return Refused(400, "a chunk without a size");
    if (*size > limits.body_bytes - request.body.size())
      return Refused(413, "the body is too long");
    const std::size_t data = at + end + kLineEnd.size();
    if (bytes.size() < data + *size + kLineEnd.size()) return {};
    if (bytes.substr(data + *size, kLineEnd.size()) != kLineEnd) {
      // Behind the last chunk there may be trailers, which nobody here sends.
      return Refused(400, "a chunk that is longer than it says");
    }
    request.body += bytes.substr(data, *size);
    at = data + *size + kLineEnd.size();
    if (*size == 0) break;
  }
  return {.state = State::kComplete, .request = std::move(request), .consumed = at};
}

}  // namespace

std::string_view HttpRequest::Header(std::string_view name) const {
  for (const HttpHeader& header : headers) {
    if (header.name == name) return header.value;
  }
  return {};
}

bool HttpRequest::Has(std::string_view name) const {
  return std::any_of(headers.begin(), headers.end(),
                     [&](const HttpHeader& header) { return header.name == name; });
}

HttpReading ReadHttpRequest(std::string_view bytes, const HttpLimits& limits) {
  // Some clients put an empty line between two requests.
  const std::size_t skipped = bytes.starts_with(kLineEnd) ? kLineEnd.size() : 0;
  const std::string_view rest = bytes.substr(skipped);
  const std::size_t end = rest.substr(0, limits.head_bytes).find("\r\n\r\n");
  if (end == std::string_view::npos) {
    if (rest.size() >= limits.head_bytes) return Refused(431, "the head is too long");
    return {};
  }
  const std::string_view head = rest.substr(0, end + kLineEnd.size());
  const std::size_t line_end = head.find(kLineEnd);
  HttpRequest request;
  bool is_old = false;
  if (!ReadRequestLine(head.substr(0, line_end), request, is_old)) {
    return Refused(400, "the first line is no request of HTTP/1.1");
  }
  if (auto refused = ReadHeaders(head.substr(line_end + kLineEnd.size()), limits, request)) {
    return *std::move(refused);
  }
  if (auto refused = CheckHeaders(request, is_old)) return *std::move(refused);
  const std::string connection = LowerCase(request.Header("connection"));
  request.keeps_alive = is_old ? connection.find("keep-alive") != std::string::npos
                               : connection.find("close") == std::string::npos;
  const std::size_t body = skipped + end + 4;
  const bool waits = EqualsIgnoringCase(request.Header("expect"), "100-continue");
  HttpReading reading;
  if (request.Has("transfer-encoding")) {
    reading = ReadChunks(bytes, body, limits, std::move(request));
  } else {
    std::size_t length = 0;
    if (request.Has("content-length")) {
      const auto given = ReadNumber(request.Header("content-length"), 10);
      if (!given) return Refused(400, "a length that is no number");
      length = *given;
    }
    if (length > limits.body_bytes) return Refused(413, "the body is too long");
    if (bytes.size() - body >= length) {
      request.body = bytes.substr(body, length);
      reading = {
          .state = State::kComplete, .request = std::move(request), .consumed = body + length};
    }
  }
  reading.waits_for_leave = waits && reading.state == State::kIncomplete;
  return reading;
}

std::string_view HttpReason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    default:
      return "Unknown";
  }
}

namespace {

std::string Head(const HttpResponse& response) {
  std::string head =
      fmt::format("HTTP/1.1 {} {}\r\n", response.status, HttpReason(response.status));
  for (const HttpHeader& header : response.headers) {
    head += fmt::format("{}: {}\r\n", header.name, header.value);
  }
  // Nothing here is to be taken for a page, framed, or kept by a proxy.
  head += "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n";
  return head;
}

}  // namespace

std::string FormatHttpResponse(const HttpResponse& response, bool keeps_alive) {
  std::string text = Head(response);
  if (response.status != 204) text += fmt::format("Content-Length: {}\r\n", response.body.size());
  if (!keeps_alive) text += "Connection: close\r\n";
  return text + "\r\n" + response.body;
}

std::string FormatHttpStreamHead(const HttpResponse& response) {
  return Head(response) + "X-Accel-Buffering: no\r\nConnection: close\r\n\r\n";
}

std::string DecodePercent(std::string_view text, bool plus_is_space) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool has_two = text[i] == '%' && text.size() - i > 2;
    const int high = has_two ? HexDigit(text[i + 1]) : -1;
    const int low = has_two ? HexDigit(text[i + 2]) : -1;
    if (high >= 0 && low >= 0) {
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      decoded += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

std::vector<HttpHeader> ReadQuery(std::string_view query) {
  std::vector<HttpHeader> values;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    values.push_back(
        {.name = DecodePercent(pair.substr(0, equals), true),
         .value = DecodePercent(pair.substr(std::min(equals + 1, pair.size())), true)});
  }
  return values;
}

}  // namespace sibyl::interface
