// SPDX-License-Identifier: Apache-2.0
// A model as the writer: what to search for, what to write from, the sections, one
// repair of failed statements, a judge of what is left; then drops those that still
// fail, and reports each of them.
#pragma once

#include <memory>

#include "draft/extract/gather.h"
#include "expansion/model/model_access.h"
#include "expansion/part_job.h"
#include "expansion/writer.h"

namespace sibyl::expansion {

/// Borrows all arguments. Its pages fail if the model does not answer or a
/// limit is reached. A resumed run sends no request twice. `found` are the points
/// by the words of the plan alone.
std::unique_ptr<Writer> MakeModelWriter(const plan::Part& part, const PartInputs& inputs,
                                        const draft::Gathered& found, ModelAccess& models,
                                        runner::JobContext& context);

}  // namespace sibyl::expansion
