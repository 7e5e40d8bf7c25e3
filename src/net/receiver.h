// SPDX-License-Identifier: Apache-2.0
// Receives a response line by line and piece by piece, and enforces the limits.
// Independent of libcurl, so that tests can feed it any bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/transfer.h"

namespace sibyl::net {

/// How to continue a transfer after a piece was received.
enum class TransferStep {
  kGoOn,
  kEnough,  ///< Everything needed has arrived; the rest is not read.
  kRefuse,  ///< error() says why.
};

class Receiver {
 public:
  Receiver(const Request& request, Budget* budget) : request_(request), budget_(budget) {}

  /// One line of the headers with its end, the status line and the empty last
  /// line included.
  TransferStep TakeHeaderLine(std::string_view line);

  /// A piece of the body, decompressed.
  TransferStep TakeBody(std::string_view piece);

  /// How much of the body has come over the wire so far.
  TransferStep CountWire(std::uint64_t body_bytes_on_wire);

  /// The headers are complete: otherwise there is no response, although libcurl
  /// accepts a connection that ends within them.
  bool headers_ended() const { return headers_ended_; }
  bool was_enough() const { return was_enough_; }
  const std::optional<Error>& error() const { return error_; }
  const Response& response() const { return response_; }
  bool has_streamed() const { return has_streamed_; }

  Response TakeResponse() { return std::move(response_); }

 private:
  TransferStep Refuse(ErrorKind kind, std::string message, std::string hint = {});
  TransferStep EndHeaders();
  TransferStep Charge();
  bool IsWelcome() const;

  const Request& request_;
  Budget* budget_;
  Response response_;
  std::optional<Error> error_;
  std::uint64_t header_bytes_ = 0;
  std::uint64_t body_on_wire_ = 0;
  bool headers_ended_ = false;
  bool has_streamed_ = false;
  bool was_enough_ = false;
};

}  // namespace sibyl::net
