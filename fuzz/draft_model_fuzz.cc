// SPDX-License-Identifier: Apache-2.0
// Any output of a model: each statement taken from it is on one line and has no link,
// no tag and no footnote.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "draft/model/model_prompt.h"
#include "draft/model/model_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const sibyl::draft::ModelPoint& point : sibyl::draft::ReadModelText(text, 3)) {
    for (const sibyl::draft::ModelUnit& unit : point.units) {
      if (unit.group >= point.table_heads.size()) std::abort();
      if (unit.kind == sibyl::draft::WrittenKind::kCode) continue;
      if (unit.text.find('\n') != std::string::npos) std::abort();
      if (unit.text.starts_with("# ") || unit.text.starts_with("- ")) std::abort();
    }
  }
  const sibyl::draft::PassageKeys keys("fuzz");
  (void)sibyl::draft::ReadOutline(text, {}, keys);
  (void)sibyl::draft::ReadEntailment(text);
  return 0;
}
