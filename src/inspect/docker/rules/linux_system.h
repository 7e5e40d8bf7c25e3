// SPDX-License-Identifier: Apache-2.0
// The distribution in a base image, where its name says it.
#pragma once

#include <string>
#include <string_view>

#include "field/field.h"

namespace sibyl::inspect {

struct LinuxSystem {
  std::string name;     ///< "ubuntu" or "debian"; empty: unknown, or another.
  std::string version;  ///< "24.04", "12"; empty if the tag does not say it.
  bool has_cuda = false;
  bool has_python = false;  ///< An image of Python.
};

/// Of ubuntu:24.04, debian:bookworm-slim, nvidia/cuda:12.8.1-base-ubuntu24.04, python:3.12-slim.
LinuxSystem SystemOf(std::string_view image);

/// Of the images above, and of python:3.12-bookworm; nullptr if the tag does not say it.
const field::System* DistributionOf(std::string_view image);

/// Whether apt manages its Python, so that pip refuses to install into it (PEP 668).
bool ManagesPython(const LinuxSystem& system);

}  // namespace sibyl::inspect
