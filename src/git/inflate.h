// SPDX-License-Identifier: Apache-2.0
// Decompresses whole zlib streams with libdeflate: twice the speed of zlib on
// source files, and it never writes past the given buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl::git {

class Inflater {
 public:
  Inflater();
  ~Inflater();
  Inflater(Inflater&&) noexcept;
  Inflater& operator=(Inflater&&) noexcept;

  /// Fills exactly `size` bytes at `out` from the stream at the front of
  /// `compressed`; what follows the stream is ignored. False when the stream is
  /// broken or has another length.
  bool Fill(std::string_view compressed, char* out, std::size_t size) {
    return FillCounting(compressed, out, size).has_value();
  }

  /// Like Fill; returns how many compressed bytes the stream has.
  std::optional<std::size_t> FillCounting(std::string_view compressed, char* out, std::size_t size);

  /// Whether one of the first bytes of the stream is NUL, as in most binary
  /// files. False decides nothing.
  bool BeginsWithNul(std::string_view compressed);

  enum class Ended { kWhole, kNoRoom, kBroken };

  /// Decodes a stream of unknown length: at most `room` bytes; `size` is how many there were.
  Ended FillUpTo(std::string_view compressed, char* out, std::size_t room, std::size_t& size);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Compresses for our own packs: fast rather than small.
class Deflater {
 public:
  Deflater();
  ~Deflater();
  Deflater(Deflater&&) noexcept;
  Deflater& operator=(Deflater&&) noexcept;

  /// A zlib stream; valid until the next call.
  std::string_view Compress(std::string_view bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The checksum of an entry in a pack's index.
std::uint32_t Crc32(std::string_view bytes);

}  // namespace sibyl::git
