// SPDX-License-Identifier: Apache-2.0
// Any output of a model: each statement taken from it is on one line and has no link,
// no tag and no footnote.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "draft/model/judge_prompt.h"
#include "draft/model/model_text.h"
#include "draft/model/search_prompt.h"

namespace {

void CheckUnit(const sibyl::draft::ModelUnit& unit) {
  if (unit.kind == sibyl::draft::WrittenKind::kCode) return;
  if (unit.text.find('\n') != std::string::npos) std::abort();
  if (unit.text.starts_with("# ") || unit.text.starts_with("- ")) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const sibyl::draft::ModelText read = sibyl::draft::ReadModelText(text, 3);
  for (const sibyl::draft::ModelPoint& point : read.points) {
    for (const sibyl::draft::ModelUnit& unit : point.units) {
      if (unit.group >= point.table_heads.size()) std::abort();
      CheckUnit(unit);
    }
  }
  const sibyl::draft::ModelUnit row{.kind = sibyl::draft::WrittenKind::kRow};
  const sibyl::draft::ModelUnit sentence;
  for (const auto& repair : sibyl::draft::ReadRepairs(text, {&row, &sentence}, 3).of) {
    if (!repair) continue;
    for (const sibyl::draft::ModelUnit& unit : repair->units) CheckUnit(unit);
  }
  if (sibyl::draft::ReadRest(text, 1, {"| a |", "| --- |"}, 3).points.size() != 3) std::abort();
  sibyl::draft::PageSearches searches(2, std::vector<sibyl::draft::PointSearch>(2));
  sibyl::draft::ReadSearches(text, searches);
  if (searches[1][1].queries.size() > 3) std::abort();
  if (sibyl::draft::ReadVerdicts(text, 4).size() != 4) std::abort();
  return 0;
}
