// SPDX-License-Identifier: Apache-2.0
// Which part of CUDA or PyTorch a file of an image belongs to.
#pragma once

#include <string>

#include "inspect/image/image_layer.h"

namespace sibyl::inspect {

/// "cuDNN", "CUDA libraries", "CUPTI, private to Nsight"; empty for files that
/// belong to none.
std::string ComponentOf(const std::string& path, const ImageFile& file);

}  // namespace sibyl::inspect
