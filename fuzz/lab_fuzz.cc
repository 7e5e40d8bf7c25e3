// SPDX-License-Identifier: Apache-2.0
// A kept run is parsed or rejected; a parsed one survives writing and parsing, and
// can be formatted and drawn.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lab/plot.h"
#include "lab/run.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto run = sibyl::lab::ParseRun(text);
  if (!run.ok()) return 0;
  const std::string written = sibyl::lab::FormatRun(*run);
  const auto again = sibyl::lab::ParseRun(written);
  if (!again.ok() || sibyl::lab::FormatRun(*again) != written) std::abort();
  for (const sibyl::lab::Measurement& measurement : run->measurements) {
    if (measurement.is_measured()) sibyl::lab::InWords(*run, measurement);
  }
  if (!sibyl::lab::PlotRun(*run).ends_with("</svg>\n")) std::abort();
  return 0;
}
