// SPDX-License-Identifier: Apache-2.0
// How people are told that a source could not be fetched.
#pragma once

#include <string_view>

#include "base/result.h"

namespace sibyl::evidence {

/// "fetching ADDRESS: REASON" becomes "REASON (fetching ADDRESS)": addresses are long, and known.
/// Other errors get the name of the source.
Error NotFetched(std::string_view name, Error error);

}  // namespace sibyl::evidence
