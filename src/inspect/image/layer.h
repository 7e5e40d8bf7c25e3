// SPDX-License-Identifier: Apache-2.0
// One layer of an image as a stream of plain bytes, whatever it is packed with.
#pragma once

#include <functional>
#include <string_view>

#include "inspect/pages.h"
#include "inspect/totals.h"

namespace sibyl::inspect {

/// Decodes gzip (of several members) and zstd (of several frames), told by
/// their first bytes; anything else passes as it is. False when it is damaged,
/// the budget is exceeded, or `take` returned false.
bool UnpackLayer(std::string_view stored, Memory memory, Budget& budget,
                 const std::function<bool(std::string_view)>& take);

}  // namespace sibyl::inspect
