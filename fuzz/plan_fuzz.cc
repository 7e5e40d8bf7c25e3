// SPDX-License-Identifier: Apache-2.0
// Parses, checks and edits a plan of any bytes: no crash, no endless loop, and an edit
// changes only its own bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "plan/check.h"
#include "plan/edit.h"
#include "plan/plan.h"

namespace {

using sibyl::plan::Part;

void EditPart(std::string_view text, const Part& part) {
  const auto failed = sibyl::plan::MarkPartFailed(text, part, "2026-11-15", text.substr(0, 300));
  const auto ticked = sibyl::plan::TickPart(text, part, "2026-11-15");
  if (!failed.ok() || !ticked.ok()) std::abort();
  if (!part.checkbox) return;
  if (ticked->substr(0, part.checkbox->mark_begin) != text.substr(0, part.checkbox->mark_begin)) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const sibyl::plan::LoadedPlan loaded = sibyl::plan::Parse("fuzz.md", text);
  sibyl::plan::OracleFiles oracle;
  oracle.Add("cuda/01-streams.md");
  const auto findings = sibyl::plan::Check(loaded, "fuzz.md", text, {.oracle = &oracle});
  if (loaded.plan.parts.empty() && findings.empty()) std::abort();
  std::size_t edited = 0;
  for (const Part& part : loaded.plan.parts) {
    if (edited++ < 4) EditPart(text, part);
  }
  return 0;
}
