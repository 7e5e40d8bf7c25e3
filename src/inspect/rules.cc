// SPDX-License-Identifier: Apache-2.0
#include "inspect/rules.h"

#include "inspect/inspectors.h"

namespace sibyl::inspect {
namespace {

constexpr Rule kRulesOfAllFiles[] = {
    {"inspect/unreadable", "a file or folder could not be read"},
    {"inspect/changed", "a file was changed while it was read"},
    {"inspect/limit", "the artifact exceeds a limit and was not read completely"},
    {"inspect/unknown-kind", "unsupported file type"},
};

}  // namespace

std::vector<Rule> FindingRules() {
  std::vector<Rule> rules(std::begin(kRulesOfAllFiles), std::end(kRulesOfAllFiles));
  for (const Inspector& inspector : Inspectors()) {
    if (inspector.rules == nullptr) continue;
    const std::span<const Rule> more = inspector.rules();
    rules.insert(rules.end(), more.begin(), more.end());
  }
  return rules;
}

}  // namespace sibyl::inspect
