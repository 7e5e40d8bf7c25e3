// SPDX-License-Identifier: Apache-2.0
// One spelling for a name: "--max-model-len", "max_model_len" and "maxModelLen"
// are the same, and so are "torch.add" and "add".
#pragma once

#include <string>
#include <string_view>

#include "cards/card.h"

namespace sibyl::cards {

/// Letters and digits, in lower case.
std::string FoldWhole(std::string_view name);

/// Without the qualifiers: what follows the last "::", "->" or ".".
std::string_view LastPart(std::string_view name);

/// Of a card: the last part, folded; of instructions, metrics and texts of
/// errors, in which points do not qualify, the whole.
std::string FoldName(std::string_view name, CardKind kind);

/// Of an instruction, up to its shape: "mma.sync.aligned.m16n8k16" of
/// "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"; empty if it has none.
std::string_view UpToShape(std::string_view instruction);

}  // namespace sibyl::cards
