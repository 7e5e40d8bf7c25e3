// SPDX-License-Identifier: Apache-2.0
// Writes all bytes to a descriptor, over partial writes and interruptions.
#pragma once

#include <cstdint>
#include <string_view>

namespace sibyl {

/// Zero, or the errno of the write that failed.
int WriteAll(int file, std::string_view bytes);

/// The same, at an offset; the position of the file does not change.
int WriteAllAt(int file, std::string_view bytes, std::uint64_t offset);

}  // namespace sibyl
