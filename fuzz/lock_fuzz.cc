// SPDX-License-Identifier: Apache-2.0
// A lock that is accepted is written in one way that reads as the same pins;
// editing a sibyl.toml that is accepted keeps every byte that is not the table's.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "evidence/config.h"
#include "evidence/lock.h"

namespace {

using namespace sibyl::evidence;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckConfig(std::string_view text) {
  const auto config = ParseSourceConfig(text, "sibyl.toml");
  if (!config.ok()) return;
  const SourceSpec added{.name = "added.by.fuzz", .kind = SourceKind::kFile, .origin = "x"};
  const auto edited = AppendSource(text, added);
  if (edited.ok()) {
    Require(edited->starts_with(text));
    const auto removed = RemoveSource(*edited, added.name);
    Require(!removed.ok() || ParseSourceConfig(*removed, "sibyl.toml").ok());
  }
  // Each reads the whole text again, so only a few of them.
  constexpr std::size_t kMostRemoved = 4;
  for (std::size_t i = 0; i < std::min(config->sources.size(), kMostRemoved); ++i) {
    const SourceSpec& spec = config->sources[i];
    const auto removed = RemoveSource(text, spec.name);
    if (!removed.ok()) continue;
    Require(ParseSourceConfig(*removed, "sibyl.toml")->sources.size() + 1 ==
            config->sources.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto lock = ParseLock(text); lock.ok()) {
    const std::string printed = FormatLock(*lock);
    const auto again = ParseLock(printed);
    Require(again.ok() && again->pins == lock->pins && FormatLock(*again) == printed);
  }
  CheckConfig(text);
  return 0;
}
