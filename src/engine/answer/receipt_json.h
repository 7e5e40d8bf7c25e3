// SPDX-License-Identifier: Apache-2.0
// Receipts of an answer as JSON: source, path, lines, citation and link.
#pragma once

#include <cstdint>

#include "base/json.h"
#include "draft/extract/excerpt.h"
#include "gate/receipt.h"

namespace sibyl::engine {

void AddReceipt(const draft::Excerpt& excerpt, std::uint32_t first, std::uint32_t last, Json& json);

/// Of a statement of a page; `receipt` has a citation.
void AddReceipt(const gate::Receipt& receipt, Json& json);

}  // namespace sibyl::engine
