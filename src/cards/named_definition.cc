// SPDX-License-Identifier: Apache-2.0
#include "cards/named_definition.h"

#include <algorithm>

namespace sibyl::cards {

std::string_view MemberKindName(MemberKind kind) {
  switch (kind) {
    case MemberKind::kField:
      return "field";
    case MemberKind::kMethod:
      return "method";
    case MemberKind::kEnumerator:
      return "enumerator";
    case MemberKind::kParameter:
      return "parameter";
  }
  return "field";
}

bool Definition::Has(std::string_view member) const {
  return std::any_of(members.begin(), members.end(),
                     [&](const Member& known) { return known.name == member; });
}

std::vector<Definition> ReadDefinitionsOf(std::string_view name, std::string_view language,
                                          std::string_view text) {
  if (name.empty()) return {};
  if (language == "python") return ReadPythonDefinitionsOf(name, text);
  if (language == "c" || language == "c++" || language == "cuda") {
    return ReadCDefinitionsOf(name, text);
  }
  return {};
}

}  // namespace sibyl::cards
