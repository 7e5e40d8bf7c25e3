// SPDX-License-Identifier: Apache-2.0
// What the oracle has measured or read from artifacts itself, as answers to questions.
#pragma once

#include "base/json.h"
#include "draft/answer/question/question.h"
#include "evidence/lock.h"
#include "evidence/sync.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// Adds at most one measurement of a kept lab run, and at most two facts of sibyl.facts, that
/// have nearly all words of the question. Only what this user measured or inspected on this
/// machine, or what can be inspected again, is used.
void AddRecordedAnswers(const oracle::Context& context, const evidence::Lock& lock,
                        const evidence::Surroundings& around, const draft::Question& question,
                        Json& statements);

}  // namespace sibyl::engine
