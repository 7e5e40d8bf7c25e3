// SPDX-License-Identifier: Apache-2.0
// Whether a sentence says that a name is in the code: "emits no `x`" and "add `x`"
// do not. Part of find.cc.
#pragma once

#include <cstddef>
#include <string_view>

namespace sibyl::references {

/// False for a name at `begin` that follows a negation, or an instruction to add it,
/// in the same clause.
bool IsAsserted(std::string_view text, std::size_t begin);

}  // namespace sibyl::references
