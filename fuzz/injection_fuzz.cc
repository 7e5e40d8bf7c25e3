// SPDX-License-Identifier: Apache-2.0
// Prompt injection: ranges in order, apart and inside the text; found again from
// each of them; nothing depends on invisible characters between ASCII letters; and
// folded text has the lines of the original.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/line_span.h"
#include "injection/instruction.h"
#include "injection/instruction_fold.h"

namespace {

using namespace sibyl;  // NOLINT: a fuzz target is one file
using namespace sibyl::injection;

void CheckRanges(std::string_view text) {
  std::size_t last = 0;
  for (const LineRange& range : FindInstructions(text)) {
    if (range.first <= last || range.last < range.first) std::abort();
    const auto lines = TextOfLines(text, range);
    if (!lines || !InstructionAmong(text, *lines)) std::abort();
    last = range.last;
  }
  const std::string_view rest = WithoutInstructions(text);
  if (rest.size() > text.size()) std::abort();
}

void CheckFolding(std::string_view text) {
  const FoldedText folded = FoldText(text);
  if (std::count(folded.text.begin(), folded.text.end(), '\n') !=
      std::count(text.begin(), text.end(), '\n')) {
    std::abort();
  }
  // Folding a text that needs none changes nothing.
  if (!NeedsFolding(text) && folded.text != text) std::abort();
}

// A soft hyphen after each letter of a found text: it is found all the same.
void CheckHyphens(std::string_view text) {
  const bool is_ascii =
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) > 0; });
  if (!is_ascii || text.find('&') != std::string_view::npos) return;
  std::string hyphened;
  for (const char c : text) {
    hyphened += c;
    const char lower = static_cast<char>(c | 0x20);
    if (lower >= 'a' && lower <= 'z') hyphened += "\u00AD";
  }
  if (FoldText(hyphened).text != FoldText(text).text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  CheckRanges(text);
  CheckFolding(text);
  CheckHyphens(text);
  return 0;
}
