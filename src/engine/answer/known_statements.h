// SPDX-License-Identifier: Apache-2.0
// Statements of the oracle's own pages as answers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "draft/answer/answer.h"
#include "draft/extract/known.h"
#include "evidence/lock.h"
#include "evidence/sync.h"
#include "gate/knowledge.h"
#include "gate/resolver.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// A unit of a page is used only if every citation in its lines still holds. One whose source
/// is not on this machine is used too, and marked. Borrows its arguments.
class KnownStatements {
 public:
  KnownStatements(const oracle::Context& context,
                  const std::vector<draft::KnowledgeFile>& knowledge, const evidence::Lock& lock,
                  const evidence::Surroundings& around);

  void Add(const draft::AnswerUnit& known, Json& statements);

 private:
  gate::Page* PageOf(const std::string& path);

  const oracle::Context& context_;
  const std::vector<draft::KnowledgeFile>& knowledge_;
  gate::CitationResolver resolver_;
  gate::Pages pages_;
};

}  // namespace sibyl::engine
