// SPDX-License-Identifier: Apache-2.0
// Any bytes are a text with definitions. The first byte chooses the language,
// the first word after it is the name that is looked for.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "cards/definition.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sibyl::cards::Definition;
  constexpr std::string_view kLanguages[] = {"c++", "python", "cuda", "rust"};
  if (size == 0) return 0;
  const std::string_view language = kLanguages[data[0] % 4];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view name =
      text.substr(0, std::min<std::size_t>(text.find_first_of(" \n"), 40));
  const std::vector<Definition> found = sibyl::cards::ReadDefinitionsOf(name, language, text);
  Require(found.size() <= sibyl::cards::kMaxNamedDefinitions);
  for (const Definition& definition : found) {
    Require(definition.begin <= definition.end && definition.end <= text.size());
    Require(definition.line > 0);
    for (const auto& member : definition.members) Require(!member.name.empty());
  }
  return 0;
}
