// SPDX-License-Identifier: Apache-2.0
// A model's answer to a question, as JSON: its text with numbered marks, and the
// receipts that they refer to.
#pragma once

#include "base/json.h"
#include "base/result.h"
#include "engine/answer/last_question.h"
#include "evidence/lock.h"
#include "evidence/sync.h"
#include "expansion/model/model_access.h"
#include "index/rank/searcher.h"
#include "oracle/context.h"

namespace sibyl::engine {

struct WrittenAnswerInputs {
  const oracle::Context& context;
  const index::Searcher& searcher;
  const evidence::Lock& lock;
  const evidence::Surroundings& around;
};

/// {"text", "receipts", "is_contradicted", "left_out", "model"}. The text is null if the model
/// found no answer, or if nothing that it wrote passed the gate; "refused" says the latter.
Result<Json> WriteAnswer(const AskedQuestion& asked, const expansion::ModelRequest& request,
                         const WrittenAnswerInputs& inputs);

}  // namespace sibyl::engine
