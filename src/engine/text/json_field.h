// SPDX-License-Identifier: Apache-2.0
// Members of an answer, formatted for people. A member that is missing or of
// another type is empty, since an older journal or page may lack it.
#pragma once

#include <cstdint>
#include <string>

#include "base/json.h"

namespace sibyl::engine {

/// A string that is safe on a terminal; empty when it is not a string.
std::string TextOf(const Json& value);
/// The text of a member.
std::string Text(const Json& json, const char* name);

/// Zero when it is not a number.
std::uint64_t Number(const Json& json, const char* name);

}  // namespace sibyl::engine
