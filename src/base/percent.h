// SPDX-License-Identifier: Apache-2.0
// Percent-encoding, as the qualifiers of a SWHID and the paths of a URL use it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl {

/// For the value of a qualifier (origin=, path=, key=). Encodes what the SWHID
/// grammar requires (`;` and `%`), everything that is not printable ASCII, and
/// `<` and `>`, so that no value can end its HTML comment or start another.
std::string EncodeQualifier(std::string_view value);

/// For a path inside a URL: everything but unreserved characters, `/` and a
/// few that servers leave alone.
std::string EncodeUrlPath(std::string_view path);

/// nullopt if a `%` is not followed by two hexadecimal digits.
std::optional<std::string> DecodePercent(std::string_view text);

enum class PlusSign : std::uint8_t { kKept, kSpace };

/// Decodes leniently: a '%' without two digits stays. In queries '+' is a space.
std::string DecodePercentLeniently(std::string_view text, PlusSign plus = PlusSign::kKept);

}  // namespace sibyl
