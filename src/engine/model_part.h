// SPDX-License-Identifier: Apache-2.0
// One part of a plan, written by a model: an outline, the sections, one repair of
// what does not hold, then without what still does not. The gate is the same as
// for every writer.
#pragma once

#include <vector>

#include "base/result.h"
#include "draft/gather.h"
#include "engine/model_access.h"
#include "engine/part_job.h"
#include "model/question.h"

namespace sibyl::engine {

/// Fails as WritePart does, and when the model does not answer or a ceiling is
/// reached. A run that goes on asks nothing twice.
Result<draft::Draft> WriteModelPart(const plan::Part& part, const PartWorld& world,
                                    const draft::Gathered& gathered, ModelAccess& models,
                                    runner::JobContext& context);

/// The questions that a part begins with, as far as they are known before the
/// first answer: the outline, and each section from its best passages.
std::vector<model::Question> FirstQuestions(const plan::Part& part, const PartWorld& world,
                                            const draft::Gathered& gathered);

}  // namespace sibyl::engine
