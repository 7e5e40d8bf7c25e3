// SPDX-License-Identifier: Apache-2.0
// A model answers one question: the question is the only point of a part, which is
// searched for, written, checked by the gate, repaired and judged like any other.
#pragma once

#include <string>

#include "base/result.h"
#include "draft/draft.h"
#include "expansion/model/model_access.h"
#include "expansion/part_job.h"
#include "index/rank/searcher.h"
#include "oracle/citation_sources.h"
#include "oracle/context.h"

namespace sibyl::expansion {

struct ModelQuestion {
  std::string text;
  std::string topic;  ///< The broader topic; may be empty.
};

struct ModelAnswerInputs {
  const oracle::Context& context;
  const index::Searcher& searcher;
  const evidence::Lock& lock;
  const oracle::CitationSources& citations;
  ModelAccess& models;
};

/// A page with one section that has passed the gate; its point is not covered if the model
/// found no answer. kNotFound if nothing that the model wrote passed.
Result<draft::Draft> AnswerWithModel(const ModelQuestion& question,
                                     const ModelAnswerInputs& inputs);

}  // namespace sibyl::expansion
