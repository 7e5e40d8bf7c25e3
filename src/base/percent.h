// SPDX-License-Identifier: Apache-2.0
// Percent-encoding, as the qualifiers of a SWHID and the paths of a URL use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace sibyl {

/// For the value of a qualifier (origin=, path=, key=). Encodes what the SWHID
/// grammar requires (`;` and `%`), everything that is not printable ASCII, and
/// `<` and `>`, so that no value can end its HTML comment or start another.
std::string EncodeQualifier(std::string_view value);

/// Letters, digits and "-._~", which mean the same encoded and not (RFC 3986).
constexpr bool IsUnreserved(char c) {
  return IsAlphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

/// Appends a byte as % and two upper-case digits.
void AppendPercent(std::string& encoded, char byte);

/// Encodes every byte for which `is_plain` is false.
template <typename Predicate>
std::string EncodePercent(std::string_view text, Predicate is_plain) {
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    if (is_plain(c)) {
      encoded += c;
    } else {
      AppendPercent(encoded, c);
    }
  }
  return encoded;
}

/// For the value of a query: everything but unreserved characters.
std::string EncodeUrlValue(std::string_view bytes);

/// For a path inside a URI: everything but unreserved characters and `/`.
std::string EncodeUriPath(std::string_view path);

/// For a path inside the URL of a forge: the same, less a few characters that
/// servers leave alone.
std::string EncodeUrlPath(std::string_view path);

/// The byte that the `%XX` at `at` stands for; nothing if there is none.
std::optional<char> DecodedByte(std::string_view text, std::size_t at);

/// Nothing when a `%` is not followed by two hexadecimal digits.
std::optional<std::string> DecodePercent(std::string_view text);

enum class PlusSign : std::uint8_t { kKept, kSpace };

/// Decodes leniently: a '%' without two digits stays. In queries '+' is a space.
std::string DecodePercentLeniently(std::string_view text, PlusSign plus = PlusSign::kKept);

}  // namespace sibyl
