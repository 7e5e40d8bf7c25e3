// SPDX-License-Identifier: Apache-2.0
// Parses HTTP/1.1 requests from a connection incrementally.
//
//   kHead --> kHeadRead --AcceptBody--> kBody --> kComplete --Take--> kHead
//
// Parsing stops after the head, so that a request can be refused before a byte
// of its body is read. Every byte is processed a fixed number of times, and
// every byte on the wire counts towards a limit, including chunk framing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "interface/web/http_head.h"
#include "interface/web/http_message.h"

namespace sibyl::interface {

struct HttpLimits {
  std::size_t head_bytes = std::size_t{16} << 10;
  std::size_t headers = 64;
  /// Everything after the head, chunk sizes and line ends included.
  std::size_t body_bytes = std::size_t{8} << 20;
};

class HttpReader {
 public:
  enum class State : std::uint8_t { kHead, kHeadRead, kBody, kComplete, kRefused };

  explicit HttpReader(const HttpLimits& limits) : limits_(limits) {}

  /// Returns how many of `bytes` were consumed; fewer than all of them when the
  /// head or the request is complete, or the request is refused. The result
  /// does not depend on how the bytes are split into calls.
  std::size_t Feed(std::string_view bytes);

  State state() const { return state_; }
  /// From kHeadRead to kComplete.
  const HttpRequest& request() const { return head_.request; }
  bool has_body() const { return head_.framing != BodyFraming::kNone; }
  bool expects_continue() const { return head_.expects_continue; }
  /// Valid after kRefused.
  const HttpRefusal& refusal() const { return refusal_; }
  /// Whether any byte of the current request has arrived.
  bool has_begun() const { return wire_bytes_ > 0; }

  /// In kHeadRead: the body may come, with at most `most_bytes` on the wire (and
  /// never more than the limits allow). kComplete at once if there is none.
  void AcceptBody(std::size_t most_bytes);

  /// In kComplete: the request; the reader is ready for the next one.
  HttpRequest Take();

  /// The size of the current request, as received.
  std::size_t wire_bytes() const { return wire_bytes_; }
  /// Bytes of memory held for the current request.
  std::size_t buffered_bytes() const {
    return head_text_.capacity() + head_memory_ + head_.request.body.capacity();
  }
  /// Bytes processed or copied so far; for tests of linearity.
  std::uint64_t steps() const { return steps_; }

 private:
  enum class Chunk : std::uint8_t {
    kSize,
    kExtension,
    kSizeEnd,
    kData,
    kDataEnd,
    kDataLineFeed,
    kLastEnd,
    kLastLineFeed,
  };

  std::size_t FeedHead(std::string_view bytes);
  void FeedHeadByte(char c);
  std::size_t FeedLength(std::string_view bytes);
  std::size_t FeedChunks(std::string_view bytes);
  void FeedFraming(char c);
  void FeedChunkSize(char c);
  void FeedChunkExtension(char c);
  void EndChunkSize();
  void Refuse(int status, std::string_view reason);

  HttpLimits limits_;
  State state_ = State::kHead;
  HttpRefusal refusal_;
  HttpHead head_;
  std::size_t wire_bytes_ = 0;
  std::uint64_t steps_ = 0;

  std::string head_text_;
  std::size_t head_memory_ = 0;  // of the parsed head
  bool is_line_empty_ = true;
  bool is_after_return_ = false;   // the last byte of the head was CR
  bool has_skipped_line_ = false;  // one empty line before a request is tolerated

  std::size_t most_body_ = 0;  // on the wire
  std::size_t body_wire_ = 0;
  Chunk chunk_ = Chunk::kSize;
  std::size_t chunk_size_ = 0;
  std::size_t chunk_line_ = 0;  // bytes of the current size line
  std::size_t chunk_left_ = 0;
};

}  // namespace sibyl::interface
