// SPDX-License-Identifier: Apache-2.0
// Has a model confirm statements that passed the gate. It can only take
// statements away, and only if it tells true from false ones.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "draft/extract/gather.h"
#include "draft/extract/passage_keys.h"
#include "draft/model/judge_prompt.h"
#include "draft/model/manuscript.h"
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

/// A page by a model. Borrows all of it.
struct JudgedPageInputs {
  const draft::Manuscript& manuscript;
  const draft::PassageKeys& keys;
  const draft::Gathered& gathered;
  const std::set<std::size_t>& shown;  ///< Identities of the statements on the page.
};

struct PageObjections {
  std::map<std::size_t, std::string> objections;  ///< By the identity of the statement.
  std::string useless;                            ///< As above.
};

/// Judges what is on the page and has a citation; quotations and code are compared byte
/// by byte elsewhere.
Result<PageObjections> JudgePage(const JudgedPageInputs& inputs, ModelAsker& asker);

}  // namespace sibyl::expansion
