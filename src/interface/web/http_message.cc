// SPDX-License-Identifier: Apache-2.0
#include "interface/web/http_message.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/percent.h"

namespace sibyl::interface {
namespace {}  // namespace

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

std::string_view HttpReason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
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
    case 429:
      return "Too Many Requests";
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
  // Browsers must not guess a type; caches must not keep what does not say so.
  head += "X-Content-Type-Options: nosniff\r\n";
  const bool has_rule =
      std::any_of(response.headers.begin(), response.headers.end(),
                  [](const HttpHeader& header) { return header.name == "Cache-Control"; });
  if (!has_rule) head += "Cache-Control: no-store\r\n";
  return head;
}

}  // namespace

HttpResponse TextResponse(int status, std::string_view reason) {
  HttpResponse response{.status = status,
                        .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
                        .body = fmt::format("{}\n", reason)};
  if (status == 503) response.headers.push_back({"Retry-After", "5"});
  return response;
}

std::string FormatHttpResponse(const HttpResponse& response, ResponseForm form) {
  std::string text = Head(response);
  const bool has_length = response.status != 204 && response.status != 304;
  if (has_length) text += fmt::format("Content-Length: {}\r\n", response.body.size());
  if (!form.keeps_alive) text += "Connection: close\r\n";
  text += "\r\n";
  if (has_length && form.has_body) text += response.body;
  return text;
}

std::string FormatHttpStreamHead(const HttpResponse& response) {
  return Head(response) + "X-Accel-Buffering: no\r\nConnection: close\r\n\r\n";
}

std::vector<HttpHeader> ReadQuery(std::string_view query) {
  std::vector<HttpHeader> values;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    values.push_back({.name = DecodePercentLeniently(pair.substr(0, equals), PlusSign::kSpace),
                      .value = DecodePercentLeniently(
                          pair.substr(std::min(equals + 1, pair.size())), PlusSign::kSpace)});
  }
  return values;
}

}  // namespace sibyl::interface
