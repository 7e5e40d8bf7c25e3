// SPDX-License-Identifier: Apache-2.0
// Checks Dockerfiles that build CUDA software: findings that need to know the content of base
// images, which linters do not. Reports nothing if the content is unknown.
#pragma once

#include <string>
#include <string_view>

#include "inspect/artifact.h"
#include "inspect/docker/dockerfile.h"
#include "inspect/inspect_options.h"

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

/// Adds facts, findings and, as detail["corrections"], corrected lines.
void CheckDockerfile(const Dockerfile& file, const InspectOptions& options, Artifact& artifact);

}  // namespace sibyl::inspect
