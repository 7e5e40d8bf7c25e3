// SPDX-License-Identifier: Apache-2.0
// Whatever parses can be printed, and the output parses to the same value.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const sibyl::Result<sibyl::Json> value = sibyl::ParseJson(text);
  if (!value.ok()) return 0;
  const std::string printed = sibyl::FormatJson(*value, sibyl::JsonLayout::kCompact);
  const sibyl::Result<sibyl::Json> again = sibyl::ParseJson(printed);
  if (!again.ok() || sibyl::FormatJson(*again, sibyl::JsonLayout::kCompact) != printed)
    std::abort();
  return 0;
}
