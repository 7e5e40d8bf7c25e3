// SPDX-License-Identifier: Apache-2.0
// Serialises a draft for the journal, so that a resumed run need not write it
// again.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "draft/draft.h"

namespace sibyl::expansion {

/// One line of JSON about the draft, then its text, byte for byte: quotations
/// need not be UTF-8.
std::string FormatDraft(const draft::Draft& draft);

/// kCorrupt for what FormatDraft did not write.
Result<draft::Draft> ParseDraft(std::string_view payload);

}  // namespace sibyl::expansion
