// SPDX-License-Identifier: Apache-2.0
#include "interface/web/http_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"

namespace sibyl::interface {
namespace {

// Eight digits are 4 GiB, more than any body; a longer number is an attempt to
// overflow, or padding.
constexpr std::size_t kMostSizeDigits = 8;
constexpr std::size_t kMostSizeLine = 256;  // with extensions, which are ignored

std::size_t MemoryOf(const HttpRequest& request) {
  std::size_t bytes = request.path.capacity() + request.query.capacity();
  for (const HttpHeader& header : request.headers) {
    bytes += sizeof(header) + header.name.capacity() + header.value.capacity();
  }
  return bytes;
}

}  // namespace

void HttpReader::Refuse(int status, std::string_view reason) {
  state_ = State::kRefused;
  refusal_ = {.status = status, .reason = reason};
  head_text_ = {};
  head_.request.body = {};
}

std::size_t HttpReader::Feed(std::string_view bytes) {
  const std::size_t all = bytes.size();
  while (!bytes.empty() && (state_ == State::kHead || state_ == State::kBody)) {
    std::size_t taken = 0;
    if (state_ == State::kHead) {
      taken = FeedHead(bytes);
    } else if (head_.framing == BodyFraming::kLength) {
      taken = FeedLength(bytes);
    } else {
      taken = FeedChunks(bytes);
    }
    wire_bytes_ += taken;
    steps_ += taken;
    bytes.remove_prefix(taken);
  }
  return all - bytes.size();
}

std::size_t HttpReader::FeedHead(std::string_view bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size() && state_ == State::kHead) FeedHeadByte(bytes[taken++]);
  return taken;
}

void HttpReader::FeedHeadByte(char c) {
  if (is_after_return_ != (c == '\n')) return Refuse(400, "lines must end with CRLF");
  is_after_return_ = c == '\r';
  const bool is_leading = head_text_.empty() || head_text_ == "\r";
  if (is_leading && c == '\r' && has_skipped_line_) return Refuse(400, "the request line is empty");
  head_text_ += c;
  if (c == '\n' && is_leading) {
    has_skipped_line_ = true;
    head_text_.clear();
    return;
  }
  if (c == '\n' && is_line_empty_) {
    steps_ += head_text_.size();
    const std::optional<HttpRefusal> refusal = ReadHttpHead(head_text_, limits_.headers, head_);
    if (refusal) return Refuse(refusal->status, refusal->reason);
    head_memory_ = MemoryOf(head_.request);
    head_text_ = {};
    state_ = State::kHeadRead;
    return;
  }
  is_line_empty_ = c == '\n' || (is_line_empty_ && c == '\r');
  if (head_text_.size() >= limits_.head_bytes) Refuse(431, "the request head is too long");
}

void HttpReader::AcceptBody(std::size_t most_bytes) {
  if (state_ != State::kHeadRead) return;
  most_body_ = std::min(most_bytes, limits_.body_bytes);
  if (!has_body()) {
    state_ = State::kComplete;
    return;
  }
  if (most_body_ == 0) return Refuse(413, "this request must not have a body");
  if (head_.framing == BodyFraming::kLength && head_.length > most_body_) {
    return Refuse(413, "the body is too long");
  }
  state_ = State::kBody;
}

std::size_t HttpReader::FeedLength(std::string_view bytes) {
  const std::size_t taken = std::min(bytes.size(), head_.length - head_.request.body.size());
  head_.request.body += bytes.substr(0, taken);
  if (head_.request.body.size() == head_.length) state_ = State::kComplete;
  return taken;
}

std::size_t HttpReader::FeedChunks(std::string_view bytes) {
  if (chunk_ == Chunk::kData) {  // its size was checked when it was read
    const std::size_t taken = std::min(bytes.size(), chunk_left_);
    head_.request.body += bytes.substr(0, taken);
    body_wire_ += taken;
    chunk_left_ -= taken;
    if (chunk_left_ == 0) chunk_ = Chunk::kDataEnd;
    return taken;
  }
  if (++body_wire_ > most_body_) {
    Refuse(413, "the body is too long");
  } else {
    FeedFraming(bytes.front());
  }
  return 1;
}

void HttpReader::FeedFraming(char c) {
  switch (chunk_) {
    case Chunk::kSize:
      return FeedChunkSize(c);
    case Chunk::kExtension:
      return FeedChunkExtension(c);
    case Chunk::kSizeEnd:
      if (c != '\n') return Refuse(400, "lines must end with CRLF");
      return EndChunkSize();
    case Chunk::kDataEnd:
      if (c != '\r') return Refuse(400, "a chunk is longer than its size");
      chunk_ = Chunk::kDataLineFeed;
      return;
    case Chunk::kDataLineFeed:
      if (c != '\n') return Refuse(400, "a chunk is longer than its size");
      chunk_ = Chunk::kSize;
      return;
    case Chunk::kLastEnd:
      if (c != '\r') return Refuse(400, "trailers after the last chunk are not accepted");
      chunk_ = Chunk::kLastLineFeed;
      return;
    case Chunk::kLastLineFeed:
      if (c != '\n') return Refuse(400, "lines must end with CRLF");
      state_ = State::kComplete;
      return;
    case Chunk::kData:
      return;  // not framing
  }
}

void HttpReader::FeedChunkSize(char c) {
  const int digit = HexValue(c);
  if (digit >= 0) {
    if (++chunk_line_ > kMostSizeDigits) return Refuse(400, "a chunk size has too many digits");
    chunk_size_ = chunk_size_ * 16 + static_cast<std::size_t>(digit);
    return;
  }
  if (chunk_line_ == 0 || (c != '\r' && c != ';')) return Refuse(400, "malformed chunk size");
  ++chunk_line_;
  chunk_ = c == '\r' ? Chunk::kSizeEnd : Chunk::kExtension;
}

void HttpReader::FeedChunkExtension(char c) {
  if (++chunk_line_ > kMostSizeLine) return Refuse(400, "a chunk extension is too long");
  if (c == '\r') {
    chunk_ = Chunk::kSizeEnd;
    return;
  }
  const bool is_control = (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f';
  if (is_control) Refuse(400, "malformed chunk extension");
}

void HttpReader::EndChunkSize() {
  if (chunk_size_ > most_body_ - body_wire_) return Refuse(413, "the body is too long");
  chunk_ = chunk_size_ == 0 ? Chunk::kLastEnd : Chunk::kData;
  chunk_left_ = std::exchange(chunk_size_, 0);
  chunk_line_ = 0;
}

HttpRequest HttpReader::Take() {
  HttpRequest request = std::move(head_.request);
  const std::uint64_t steps = steps_;
  *this = HttpReader(limits_);
  steps_ = steps;
  return request;
}

}  // namespace sibyl::interface
