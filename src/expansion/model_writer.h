// SPDX-License-Identifier: Apache-2.0
// A model as the writer: an outline, the sections, one repair of failed
// statements, then drops those that still fail.
#pragma once

#include <memory>
#include <vector>

#include "draft/extract/gather.h"
#include "expansion/model_access.h"
#include "expansion/part_job.h"
#include "expansion/writer.h"
#include "model/question.h"

namespace sibyl::expansion {

/// Borrows all arguments. Its pages fail if the model does not answer or a
/// limit is reached. A resumed run sends no request twice.
std::unique_ptr<Writer> MakeModelWriter(const plan::Part& part, const PartInputs& inputs,
                                        const draft::Gathered& gathered, ModelAccess& models,
                                        runner::JobContext& context);

/// The requests of a part that are known before the first answer: the outline,
/// and each section from its best passages.
std::vector<model::Question> FirstQuestions(const plan::Part& part, const PartInputs& inputs,
                                            const draft::Gathered& gathered);

}  // namespace sibyl::expansion
