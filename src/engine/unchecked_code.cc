// SPDX-License-Identifier: Apache-2.0
#include "engine/unchecked_code.h"

#include <fmt/format.h>

#include <utility>

namespace sibyl::engine {

void AddUncheckedCode(const code::CodeChecker& code, Outcome& outcome) {
  std::optional<code::UncheckedCode> unchecked = code.Unchecked();
  if (!unchecked) return;
  outcome.findings.insert(
      outcome.findings.begin(),
      {.severity = Severity::kWarning,
       .code = "code/unchecked",
       .message =
           fmt::format("--code: {} not checked: {}",
                       unchecked->blocks == 1 ? "1 code block"
                                              : fmt::format("{} code blocks", unchecked->blocks),
                       unchecked->reason.message),
       .hint = std::move(unchecked->reason.hint)});
}

Rule UncheckedCodeRule() {
  return {.code = "code/unchecked",
          .meaning = "code blocks were not checked: compilers run only in a sandbox"};
}

}  // namespace sibyl::engine
