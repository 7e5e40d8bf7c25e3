// SPDX-License-Identifier: Apache-2.0
// Questions about GPUs, toolkits and drivers that a table of the field answers: "which driver does
// CUDA 13 need", "what is the compute capability of the H100", "which CUDA compiles for sm_90".
#pragma once

#include <string_view>

#include "base/json.h"

namespace sibyl::engine {

/// Adds at most one statement, with the public documents that its row was read from. A question
/// that has words besides those of such a question is not answered, nor is one whose row no
/// document confirms.
void AddFieldAnswer(std::string_view question, Json& statements);

}  // namespace sibyl::engine
