// SPDX-License-Identifier: Apache-2.0
#include "audit/values/assigned_claims.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::audit {

std::vector<ValueClaim> ReadAssignedClaims(const statement::Statement& statement) {
  constexpr std::size_t kMost = 50;
  std::vector<ValueClaim> claims;
  for (const statement::TextRun& run : statement.runs) {
    if (!run.is_code || claims.size() >= kMost) continue;
    const std::string_view text =
        std::string_view(statement.text).substr(run.begin, run.end - run.begin);
    const std::size_t mark = text.find('=');
    if (mark == text.npos || mark == 0 || mark + 1 >= text.size()) continue;
    const std::string_view name = Trim(text.substr(0, mark));
    const std::string_view value = Trim(text.substr(mark + 1));
    // "a == b", "--flag=1", "x = f(y = 1)"
    if (value.empty() || value.find('=') != value.npos || name.empty()) continue;
    if (!IsNameStart(name[0]) || !std::ranges::all_of(name, IsNameByte)) continue;
    claims.push_back({.name = std::string(name),
                      .value = std::string(value),
                      .offset = run.begin + static_cast<std::size_t>(value.data() - text.data()),
                      .is_default = true});
  }
  return claims;
}

std::vector<std::string> NamesBefore(const statement::Statements& statements, std::size_t number,
                                     std::size_t offset) {
  constexpr std::size_t kFurthest = 8;
  constexpr std::size_t kMost = 12;
  std::vector<std::string> names;
  for (std::size_t i = number + 1; i-- > 0 && number - i <= kFurthest;) {
    const statement::Statement& statement = statements.all[i];
    if (statement.heading != statements.all[number].heading) break;
    std::vector<CodeName> here = CodeNames(statement);
    std::ranges::reverse(here);
    for (CodeName& name : here) {
      if (i == number && name.offset >= offset) continue;
      if (names.size() < kMost) names.push_back(std::move(name.text));
    }
  }
  return names;
}

}  // namespace sibyl::audit
