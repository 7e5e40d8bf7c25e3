// SPDX-License-Identifier: Apache-2.0
// Names that an abbreviation stands for: DistributedDataParallel for DDP.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draft/answer/question/question.h"

namespace sibyl::draft {

/// "ddp" of DistributedDataParallel, "sdpa" of scaled_dot_product_attention; empty for a
/// word of fewer than three parts.
std::string InitialsOf(std::string_view name);

/// For each abbreviation of the question, the name in the texts that has its initials and
/// occurs most often. Takes linear time.
std::vector<std::string> LongForms(const Question& question, const std::vector<std::string>& texts);

}  // namespace sibyl::draft
