// SPDX-License-Identifier: Apache-2.0
// Has a model confirm statements that passed the gate. It can only take
// statements away, and only if it tells true from false ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "draft/model/judge_prompt.h"
#include "expansion/model/model_asker.h"

namespace sibyl::expansion {

struct Judged {
  /// By statement: why it is not confirmed; nothing for a confirmed one.
  std::vector<std::optional<std::string>> objections;
  /// Why no verdict was used; empty for a judge that can be relied on.
  std::string useless;
};

/// Statements without an answer are asked about once more.
Result<Judged> JudgeStatements(const std::vector<draft::JudgedStatement>& statements,
                               ModelAsker& asker);

}  // namespace sibyl::expansion
