// SPDX-License-Identifier: Apache-2.0
// Turns errno into an Error whose kind says what the caller may do.
#pragma once

#include <string_view>

#include "base/result.h"

namespace sibyl {

/// `code` is an errno value; the message is "doing: strerror".
Error OsError(std::string_view doing, int code);

}  // namespace sibyl
