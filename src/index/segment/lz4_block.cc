// SPDX-License-Identifier: Apache-2.0
#include "index/segment/lz4_block.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "index/mix.h"

namespace sibyl::index {
namespace {

// Required by the format: the last five bytes are not part of a match, and the last match
// begins at least twelve bytes before the end. Bytes are copied 16 at a time, hence the longer
// distance.
constexpr std::size_t kBytesAfterMatches = 5;
constexpr std::size_t kBytesAfterLastStart = 16;
constexpr std::size_t kShortestMatch = 8;  // ours
constexpr std::size_t kCountedMatch = 4;   // the format's: lengths count from here
constexpr std::size_t kLongLength = 15;    // in either half of a token
constexpr unsigned kTableBits = 13;
// After so many bytes without a match, only every second position is tried, then every third…
constexpr unsigned kPatienceBits = 5;

class Lz4Block {
 public:
  Lz4Block(std::string_view text, char* out)
      : text_(text.data()), end_(text.data() + text.size()), literals_(text_), out_(out) {}

  void Pack() {
    if (end_ - text_ <= static_cast<std::ptrdiff_t>(2 * kBytesAfterLastStart)) return;
    const char* const stop = end_ - kBytesAfterLastStart;
    const char* at = text_ + 1;
    while (const char* match = FindMatch(at, stop)) {
      while (at > literals_ && match > text_ && at[-1] == match[-1]) {
        --at;
        --match;
      }
      const char* const match_end = MatchEnd(at, match);
      WriteLiterals(at);
      WriteMatch(static_cast<std::size_t>(at - match), static_cast<std::size_t>(match_end - at));
      at = literals_ = match_end;
      if (at >= stop) return;
      PlaceOf(at - 2) = static_cast<std::uint16_t>(at - 2 - text_);
    }
  }

  /// Writes the literals after the last match, and the end.
  char* Finish() {
    const auto bytes = static_cast<std::size_t>(end_ - literals_);
    *out_++ = Token(bytes);
    WriteRest(bytes);
    std::memcpy(out_, literals_, bytes);
    return out_ + bytes;
  }

 private:
  std::uint16_t& PlaceOf(const char* at) {
    return places_[Load64(at) * 0x9E3779B97F4A7C15U >> (64 - kTableBits)];
  }

  /// Moves `at` to the next bytes that occurred before and returns where; null if there are
  /// none.
  const char* FindMatch(const char*& at, const char* stop) {
    for (unsigned step = 1U << kPatienceBits; at < stop; at += step++ >> kPatienceBits) {
      std::uint16_t& place = PlaceOf(at);
      const char* const match = text_ + place;
      place = static_cast<std::uint16_t>(at - text_);
      if (Load64(match) == Load64(at)) return match;
    }
    return nullptr;
  }

  const char* MatchEnd(const char* at, const char* match) const {
    const char* const limit = end_ - kBytesAfterMatches;
    const std::ptrdiff_t distance = at - match;
    at += kShortestMatch;
    while (at + sizeof(std::uint64_t) <= limit) {
      const std::uint64_t unlike = Load64(at) ^ Load64(at - distance);
      if (unlike != 0) return at + std::countr_zero(unlike) / 8;
      at += sizeof(std::uint64_t);
    }
    while (at < limit && *at == at[-distance]) ++at;
    return at;
  }

  static char Token(std::size_t literals) {
    return static_cast<char>((literals < kLongLength ? literals : kLongLength) << 4);
  }

  void WriteRest(std::size_t length) {
    if (length < kLongLength) return;
    for (length -= kLongLength; length >= 255; length -= 255) *out_++ = '\xFF';
    *out_++ = static_cast<char>(length);
  }

  void WriteLiterals(const char* end) {
    const auto bytes = static_cast<std::size_t>(end - literals_);
    token_ = out_++;
    *token_ = Token(bytes);
    WriteRest(bytes);
    for (std::size_t i = 0; i < bytes; i += 16) std::memcpy(out_ + i, literals_ + i, 16);
    out_ += bytes;
  }

  void WriteMatch(std::size_t distance, std::size_t bytes) {
    *out_++ = static_cast<char>(distance & 0xFF);
    *out_++ = static_cast<char>(distance >> 8);
    const std::size_t length = bytes - kCountedMatch;
    *token_ =
        static_cast<char>(*token_ | static_cast<char>(length < kLongLength ? length : kLongLength));
    WriteRest(length);
  }

  const char* const text_;
  const char* const end_;
  const char* literals_;  // not yet written
  char* out_;
  char* token_ = nullptr;
  std::array<std::uint16_t, std::size_t{1} << kTableBits> places_{};
};

}  // namespace

std::size_t PackLz4Block(std::string_view text, char* out) {
  Lz4Block block(text, out);
  block.Pack();
  return static_cast<std::size_t>(block.Finish() - out);
}

}  // namespace sibyl::index
