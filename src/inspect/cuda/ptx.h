// SPDX-License-Identifier: Apache-2.0
// Reads the version and target lines of PTX.
#pragma once

#include <string_view>

#include "inspect/cuda/device_code.h"

namespace sibyl::inspect {

/// Reads ".version 9.0 ... .target sm_90a" at the start of `text`, skipping comments: fills
/// kind, version and architecture. False if it is not PTX.
bool ReadPtx(std::string_view text, CodeImage& image);

}  // namespace sibyl::inspect
