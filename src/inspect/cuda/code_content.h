// SPDX-License-Identifier: Apache-2.0
// What is inside the images: code or none, who made them, their kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inspect/cuda/cubin.h"
#include "inspect/cuda/device_code.h"
#include "inspect/cuda/kernels.h"

namespace sibyl::inspect {

/// Fills `has_code`, `is_damaged` and `origin` of every image. PTX and LTO-IR
/// always have code. A packed cubin is decoded only as far as needed: its code
/// shows in the first kilobytes nearly always, its maker in most. Where the
/// budget is exceeded, none of the three is known of any image.
void LookInside(std::string_view file, DeviceCode& code, unsigned threads, Budget& budget);

struct ImageKernels {
  std::uint32_t image = 0;
  std::vector<Kernel> kernels;
};

/// Decodes every cubin with code; this is the slow one. Ends where the budget is
/// exceeded.
std::vector<ImageKernels> ReadAllKernels(std::string_view file, const DeviceCode& code,
                                         unsigned threads, Budget& budget);

/// The bytes of an image's payload in the file.
std::string_view PayloadOf(std::string_view file, const CodeImage& image);

/// How much of an image is decoded at most: what its header claims, within what
/// a packed cubin can reasonably become. Less than the claim means a bomb.
std::size_t MostUnpacked(const CodeImage& image);

}  // namespace sibyl::inspect
