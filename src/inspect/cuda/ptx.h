// SPDX-License-Identifier: Apache-2.0
// The few lines of PTX that say what it is for.
#pragma once

#include <string_view>

#include "inspect/cuda/device_code.h"

namespace sibyl::inspect {

/// ".version 9.0 ... .target sm_90a" at the start of `text`, comments skipped:
/// fills kind, version and architecture. False when it is not PTX.
bool ReadPtx(std::string_view text, CodeImage& image);

}  // namespace sibyl::inspect
