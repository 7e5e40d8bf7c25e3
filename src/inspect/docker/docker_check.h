// SPDX-License-Identifier: Apache-2.0
// What is wrong with a Dockerfile that builds CUDA software: findings that
// linters of the language cannot have, since they need to know what the bases
// hold. Silent about what cannot be known.
#pragma once

#include <string>
#include <string_view>

#include "inspect/artifact.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

enum class CudaVariant { kNone, kBase, kRuntime, kDevel };

/// What a well-known image holds, by its name.
struct CudaImage {
  CudaVariant variant = CudaVariant::kNone;
  bool has_cudnn = false;
  bool has_torch = false;
  std::uint32_t major = 0;  ///< Of CUDA; zero: not known.
  std::uint32_t minor = 0;
  bool is_known = false;  ///< False: it may hold anything.
};

/// "nvidia/cuda:13.0.1-cudnn-devel-ubuntu24.04", "pytorch/pytorch:2.7.0-cuda12.8-cudnn9-runtime",
/// and plain systems (ubuntu, debian, python, alpine), which hold nothing of CUDA.
CudaImage DescribeImage(std::string_view image);

/// Facts, findings and, as detail["corrections"], lines that would be right.
void CheckDockerfile(const Dockerfile& file, Artifact& artifact);

}  // namespace sibyl::inspect
