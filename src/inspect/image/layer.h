// SPDX-License-Identifier: Apache-2.0
// Streams the plain bytes of one layer, however it is compressed.
#pragma once

#include <functional>
#include <string_view>

#include "inspect/pages.h"
#include "inspect/totals.h"

namespace sibyl::inspect {

/// Decodes gzip (several members) and zstd (several frames), detected by their first bytes;
/// other bytes are passed through. False if the layer is damaged, the budget is exceeded, or
/// `take` returned false.
bool UnpackLayer(std::string_view stored, Memory memory, Budget& budget,
                 const std::function<bool(std::string_view)>& take);

}  // namespace sibyl::inspect
