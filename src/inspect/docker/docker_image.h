// SPDX-License-Identifier: Apache-2.0
// What the names of well-known images say about their content.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sibyl::inspect {

enum class CudaVariant { kNone, kBase, kRuntime, kDevel };

/// The content of a well-known image, by its name.
struct CudaImage {
  CudaVariant variant = CudaVariant::kNone;
  bool has_cudnn = false;
  bool has_torch = false;
  std::uint32_t major = 0;  ///< Of CUDA; 0 if unknown.
  std::uint32_t minor = 0;
  bool has_compat = false;  ///< The compat package, which its start-up uses.
  bool is_known = false;    ///< False: its content is unknown.
};

/// "nvidia/cuda:13.0.1-cudnn-devel-ubuntu24.04",
/// "pytorch/pytorch:2.7.0-cuda12.8-cudnn9-runtime", and plain systems (ubuntu, debian, python,
/// alpine), which have no CUDA.
CudaImage DescribeImage(std::string_view image);

/// Whether nvidia/cuda may have this release, "12.9.1". False for one that is newer than the newest
/// known one of its toolkit, and for toolkits without images.
bool MayBeRelease(std::string_view version);

/// The same tag with another variant: 13.0.1-cudnn-devel-ubuntu24.04 as runtime. Empty if there may
/// be no such tag.
std::string WithVariant(std::string_view image, std::string_view variant);

}  // namespace sibyl::inspect
