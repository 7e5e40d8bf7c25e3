// SPDX-License-Identifier: Apache-2.0
// A traceparent is refused, or what is handed on of it is valid and means the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/telemetry/trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::optional<sibyl::Trace> trace = sibyl::ParseTraceparent(text);
  if (!trace) return 0;
  const auto again = sibyl::ParseTraceparent(sibyl::FormatTraceparent(*trace, trace->parent));
  const bool is_same = again && again->id == trace->id && again->parent == trace->parent &&
                       again->is_sampled == trace->is_sampled;
  if (!is_same) std::abort();
  return 0;
}
