// SPDX-License-Identifier: Apache-2.0
// Addresses of a PostgreSQL ledger: connection strings as libpq reads them.
#pragma once

#include <string_view>

#include "base/result.h"

namespace sibyl::runner {

/// kUsage for text that is not a connection string, or one with a password:
/// these belong into a password or service file. Never repeats the text.
Status CheckAddress(std::string_view address);
/// Whether it has the form of a connection string, also one that CheckAddress refuses.
bool IsAddress(std::string_view text);

}  // namespace sibyl::runner
