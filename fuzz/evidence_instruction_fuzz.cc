// SPDX-License-Identifier: Apache-2.0
// Lines that speak to a model: ranges in order, inside the text, and nothing of
// them in what is left.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "evidence/instruction.h"
#include "evidence/line_span.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sibyl::evidence;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  std::size_t last = 0;
  for (const LineRange& range : FindInstructions(text)) {
    if (range.first <= last || range.last < range.first || !LinesOf(text, range)) std::abort();
    last = range.last;
    const auto lines = LinesOf(text, range);
    if (!InstructionAmong(text, *lines)) std::abort();
  }
  const std::string_view rest = WithoutInstructions(text);
  if (rest.size() > size) std::abort();
  return 0;
}
