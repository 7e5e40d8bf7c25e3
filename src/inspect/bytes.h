// SPDX-License-Identifier: Apache-2.0
// Bounds-checked access to untrusted bytes: a number beyond the end is zero, a slice beyond the
// end is empty. Readers check required parts once and then read fields without further checks;
// a wrong size cannot cause a read out of bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace sibyl::inspect {

enum class ByteOrder { kLittle, kBig };

/// Borrows the bytes.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes, ByteOrder order = ByteOrder::kLittle)
      : bytes_view_(bytes), order_(order) {}

  std::uint64_t size() const { return bytes_view_.size(); }
  std::string_view view() const { return bytes_view_; }

  bool Holds(std::uint64_t offset, std::uint64_t length) const {
    return offset <= size() && length <= size() - offset;
  }

  /// The number at `offset`, or zero if it is not completely inside.
  template <typename T>
  T Get(std::uint64_t offset) const {
    static_assert(std::is_unsigned_v<T>);
    if (!Holds(offset, sizeof(T))) return 0;
    const char* at = bytes_view_.data() + offset;
    T value = 0;
    if (order_ == ByteOrder::kLittle) {
      for (std::size_t i = sizeof(T); i-- > 0;) value = Append(value, at[i]);
    } else {
      for (std::size_t i = 0; i < sizeof(T); ++i) value = Append(value, at[i]);
    }
    return value;
  }

  /// The part of [offset, offset + length) that is inside.
  std::string_view Clip(std::uint64_t offset, std::uint64_t length) const {
    if (offset >= size()) return {};
    return bytes_view_.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
  }

  /// The text at `offset` up to its NUL, the end, or the maximum length of a name: a table
  /// without NULs must not be searched to its end for every name.
  std::string_view Text(std::uint64_t offset) const {
    const std::string_view rest = Clip(offset, kLongestText);
    return rest.substr(0, rest.find('\0'));
  }
  static constexpr std::uint64_t kLongestText = 65536;

 private:
  template <typename T>
  static T Append(T value, char byte) {
    const auto low = static_cast<unsigned char>(byte);
    if constexpr (sizeof(T) == 1) {
      return low;
    } else {
      return static_cast<T>(static_cast<T>(value << 8U) | low);
    }
  }

  std::string_view bytes_view_;
  ByteOrder order_;
};

/// `value` rounded up to a multiple of a power of two; the largest value on overflow.
constexpr std::uint64_t RoundUp(std::uint64_t value, std::uint64_t to) {
  return value > UINT64_MAX - (to - 1) ? UINT64_MAX : (value + (to - 1)) & ~(to - 1);
}

}  // namespace sibyl::inspect
