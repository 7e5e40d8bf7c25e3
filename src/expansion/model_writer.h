// SPDX-License-Identifier: Apache-2.0
// A model as the writer: an outline, the sections, one repair of what does not
// hold, then without what still does not.
#pragma once

#include <memory>
#include <vector>

#include "draft/extract/gather.h"
#include "expansion/model_access.h"
#include "expansion/part_job.h"
#include "expansion/writer.h"
#include "model/question.h"

namespace sibyl::expansion {

/// Borrows all that it is given. Its pages fail when the model does not answer or a
/// ceiling is reached. A run that goes on asks nothing twice.
std::unique_ptr<Writer> MakeModelWriter(const plan::Part& part, const PartInputs& inputs,
                                        const draft::Gathered& gathered, ModelAccess& models,
                                        runner::JobContext& context);

/// The questions that a part begins with, as far as they are known before the
/// first answer: the outline, and each section from its best passages.
std::vector<model::Question> FirstQuestions(const plan::Part& part, const PartInputs& inputs,
                                            const draft::Gathered& gathered);

}  // namespace sibyl::expansion
