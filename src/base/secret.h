// SPDX-License-Identifier: Apache-2.0
// Words that nobody can guess, and comparing them without telling how much of a
// guess was right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl {

/// `bytes` of the kernel's randomness as hexadecimal digits.
Result<std::string> RandomHex(std::size_t bytes);

/// Takes as long whether they differ in the first letter or in the last.
bool EqualInConstantTime(std::string_view a, std::string_view b);

/// A mark that only who has `key` can put under `text`: 64 hexadecimal digits.
std::string KeyedMark(std::string_view key, std::string_view text);

}  // namespace sibyl
