// SPDX-License-Identifier: Apache-2.0
// Summarises device code: groups of images by kind, architecture and section; the resulting
// facts; images that a list of GPUs does not need; differences between two files.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "field/field.h"
#include "inspect/artifact.h"
#include "inspect/cuda/device_code.h"
#include "inspect/cuda/verdict.h"

namespace sibyl::inspect {

struct ImageGroup {
  ImageKind kind = ImageKind::kOther;
  std::uint16_t raw_kind = 0;
  field::Architecture architecture;
  std::string section;
  CodeRole role = CodeRole::kExecutable;
  std::size_t count = 0;
  std::size_t with_code = 0;
  std::size_t unknown_code = 0;  ///< Unknown whether they have code.
  std::size_t damaged = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t unpacked_bytes = 0;
  std::set<std::string> compressions;
  std::set<field::CudaVersion> ptx_versions;
};

/// Sorted by section, kind and architecture.
std::vector<ImageGroup> GroupImages(const DeviceCode& code);

/// "sm_90a", "compute_90" for PTX, "lto_90"; "kind 16, 90" for unknown kinds.
std::string GroupLabel(const ImageGroup& group);

/// The tools that made the cubins, with the number of cubins; "" if unknown.
std::map<std::string, std::size_t> CountOrigins(const DeviceCode& code);

/// Adds the facts and findings of an artifact's device code and ELF header.
void AddCodeFacts(Artifact& artifact);

/// The CUDA that an artifact is a part of or is linked with, by the names of libraries.
CudaLink FindCudaLink(const Artifact& artifact);

/// The major version of the CUDA runtime that the file was built for: the one it is linked
/// with, else that of the newest toolkit that made one of its cubins; 0 if unknown.
std::uint32_t RuntimeMajor(const Artifact& artifact);

struct PruneGroup {
  std::string label;  ///< See GroupLabel.
  std::string section;
  std::size_t kept = 0;
  std::size_t unneeded = 0;
  std::uint64_t kept_bytes = 0;
  std::uint64_t unneeded_bytes = 0;
};

/// The stored bytes that a list of GPUs never loads. Includes PTX that none of these GPUs uses,
/// although a future GPU would need it.
std::vector<PruneGroup> PruneReport(const DeviceCode& code, std::span<const field::GpuTarget> gpus);

struct ImageChange {
  std::string label;
  std::string section;
  std::size_t count_before = 0;
  std::size_t count_after = 0;
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
};

/// The groups that differ.
std::vector<ImageChange> CompareCode(const DeviceCode& before, const DeviceCode& after);

}  // namespace sibyl::inspect
