// SPDX-License-Identifier: Apache-2.0
// Reads the content of images: whether they have code, which tool made them, their kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inspect/cuda/cubin.h"
#include "inspect/cuda/device_code.h"
#include "inspect/cuda/kernels.h"

namespace sibyl::inspect {

/// Fills `has_code`, `is_damaged` and `origin` of every image. PTX and LTO-IR always have code.
/// A compressed cubin is decoded only as far as needed: its code is nearly always visible in
/// the first kilobytes, its tool in most. If the budget is exceeded, all three are unknown for
/// every image.
void ReadContent(std::string_view file, DeviceCode& code, unsigned threads, Budget& budget);

/// The newest tool among a few cubins from the whole file; empty if none says which. Enough to
/// tell the runtime that the file was built for.
std::string SampleOrigin(std::string_view file, const DeviceCode& code, Budget& budget);

struct ImageKernels {
  std::uint32_t image = 0;
  std::vector<Kernel> kernels;
};

/// Decodes every cubin with code, which is slow. Stops when the budget is exceeded.
std::vector<ImageKernels> ReadAllKernels(std::string_view file, const DeviceCode& code,
                                         unsigned threads, Budget& budget);

/// The bytes of an image's payload in the file.
std::string_view PayloadOf(std::string_view file, const CodeImage& image);

/// How many bytes of an image are decoded at most: what its header claims, up to the largest
/// plausible size of a cubin. Less than claimed means a decompression bomb.
std::size_t MostUnpacked(const CodeImage& image);

}  // namespace sibyl::inspect
