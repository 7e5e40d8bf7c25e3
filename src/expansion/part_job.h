// SPDX-License-Identifier: Apache-2.0
// One part of a plan, from its points to a page that the gate lets through.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "draft/draft.h"
#include "draft/extract/known.h"
#include "draft/point/records.h"
#include "evidence/lock.h"
#include "gate/verified.h"
#include "index/rank/searcher.h"
#include "oracle/citation_sources.h"
#include "plan/plan.h"
#include "runner/runner.h"

namespace sibyl::expansion {

class ModelAccess;

/// What all parts of a run share. Used by many threads at once.
struct PartInputs {
  const plan::Plan& plan;
  const index::Searcher& searcher;
  const evidence::Lock& lock;
  const std::vector<draft::KnowledgeFile>& knowledge;
  const oracle::CitationSources& citations;
  std::string program;  ///< The program's name in stamps.
  Time time;            ///< The date in stamps.
  /// What the oracle has measured or inspected; null: nothing. Borrowed.
  const std::vector<draft::Record>* records = nullptr;
  ModelAccess* models = nullptr;  ///< The model writer; null: the offline writer. Borrowed.
};

/// Gathers, writes and checks, with the model if there is one; what the gate
/// refuses is dropped and the page written again. Fails if nothing was found
/// for any point, or if the gate refuses something that cannot be dropped.
Result<draft::Draft> WritePart(const plan::Part& part, const PartInputs& inputs,
                               runner::JobContext& context);

/// Puts a draft through the gate; an error names the first failure.
Result<gate::Verified> PassGate(draft::Draft draft, const PartInputs& inputs,
                                const oracle::CitationSources::Linkable& linkable = {});

}  // namespace sibyl::expansion
