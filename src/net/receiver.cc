// SPDX-License-Identifier: Apache-2.0
#include "net/receiver.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/numbers.h"
#include "base/strings.h"

namespace sibyl::net {
namespace {

// The library's count of received bytes lags by its buffer.
constexpr std::uint64_t kReadBuffer = std::uint64_t{32} << 10;
// Shorter than this nothing can hurt, however small it was on the wire.
constexpr std::uint64_t kHarmless = std::uint64_t{1} << 20;
// The body of a redirect is not needed.
constexpr std::uint64_t kRedirectBody = std::uint64_t{64} << 10;

// "HTTP/1.1 200 OK" or "HTTP/2 200"; 0 for anything else.
int StatusOf(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || line.size() < space + 4) return 0;
  int status = 0;
  const char* start = line.data() + space + 1;
  const auto [stopped, error] = std::from_chars(start, start + 3, status);
  return error == std::errc() && stopped == start + 3 ? status : 0;
}

std::optional<std::uint64_t> LengthOf(const Headers& headers) {
  const auto value = headers.Find("Content-Length");
  return value ? ParseNumber<std::uint64_t>(*value) : std::nullopt;
}

}  // namespace

TransferStep Receiver::Refuse(ErrorKind kind, std::string message, std::string hint) {
  error_ = Error{.kind = kind, .message = std::move(message), .hint = std::move(hint)};
  return TransferStep::kRefuse;
}

bool Receiver::IsWelcome() const {
  const auto value = response_.headers.Find("Content-Type");
  if (request_.types.empty() || !value) return true;
  const std::string type = ParseContentType(*value).type;
  return std::any_of(request_.types.begin(), request_.types.end(), [&](std::string_view wanted) {
    if (wanted == "*/*" || wanted == type) return true;
    return wanted.ends_with("/*") && type.starts_with(wanted.substr(0, wanted.size() - 1));
  });
}

TransferStep Receiver::EndHeaders() {
  headers_ended_ = true;
  if (response_.status == 206) {
    return Refuse(ErrorKind::kCorrupt, "the server sent a partial response that was not requested");
  }
  if (response_.Succeeded() && !IsWelcome()) {
    return Refuse(ErrorKind::kUsage,
                  fmt::format("the server sent '{}', which is none of: {}",
                              response_.headers.Find("Content-Type").value_or(""),
                              Join(request_.types, ", ")));
  }
  const auto length = LengthOf(response_.headers);
  const bool is_compressed = response_.headers.Find("Content-Encoding").has_value();
  const std::uint64_t limit =
      is_compressed ? request_.limits.wire_bytes
                    : std::min(request_.limits.wire_bytes, request_.limits.body_bytes);
  if (response_.Succeeded() && length && *length > limit) {
    return Refuse(ErrorKind::kUsage,
                  fmt::format("the body has {} bytes; the limit is {}", *length, limit));
  }
  return TransferStep::kGoOn;
}

TransferStep Receiver::TakeHeaderLine(std::string_view line) {
  header_bytes_ += line.size();
  if (header_bytes_ > request_.limits.header_bytes) {
    return Refuse(ErrorKind::kCorrupt, fmt::format("the headers are longer than {} bytes",
                                                   request_.limits.header_bytes));
  }
  if (Charge() == TransferStep::kRefuse) return TransferStep::kRefuse;
  if (headers_ended_) return TransferStep::kGoOn;  // trailers: nothing we act on
  const std::string_view text = Trim(line);
  if (text.starts_with("HTTP/")) {
    response_.headers.Clear();
    response_.status = StatusOf(text);
  } else if (text.empty()) {
    // 1xx is a word before the answer.
    return response_.status >= 200 ? EndHeaders() : TransferStep::kGoOn;
  } else if (auto header = ParseHeaderLine(text)) {
    response_.headers.Add(*std::move(header));
  }
  return TransferStep::kGoOn;
}

TransferStep Receiver::TakeBody(std::string_view piece) {
  response_.body_bytes += piece.size();
  const bool is_redirect = response_.status >= 300 && response_.status < 400;
  if (is_redirect) {
    was_enough_ = response_.body_bytes > kRedirectBody;
    return was_enough_ ? TransferStep::kEnough : TransferStep::kGoOn;
  }
  if (response_.body_bytes > request_.limits.body_bytes) {
    return Refuse(ErrorKind::kUsage, fmt::format("the body is longer than the limit of {} bytes",
                                                 request_.limits.body_bytes));
  }
  const std::uint64_t most = (response_.wire_bytes + kReadBuffer) * request_.limits.expansion;
  if (response_.body_bytes > kHarmless && response_.body_bytes > most) {
    return Refuse(ErrorKind::kCorrupt,
                  fmt::format("{} bytes decompress to more than {}: a decompression bomb",
                              response_.wire_bytes, response_.body_bytes));
  }
  if (!request_.on_chunk || !response_.Succeeded()) {
    response_.body.append(piece);
    return TransferStep::kGoOn;
  }
  has_streamed_ = true;
  if (Status taken = request_.on_chunk(piece); !taken.ok()) {
    error_ = std::move(taken).error();
    return TransferStep::kRefuse;
  }
  return TransferStep::kGoOn;
}

TransferStep Receiver::CountWire(std::uint64_t body_bytes_on_wire) {
  body_on_wire_ = std::max(body_on_wire_, body_bytes_on_wire);
  if (body_on_wire_ > request_.limits.wire_bytes) {
    return Refuse(ErrorKind::kUsage, fmt::format("the transfer exceeds the limit of {} bytes",
                                                 request_.limits.wire_bytes));
  }
  return Charge();
}

TransferStep Receiver::Charge() {
  const std::uint64_t arrived = header_bytes_ + body_on_wire_ - response_.wire_bytes;
  response_.wire_bytes += arrived;
  if (budget_ == nullptr || arrived == 0) return TransferStep::kGoOn;
  if (Status taken = budget_->TakeBytes(arrived); !taken.ok()) {
    error_ = std::move(taken).error();
    return TransferStep::kRefuse;
  }
  return TransferStep::kGoOn;
}

}  // namespace sibyl::net
