// SPDX-License-Identifier: Apache-2.0
// Random tokens, keyed hashes, and comparing them in constant time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl {

/// `bytes` random bytes from the kernel, as hexadecimal digits.
Result<std::string> RandomHex(std::size_t bytes);

/// Constant-time comparison.
bool EqualInConstantTime(std::string_view a, std::string_view b);

/// HMAC-SHA256 of `text`: 64 hexadecimal digits.
std::string KeyedHash(std::string_view key, std::string_view text);

}  // namespace sibyl
