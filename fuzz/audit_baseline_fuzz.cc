// SPDX-License-Identifier: Apache-2.0
// A baseline survives writing and reading.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "audit/baseline.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto baseline = sibyl::audit::Baseline::Parse(text);
  if (!baseline.ok()) return 0;
  const std::string written = baseline->Format();
  const auto again = sibyl::audit::Baseline::Parse(written);
  if (!again.ok() || again->Format() != written || again->left() != baseline->left()) std::abort();
  return 0;
}
