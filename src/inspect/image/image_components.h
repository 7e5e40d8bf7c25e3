// SPDX-License-Identifier: Apache-2.0
// Maps a file of an image to the component of CUDA or PyTorch that it belongs to.
#pragma once

#include <string>

#include "inspect/image/image_layer.h"

namespace sibyl::inspect {

/// "cuDNN", "CUDA libraries", "CUPTI, private to Nsight"; empty for other files.
std::string ComponentOf(const std::string& path, const ImageFile& file);

}  // namespace sibyl::inspect
